"""How to get there: one file per method."""
