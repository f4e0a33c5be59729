"""Which edges of a release were added."""
