"""Exact draws for privacy: whole numbers, no rounding, the operating system's randomness."""
