"""How people reach the house."""
