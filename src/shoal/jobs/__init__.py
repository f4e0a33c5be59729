"""A request as data (a command line, a `shoal.toml` section, a form), and `run` to carry it out."""

from shoal.jobs.run import run
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
    "run",
]
