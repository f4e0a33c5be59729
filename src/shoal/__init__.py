"""Shoal: safety in numbers for the people in your data.

    import shoal
    release = shoal.protect("patients.csv", quasi="zip,age,sex", sensitive="diagnosis", k=5)

The public names are imported when first used, so that `shoal --help` answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from shoal.version import __version__

if TYPE_CHECKING:
    from shoal.api import attack, compare, inspect, measure, protect, read_table, verify
    from shoal.core.errors import BadInput, ShoalError, Unreachable
    from shoal.tables.hierarchies import Hierarchy
    from shoal.tables.table import Table

_HOMES = {
    "shoal.api": ("attack", "compare", "inspect", "measure", "protect", "read_table", "verify"),
    "shoal.core.errors": ("BadInput", "ShoalError", "Unreachable"),
    "shoal.tables.hierarchies": ("Hierarchy",),
    "shoal.tables.table": ("Table",),
}

__all__ = [
    "BadInput",
    "Hierarchy",
    "ShoalError",
    "Table",
    "Unreachable",
    "__version__",
    "attack",
    "compare",
    "inspect",
    "measure",
    "protect",
    "read_table",
    "verify",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")
