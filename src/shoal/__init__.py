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
    from shoal.api import measure, protect, verify
    from shoal.api_graphs import ask_graph, read_graph, read_groups
    from shoal.api_queries import ask, connect, open_database
    from shoal.api_tables import attack, compare, inspect, read_table
    from shoal.core.errors import BadInput, NotAllowed, ShoalError, Spent, Unanswered, Unreachable
    from shoal.graphs.graph import Graph
    from shoal.tables.hierarchies import Hierarchy
    from shoal.tables.table import Table

_HOMES = {
    "shoal.api": ("measure", "protect", "verify"),
    "shoal.api_graphs": ("ask_graph", "read_graph", "read_groups"),
    "shoal.api_queries": ("ask", "connect", "open_database"),
    "shoal.api_tables": ("attack", "compare", "inspect", "read_table"),
    "shoal.core.errors": ("BadInput", "NotAllowed", "ShoalError", "Spent", "Unanswered", "Unreachable"),
    "shoal.graphs.graph": ("Graph",),
    "shoal.tables.hierarchies": ("Hierarchy",),
    "shoal.tables.table": ("Table",),
}

__all__ = [
    "BadInput",
    "Graph",
    "Hierarchy",
    "NotAllowed",
    "ShoalError",
    "Spent",
    "Table",
    "Unanswered",
    "Unreachable",
    "__version__",
    "ask",
    "ask_graph",
    "attack",
    "compare",
    "connect",
    "inspect",
    "measure",
    "open_database",
    "protect",
    "read_graph",
    "read_groups",
    "read_table",
    "verify",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")
