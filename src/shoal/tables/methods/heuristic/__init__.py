"""The heuristic search, and the bound that tells how far off it may be."""
