"""A line between two kinds of points, and the loops that score lines."""
