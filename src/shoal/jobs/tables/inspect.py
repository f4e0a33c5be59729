"""Carry out `inspect`."""

from __future__ import annotations

from shoal.jobs.tables.requests import (
    InspectTable,
)
from shoal.jobs.tables.source import read_table
from shoal.tables.discovery.discovery import Inspection, inspect


def inspect_table(job: InspectTable) -> Inspection:
    """Suggested roles and the riskiest combinations."""
    return inspect(read_table(job))
