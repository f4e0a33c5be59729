"""Shoal: safety in numbers for the people in your data.

    import shoal
    release = shoal.protect("patients.csv", quasi="zip,age,sex", sensitive="diagnosis", k=5)

The public names are imported when first used, so that `shoal --help` answers at once.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from shoal.version import __version__

# What a library has to say is for those who listen: without this Python prints it.
logging.getLogger("shoal").addHandler(logging.NullHandler())

if TYPE_CHECKING:  # what type checkers and editors read; a test holds it against _HOMES
    from shoal.api import measure, protect, verify
    from shoal.api_attack import attack
    from shoal.api_graphs import ask_graph, attack_matrix, read_graph, read_groups
    from shoal.api_queries import ask, audit, choose_epsilon, connect, learn, open_database
    from shoal.api_tables import compare, diff, explore, inspect, map_values, read_table
    from shoal.core.errors import BadInput, NotAllowed, ShoalError, Spent, Unanswered, Unreachable
    from shoal.core.outcome import Finding, Verdict
    from shoal.core.progress import Progress
    from shoal.graphs.appraisal.appraisal import GraphAppraisal
    from shoal.graphs.appraisal.attack_matrix import AttackMatrix
    from shoal.graphs.graph import Graph
    from shoal.graphs.grouping import Grouping
    from shoal.graphs.release import GraphRelease
    from shoal.jobs.graphs.ask import GraphAnswer as GraphAnswer
    from shoal.jobs.queries.ask import Database as Database
    from shoal.queries.client import Client
    from shoal.queries.results import Answer
    from shoal.tables.appraisal.appraisal import Appraisal
    from shoal.tables.appraisal.before_after import BeforeAfter
    from shoal.tables.appraisal.solution_lattice import SolutionLattice
    from shoal.tables.appraisal.tradeoff import TradeOff
    from shoal.tables.appraisal.value_mapping import ValueMapping
    from shoal.tables.discovery.discovery import Inspection
    from shoal.tables.hierarchies import Hierarchy
    from shoal.tables.release import TableRelease
    from shoal.tables.table import Table

_HOMES = {
    "shoal.api": ("measure", "protect", "verify"),
    "shoal.api_attack": ("attack",),
    "shoal.api_graphs": ("ask_graph", "attack_matrix", "read_graph", "read_groups"),
    "shoal.api_queries": ("ask", "audit", "choose_epsilon", "connect", "learn", "open_database"),
    "shoal.api_tables": ("compare", "diff", "explore", "inspect", "map_values", "read_table"),
    "shoal.core.progress": ("Progress",),
    "shoal.core.errors": ("BadInput", "NotAllowed", "ShoalError", "Spent", "Unanswered", "Unreachable"),
    "shoal.core.outcome": ("Finding", "Verdict"),
    "shoal.graphs.appraisal.appraisal": ("GraphAppraisal",),
    "shoal.graphs.appraisal.attack_matrix": ("AttackMatrix",),
    "shoal.graphs.graph": ("Graph",),
    "shoal.graphs.grouping": ("Grouping",),
    "shoal.graphs.release": ("GraphRelease",),
    "shoal.jobs.graphs.ask": ("GraphAnswer",),
    "shoal.jobs.queries.ask": ("Database",),
    "shoal.queries.results": ("Answer",),
    "shoal.queries.client": ("Client",),
    "shoal.tables.appraisal.appraisal": ("Appraisal",),
    "shoal.tables.discovery.discovery": ("Inspection",),
    "shoal.tables.hierarchies": ("Hierarchy",),
    "shoal.tables.release": ("TableRelease",),
    "shoal.tables.table": ("Table",),
    "shoal.tables.appraisal.before_after": ("BeforeAfter",),
    "shoal.tables.appraisal.solution_lattice": ("SolutionLattice",),
    "shoal.tables.appraisal.tradeoff": ("TradeOff",),
    "shoal.tables.appraisal.value_mapping": ("ValueMapping",),
}

# What `from shoal import *` brings: all but Database and GraphAnswer, which need an extra when looked at.
__all__ = [
    "Answer",
    "Appraisal",
    "AttackMatrix",
    "BadInput",
    "BeforeAfter",
    "Client",
    "Finding",
    "Graph",
    "GraphAppraisal",
    "GraphRelease",
    "Grouping",
    "Hierarchy",
    "Inspection",
    "NotAllowed",
    "Progress",
    "ShoalError",
    "SolutionLattice",
    "Spent",
    "Table",
    "TableRelease",
    "TradeOff",
    "Unanswered",
    "Unreachable",
    "ValueMapping",
    "Verdict",
    "__version__",
    "ask",
    "ask_graph",
    "attack",
    "attack_matrix",
    "audit",
    "choose_epsilon",
    "compare",
    "connect",
    "diff",
    "explore",
    "inspect",
    "learn",
    "map_values",
    "measure",
    "open_database",
    "protect",
    "read_graph",
    "read_groups",
    "read_table",
    "verify",
]


def __dir__() -> list[str]:
    own = (name for name in globals() if name.startswith("__"))
    return sorted({*own, *__all__, *(name for names in _HOMES.values() for name in names)})


if not TYPE_CHECKING:  # a checker that saw it would take every wrong name for a right one

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(home), name)
                return found
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
