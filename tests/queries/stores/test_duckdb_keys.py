"""Declared texts are held by their numbers, and nobody but the key of groups sees these."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.duckdb_keys import by_number, held_type
from shoal.queries.stores.duckdb_store import DuckStore

WARDS = ("west", "it's \\ odd", "east", "")  # in no order, one of them empty


def declared() -> Dataset:
    ward, pid = Column("ward", keys=WARDS), Column("pid", "integer")
    columns = (pid, ward, Column("other", keys=("east", "west")), Column("cost", "number", 0, 100))
    people = Table("people", (pid, Column("sex", keys=("m", "f"))), "pid")
    return Dataset("d", (people, Table("visits", columns, "pid", rows=3)), Budget(Fraction(10)))


def filled(path: Path | None = None) -> DuckStore:
    store = DuckStore(declared(), path)
    rows = [
        (1, "west", "east", 1.0),
        (1, "east", "east", 2.0),
        (2, "", None, None),
        (2, "nowhere", "west", 4.0),
        (3, None, "west", 5.0),
        (3, "it's \\ odd", "east", 6.0),
        (3, "east", "west", 7.0),
    ]
    store.load("visits", pl.DataFrame(rows, ["pid", "ward", "other", "cost"], orient="row"))
    store.load("people", pl.DataFrame({"pid": [1, 2, 3], "sex": ["m", "f", "other"]}))
    return store


def asked(store: DuckStore, question: str) -> list[list[tuple[Any, ...]]]:
    """What the engine tells, and nothing else: no noise."""
    (leaf,) = plan_question(question, store.dataset, store).leaves
    return [sorted(frame.rows(), key=repr) for frame in store.run(selects(leaf))]


def steps_of(store: DuckStore, question: str) -> str:
    (leaf,) = plan_question(question, store.dataset, store).leaves
    text = by_number(selects(leaf)[0]).sql(dialect="duckdb")
    return str(store._engine._root.cursor().execute(f"EXPLAIN (FORMAT json) {text}").fetchall())


@pytest.mark.parametrize(
    "question, counts",
    [
        (
            "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
            {("west", 1), ("east", 2), ("", 1), ("it's \\ odd", 1), (None, 2)},
        ),
        ("SELECT q.w, COUNT(*) FROM (SELECT pid, ward AS w FROM visits WHERE cost > 1) AS q GROUP BY q.w",
            {("east", 2), ("it's \\ odd", 1), (None, 2)}),
        ("SELECT sex, COUNT(*) FROM people p JOIN visits v ON p.pid = v.pid WHERE ward = 'east' GROUP BY sex",
            {("m", 1), (None, 1)}),
        ("SELECT ward, sex, COUNT(*) FROM visits v LEFT JOIN people p ON p.pid = v.pid WHERE v.cost > 4"
            " GROUP BY ward, sex", {(None, None, 1), ("it's \\ odd", None, 1), ("east", None, 1)}),
    ],
)  # fmt: skip
def test_groups_are_counted_by_number_and_told_by_text(question: str, counts: set[tuple[Any, ...]]) -> None:
    store = filled()
    assert set(asked(store, question)[0]) == counts
    assert "PERFECT_HASH_GROUP_BY" in steps_of(store, question)


def test_texts_are_compared_and_sorted_as_texts() -> None:
    store = filled()
    # By number "east" would come after "west", and numbers of two lists are not each other's.
    assert asked(store, "SELECT COUNT(*) FROM visits WHERE ward < 'f'") == [[(3,)]]  # 'east' twice and ''
    assert asked(store, "SELECT COUNT(*) FROM visits WHERE ward = other") == [[(1,)]]
    assert asked(store, "SELECT COUNT(*) FROM visits WHERE GREATEST(ward, 'f') = 'west'") == [[(1,)]]
    assert asked(store, "SELECT COUNT(*) FROM visits WHERE ward = 'nowhere'") == [[(0,)]]
    (frame,) = asked(store, "SELECT ward || '!' AS w, COUNT(*) FROM visits WHERE ward > 'e' GROUP BY w")
    assert set(frame) == {("east!", 2), ("it's \\ odd!", 1), ("west!", 1)}


def test_what_is_no_plain_column_is_grouped_as_it_is() -> None:
    store = filled()
    question = "SELECT q.w, COUNT(*) FROM (SELECT DISTINCT pid, ward AS w FROM visits) AS q GROUP BY q.w"
    assert {row for row in asked(store, question)[0] if row[0]} >= {("west", 1), ("east", 2)}
    assert "PERFECT_HASH_GROUP_BY" not in steps_of(store, question)


def test_a_file_from_before_is_asked_as_before(tmp_path: Path) -> None:
    filled(tmp_path / "rows.duckdb").close()
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as file:
        for schema in ("kept", "spare"):
            file.execute(f"ALTER TABLE {schema}.visits ALTER ward TYPE TEXT")
    store = DuckStore(declared(), tmp_path / "rows.duckdb")
    extra = pl.DataFrame({"pid": [4], "ward": ["west"], "other": ["east"], "cost": [3.0]})
    store.append("visits", extra)
    assert ("west", 2) in asked(store, "SELECT ward, COUNT(*) FROM visits GROUP BY ward")[0]
    store.close()


def test_only_declared_texts_have_numbers() -> None:
    assert held_type(Column("c", keys=("a", "b'c"))) == "ENUM('a', 'b''c')"
    assert held_type(Column("c")) == "TEXT"
    assert held_type(Column("c", "integer", keys=(1, 2))) == "BIGINT"
