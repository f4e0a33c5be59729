"""A panic in Polars is no Exception, and still looks like an answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException
from sqlglot import exp

from adversary.hospital import dataset
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore


class Panicking(DuckStore):
    """A store whose rows cannot be handed over."""

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        raise PanicException("as Rust has it")


def test_a_panic_after_the_reservation_is_answered_as_if_there_were_no_rows(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    store = Panicking(dataset())
    session = Session(dataset(), store, ledger)
    session.grant("ada")
    answer = session.ask("SELECT COUNT(*) AS n FROM patients", Fraction(1, 10), analyst="ada")
    assert answer.columns == ("n",) and len(answer.rows) == 1
    assert isinstance(answer.trouble, PanicException)
    store.close()
    ledger.close()
