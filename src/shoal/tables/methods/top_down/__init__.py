"""Top-down specialisation, and what it searches with."""
