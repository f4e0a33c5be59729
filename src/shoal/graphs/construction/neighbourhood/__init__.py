"""What the method neighbourhood builds with."""
