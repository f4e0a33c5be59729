"""The deFinetti attack, and how it learns."""
