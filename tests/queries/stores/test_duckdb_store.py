"""Rows in DuckDB: what is kept of a person depends on that person alone; a change is whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from patience import LONG, end, line_of
from queries.stores.odd import dataset
from shoal.core.errors import BadParameter, BadTable, Unanswered
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.store import Unstored

COLUMNS = (Column("age", "integer", 0, 120), Column("x", "number", -1, 1), Column("sex", keys=("F", "M")))
Row = tuple[str | None, str | None, float | None, str | None]
Rows = list[Row]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "3", "+3", "", "x", None]),
        st.sampled_from(["5", "7", "200", "-4", "oops", None]),
        st.sampled_from([0.0, -0.0, 0.25, 7.0, float("nan"), float("inf"), None]),
        st.sampled_from(["F", "M", "?", None]),
    ),
    max_size=14,
)


def framed(rows: Sequence[Row]) -> pl.DataFrame:
    names = {"u": pl.String, "age": pl.String, "x": pl.Float64, "sex": pl.String}
    return pl.DataFrame(rows, schema=names, orient="row")


@cache
def store_of(limit: int) -> DuckStore:
    """One store for all examples: opening takes longer than filling."""
    return DuckStore(dataset(COLUMNS, limit))


def filled(rows: Sequence[Row], limit: int = 2) -> DuckStore:
    store = store_of(limit)
    store.load("d", framed(rows))
    return store


def kept(store: DuckStore) -> Counter[tuple[object, ...]]:
    (frame,) = store.run([exp.select("*").from_(store.relation(store.dataset.table("d")))])
    return Counter(frame.rows())


def whose(rows: Sequence[Row], unit: int) -> Rows:
    return [row for row in rows if row[0] is not None and row[0].strip("+") == str(unit)]


@settings(max_examples=15)
@given(ROWS, st.integers(1, 3), st.integers(1, 3))
def test_nobody_changes_what_is_kept_of_others(rows: Rows, limit: int, unit: int) -> None:
    everybody = kept(filled(rows, limit))
    others = kept(filled([row for row in rows if row not in whose(rows, unit)], limit))
    assert Counter({row: n for row, n in everybody.items() if row[0] != unit}) == others
    alone = kept(filled(whose(rows, unit), limit))
    assert Counter({row: n for row, n in everybody.items() if row[0] == unit}) == alone
    assert alone.total() == min(limit, len(whose(rows, unit)))


@settings(max_examples=15)
@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_order_of_rows_does_not_matter(rows: Rows, chance: object, limit: int) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert kept(filled(rows, limit)) == kept(filled(mixed, limit))


@settings(max_examples=15)
@given(ROWS, ROWS, st.integers(1, 3))
def test_rows_that_come_later_are_kept_as_if_they_had_been_there(first: Rows, then: Rows, limit: int) -> None:
    store = filled(first, limit)
    version = store.version
    store.append("d", framed(then))
    assert store.version == version + 1
    assert kept(store) == kept(filled(first + then, limit))


@settings(max_examples=15)
@given(ROWS, ROWS, st.integers(1, 3))
def test_replaced_people_have_their_new_rows_only(first: Rows, then: Rows, limit: int) -> None:
    store = filled(first, limit)
    store.replace("d", framed(then))
    found = kept(store)
    named = [row for unit in (1, 2, 3) if whose(then, unit) for row in whose(first, unit)]
    assert found == kept(filled([row for row in first if row not in named] + then, limit))


@settings(max_examples=15)
@given(ROWS, ROWS, st.integers(1, 3), st.sets(st.integers(1, 4)))
def test_forgotten_people_leave_nothing_behind(first: Rows, then: Rows, limit: int, units: set[int]) -> None:
    store = filled(first, limit)
    store.forget(None, sorted(units))
    gone = [row for unit in units for row in whose(first, unit)]
    left = [row for row in first if row not in gone]
    found = kept(store)
    store.append("d", framed(then))  # no spare row comes back
    later = kept(store)
    assert found == kept(filled(left, limit))
    assert later == kept(filled(left + then, limit))


def test_every_change_raises_the_version_by_one_also_when_nothing_changed() -> None:
    store = DuckStore(dataset(COLUMNS))
    assert (store.version, store.loaded("d")) == (0, False)
    store.load("d", framed([]))
    assert (store.version, store.loaded("d")) == (1, True)
    store.append("d", framed([]))
    store.replace("d", framed([]))
    store.forget("d", [])
    store.forget(None, [5])
    assert store.version == 5


def test_a_change_that_fails_changes_nothing() -> None:
    store = filled([("1", "5", 0.5, "F")])
    before, version = kept(store), store.version
    with pytest.raises(BadTable, match="no column 'sex' in the frame; it has u, age, x"):
        store.append("d", framed([("2", "6", 0.5, "M")]).drop("sex"))
    with pytest.raises(BadTable, match="no column 'u'"):
        store.load("d", framed([("2", "6", 0.5, "M")]).drop("u"))
    with pytest.raises(BadParameter, match="no table 'e'; there is d"):
        store.load("e", framed([]))
    assert (kept(store), store.version) == (before, version)


def test_a_failure_in_the_middle_of_a_change_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled([("1", "5", 0.5, "F")])
    before, version = kept(store), store.version

    def broken(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("shoal.queries.stores.duckdb_store.DuckStore._place", broken)
        for change in (store.load, store.append, store.replace):
            with pytest.raises(Unstored, match="nothing was changed"):
                change("d", framed([("1", "6", 0.5, "M")]))
    assert (kept(store), store.version) == (before, version)
    store.append("d", framed([("2", "6", 0.5, "M")]))
    assert kept(store).total() == 2


def test_text_units_are_taken_as_they_are() -> None:
    store = DuckStore(dataset((), unit="text"))
    store.load("d", pl.DataFrame({"u": ["", " ", "a", "A", "a ", None, "a"]}))
    assert sorted(row[0] for row in kept(store)) == ["", " ", "A", "a", "a "]  # type: ignore[type-var]
    store.forget("d", ["", "a"])
    assert sorted(row[0] for row in kept(store)) == [" ", "A", "a "]  # type: ignore[type-var]


def test_public_tables_keep_every_row_and_know_no_people() -> None:
    private = Table("d", (Column("u"),), "u")
    public = Table("places", (Column("zip"), Column("area", "integer", 0, 9)))
    store = DuckStore(Dataset("two", (private, public), Budget(Fraction(1))))
    store.load("places", pl.DataFrame({"ZIP": ["1", "1", None], "area": [3, 30, None]}))
    store.append("places", pl.DataFrame({"zip": ["1"], "area": ["3"]}))
    (frame,) = store.run([exp.select("*").from_(store.relation(public))])
    assert Counter(frame.rows()) == Counter([("1", 3), ("1", 3), ("1", 9), (None, None)])
    with pytest.raises(BadParameter, match="'places' is public and knows no people"):
        store.replace("places", frame)
    with pytest.raises(BadParameter, match="'places' is public and knows no people"):
        store.forget("places", ["1"])
    store.forget(None, ["1"])
    assert store.run([exp.select("*").from_(store.relation(public))])[0].height == 4


def test_rows_and_version_survive_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.duckdb"
    store = DuckStore(dataset(COLUMNS), path)
    store.load("d", framed([("1", "5", 0.5, "F"), ("1", "6", 0.5, "F")]))
    store.append("d", framed([("2", "6", 0.5, "M")]))
    before = kept(store)
    store.close()
    again = DuckStore(dataset(COLUMNS), path)
    assert (kept(again), again.version, again.loaded("d")) == (before, 2, True)
    again.close()


def test_a_file_filled_under_other_bounds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.duckdb"
    DuckStore(dataset(COLUMNS), path).close()
    with pytest.raises(BadParameter, match="was filled when 'd' was declared otherwise; use a new file"):
        DuckStore(dataset((Column("age", "integer", 0, 99), *COLUMNS[1:])), path)
    with pytest.raises(BadParameter, match="declared otherwise"):
        DuckStore(dataset(COLUMNS, rows=2), path)
    DuckStore(dataset(COLUMNS), path).close()  # a refusal leaves the file alone


def test_a_kill_in_the_middle_leaves_a_whole_state(tmp_path: Path) -> None:
    path = tmp_path / "rows.duckdb"
    script = (
        "import sys, polars as pl\n"
        "from queries.stores.test_duckdb_store import COLUMNS, dataset\n"
        "from shoal.queries.stores.duckdb_store import DuckStore\n"
        f"store = DuckStore(dataset(COLUMNS), {str(path)!r})\n"
        "while True:\n"
        "    first = store.version * 100\n"
        "    rows = pl.DataFrame({'u': range(first, first + 100)})\n"
        "    store.append('d', rows.with_columns(age=5, x=0.0, sex=pl.lit('F')))\n"
        "    sys.stdout.write(f'{store.version}\\n')\n"
        "    sys.stdout.flush()\n"
    )
    told = 0
    for _ in range(2):
        found = os.pathsep.join((str(Path(__file__).parents[2]), *sys.path))
        environment = {**os.environ, "PYTHONPATH": found}
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment)
        try:
            for _ in range(4):
                told = int(line_of(process))
        finally:
            end(process)  # kill -9
        store = DuckStore(dataset(COLUMNS), path)
        assert store.version >= told
        assert kept(store).total() == store.version * 100
        store.close()


def test_readers_see_one_state_while_rows_come_and_go() -> None:
    store = DuckStore(dataset(COLUMNS))
    rows = [(str(unit), "5", 0.5, "F") for unit in range(2000)]
    store.load("d", framed([]))
    relation = store.relation(store.dataset.table("d"))
    question = exp.select("COUNT(*) AS n", "COUNT(DISTINCT u) AS u").from_(relation)
    stop = threading.Event()

    def read() -> int:
        asked = 0
        while not stop.is_set():
            first, second = store.run([question, question])
            assert first.equals(second)
            n, units = first.row(0)
            assert n == units and n % 1000 == 0
            asked += 1
        return asked

    with ThreadPoolExecutor(16) as pool:
        readers = [pool.submit(read) for _ in range(16)]
        for _ in range(3):
            store.append("d", framed(rows[:1000]))
            store.replace("d", framed(rows[1000:]))
            store.forget(None, range(2000))
        stop.set()
        assert all(reader.result(LONG) > 0 for reader in readers)
    assert store.version == 10


def test_changes_from_many_threads_are_all_kept() -> None:
    store = DuckStore(dataset(COLUMNS))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda unit: store.append("d", framed([(str(unit), "5", 0.5, "F")])), range(40)))
    assert (kept(store).total(), store.version) == (40, 40)


def test_a_question_that_fails_tells_nothing() -> None:
    store = filled([("1", "5", 0.5, "F")])
    table = store.relation(store.dataset.table("d"))
    for select in (
        exp.select("CAST(sex AS INT)").from_(table),
        exp.select("nothing").from_(table),
        exp.select("*").from_("read_csv('/etc/passwd')"),
    ):
        with pytest.raises(Unanswered, match=r"\Athe rows could not be read\Z"):
            store.run([select])
    assert kept(store).total() == 1
