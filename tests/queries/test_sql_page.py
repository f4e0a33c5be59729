"""Every example of docs/sql.md is answered."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Link, Table, hang
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

PAGE = Path(__file__).parents[2] / "docs" / "sql.md"
EXAMPLES = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
ID, AGE = Column("id", "integer"), Column("age", "integer", 0, 120)
ILL, SMOKER = Column("ill", keys=("flu", "none")), Column("smoker", "integer", 0, 1)
COST = Column("cost", "number", 0, 100)
NUMBERS = tuple(Column(name, "integer", 0, 50) for name in ("quantity", "price"))
ORDERS = Table(
    "orders",
    (Column("o_customer", "integer"), Column("o_id", "integer"), Column("ordered", "date")),
    unit="o_customer",
)
DATASET = Dataset(
    "page",
    (
        Table("patients", (ID, AGE, ILL, SMOKER), unit="id"),
        Table("people", (ID, AGE, Column("sex", keys=("F", "M"))), unit="id"),
        Table("visits", (ID, COST, Column("reason"), Column("visited", "timestamp")), unit="id", rows=3),
        Table("customer", (Column("c_id", "integer"), Column("segment", keys=("a", "b"))), unit="c_id"),
        ORDERS,
        hang(
            Table("lines", (Column("l_order", "integer"), *NUMBERS)),
            ORDERS,
            Link("l_order", "orders", "o_id", 3),
        ),
    ),
    Budget(Fraction(10_000), Fraction(1, 1000)),
    accounting="approximate",
)
ROWS = range(100)
MOMENT = datetime.datetime(2024, 6, 1, 8, 0)
FRAMES = {
    "patients": {"age": [20 + row % 50 for row in ROWS], "ill": ["flu"] * 100, "smoker": [1] * 100},
    "people": {"age": [20 + row % 50 for row in ROWS], "sex": ["F"] * 100},
    "visits": {"cost": [5.0] * 100, "reason": ["flu"] * 100, "visited": [MOMENT] * 100},
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_answered(example: str, tmp_path: Path) -> None:
    store = DuckStore(DATASET)
    for name, columns in FRAMES.items():
        store.load(name, pl.DataFrame({"id": ROWS, **columns}))
    day = [datetime.date(1995, 6, 1)] * 100
    store.load("customer", pl.DataFrame({"c_id": ROWS, "segment": ["a"] * 100}))
    store.load("orders", pl.DataFrame({"o_customer": ROWS, "o_id": ROWS, "ordered": day}))
    store.load("lines", pl.DataFrame({"l_order": list(range(50)), "quantity": [20] * 50, "price": [3] * 50}))
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    session = Session(DATASET, store, ledger, trusted=True)
    session.grant("owner")
    try:
        answer = session.ask(example, Fraction(100))
        assert answer.rows
        assert not any("failed" in note for note in answer.notes)
    finally:
        ledger.close()
        store.close()


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5
