"""Mondrian, and its cuts."""
