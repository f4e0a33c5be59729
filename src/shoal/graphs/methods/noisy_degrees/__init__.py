"""Noisy degrees, and the random graphs that have them."""
