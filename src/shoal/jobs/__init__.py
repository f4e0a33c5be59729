"""A request as data (a command line, a section of `shoal.toml`, a form), and the one way to carry it out.

`jobs/<pillar>/<verb>.py` holds `<verb>_<noun>`: the nine cells, by the words of the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.core.outcome import Outcome
    from shoal.jobs.tables.requests import (
        AttackTable,
        CompareTable,
        HierarchyTable,
        InspectTable,
        MeasureTable,
        ProtectTable,
        VerifyTable,
    )

__all__ = [
    "AttackTable",
    "CompareTable",
    "HierarchyTable",
    "InspectTable",
    "MeasureTable",
    "ProtectTable",
    "VerifyTable",
    "run",
]

PILLARS = {"table": "tables", "graph": "graphs", "query": "queries"}


def run(job: Any, follow: Callable[..., None] | None = None) -> Outcome:
    """The outcome of any request; `follow` hears how far it is, where the verb takes long."""
    place = import_module(f"shoal.jobs.{PILLARS[job.noun]}.{job.verb}")
    act = getattr(place, f"{job.verb}_{job.noun}")
    follows = follow is not None and len(signature(act).parameters) > 1
    outcome: Outcome = act(job, follow) if follows else act(job)
    return outcome


def __getattr__(name: str) -> Any:
    # Imported when first used: a question needs nothing of the tables.
    if name not in __all__:
        raise AttributeError(f"module 'shoal.jobs' has no attribute {name!r}")
    return getattr(import_module("shoal.jobs.tables.requests"), name)
