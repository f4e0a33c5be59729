"""The values a hierarchy is built over: distinct, in the order of their first appearance."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.hierarchy import Label


def distinct(values: Iterable[Label]) -> list[str]:
    """Every value once.

    Missing ones are left out: no mask or interval holds them, `with_missing_value` adds them as a leaf.
    """
    found = [value for value in dict.fromkeys(values) if value is not None]
    if not found:
        raise BadHierarchy("there are no values to build a hierarchy over; give a column that is not empty")
    return found
