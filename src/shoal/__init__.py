"""Shoal: safety in numbers for the people in your data."""
