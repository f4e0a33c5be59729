"""`shoal query epsilon`."""

from __future__ import annotations

from dataclasses import replace

from shoal.faces.cli.flags import AsJson, Typed, with_flags
from shoal.faces.cli.query_flags import Config, Data
from shoal.jobs.queries.requests import EpsilonQuery


@with_flags(EpsilonQuery, without=("separator", "encoding"), config=False)
def epsilon(typed: Typed, data: Data = None, config: Config = None, as_json: AsJson = False) -> None:
    """The ε for an error that you can live with, and what an ε means; no row is read, nothing is spent."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.epsilon import epsilon_query

    found = epsilon_query(replace(typed, flags={**typed.flags, "file": data, "config": config}).job())
    show(found, as_json, found.notes)
