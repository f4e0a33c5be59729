"""Sparse profiles, and how alike they are."""
