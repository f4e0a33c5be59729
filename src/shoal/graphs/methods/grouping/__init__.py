"""Grouping, and the search for good groups."""
