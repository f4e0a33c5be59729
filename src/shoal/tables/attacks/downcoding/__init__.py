"""Downcoding, and what a coarse label may be split into."""
