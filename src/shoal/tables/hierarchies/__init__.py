"""Hierarchies from a value to `*`: trees, masks, intervals, dates, CSV."""

from shoal.tables.hierarchies.binary_splits import grown
from shoal.tables.hierarchies.dates import of_dates
from shoal.tables.hierarchies.flat import flat
from shoal.tables.hierarchies.hierarchy import TOP, Hierarchy
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy, read_parents, write_hierarchy
from shoal.tables.hierarchies.intervals import of_cuts, of_width
from shoal.tables.hierarchies.masks import masked
from shoal.tables.hierarchies.spec import fit_to_column, hierarchy_of, of_released
from shoal.tables.hierarchies.suggest import Suggestion, suggest
from shoal.tables.hierarchies.taxonomy import from_nested, from_parents

__all__ = [
    "TOP",
    "Hierarchy",
    "Suggestion",
    "fit_to_column",
    "flat",
    "from_nested",
    "from_parents",
    "grown",
    "hierarchy_of",
    "masked",
    "of_cuts",
    "of_dates",
    "of_released",
    "of_width",
    "read_hierarchy",
    "read_parents",
    "suggest",
    "write_hierarchy",
]
