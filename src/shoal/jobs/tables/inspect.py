"""Carry out `inspect`."""

from __future__ import annotations

from shoal.engines.address import address_of
from shoal.jobs.tables.requests import (
    InspectTable,
)
from shoal.jobs.tables.source import read_table
from shoal.tables.discovery.discovery import Inspection, inspect


def inspect_table(job: InspectTable) -> Inspection:
    """Suggested roles and the riskiest combinations."""
    if address_of(job.data) is not None:
        from shoal.jobs.tables.engine_inspect import inspect_in_engine

        return inspect_in_engine(job.data)
    return inspect(read_table(job))
