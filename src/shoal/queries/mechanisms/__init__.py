"""How an answer gets its noise: one file per mechanism, its paper in the docstring."""
