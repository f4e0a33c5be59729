"""Triangles, and the ladder of their local sensitivity."""
