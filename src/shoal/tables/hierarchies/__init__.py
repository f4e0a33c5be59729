"""Ladders from a value to `*`: trees, masks, intervals, dates, CSV."""

from shoal.tables.hierarchies.hierarchy import TOP, Hierarchy

__all__ = ["TOP", "Hierarchy"]
