"""The lowest hierarchy there is: a value, and `*`."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.hierarchies.leaves import distinct


def flat(values: Iterable[Label]) -> Hierarchy:
    """Value → `*`, for categories that nobody has put in order."""
    return Hierarchy.of_levels([distinct(values)])
