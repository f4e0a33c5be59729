"""A request as data (a command line, a `shoal.toml` section, a form); `shoal.jobs.run` carries it out.

The names are imported when first used: a question needs nothing of the tables.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.jobs.tables import (
        AttackTable,
        CompareTable,
        InspectTable,
        LadderOf,
        MeasureTable,
        ProtectTable,
        VerifyTable,
    )

__all__ = [
    "AttackTable",
    "CompareTable",
    "InspectTable",
    "LadderOf",
    "MeasureTable",
    "ProtectTable",
    "VerifyTable",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'shoal.jobs' has no attribute {name!r}")
    return getattr(import_module("shoal.jobs.tables"), name)
