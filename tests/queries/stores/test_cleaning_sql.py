"""What a cell counts as: the same in DuckDB, in PostgreSQL and in a slow twin."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from queries.stores.odd import COLUMNS, DAYS, FLOATS, MOMENTS, TEXTS, TRUTHS, WHOLES, Cell, dataset, twin
from shoal.core.errors import BadParameter, BadTable
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.stores.cleaning_sql import Codes, codes, match_columns
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

KINDS: dict[str, Sequence[Cell]] = {
    "text": TEXTS,
    "float8": FLOATS,
    "bigint": WHOLES,
    "boolean": TRUTHS,
    "date": DAYS,
    "timestamp": MOMENTS,
}
DTYPES: dict[str, pl.DataType | type[pl.DataType]] = {
    "text": pl.String,
    "float8": pl.Float64,
    "bigint": pl.Int64,
    "boolean": pl.Boolean,
    "date": pl.Date,
    "timestamp": pl.Datetime("us"),
}


def shown(store: DuckStore | PostgresStore) -> list[tuple[Cell, ...]]:
    """All rows of the table, by unit, without it."""
    relation = store.relation(store.dataset.table("d"))
    (frame,) = store.run([exp.select("*").from_(exp.alias_(relation, "t0", table=True)).order_by("u")])
    return [row[1:] for row in frame.rows()]


def in_duckdb(columns: tuple[Column, ...], kind: str, cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    store = DuckStore(dataset(columns))
    series = pl.Series("cell", cells, dtype=DTYPES[kind])
    frame = pl.DataFrame({"u": range(len(cells)), **{column.name: series for column in columns}})
    store.load("d", frame)
    answer = shown(store)
    store.close()
    return answer


def in_postgres(
    dsn: str, columns: tuple[Column, ...], kind: str, cells: Sequence[Cell]
) -> list[tuple[Cell, ...]]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS odd CASCADE")
        connection.execute("CREATE SCHEMA odd")
        typed = ", ".join(f'"{column.name}" {kind}' for column in columns)
        connection.execute(f"CREATE TABLE odd.d (u bigint, {typed})".encode())
        marks = ", ".join(["%s"] * (len(columns) + 1))
        rows = [[place, *[cell] * len(columns)] for place, cell in enumerate(cells)]
        connection.cursor().executemany(f"INSERT INTO odd.d VALUES ({marks})".encode(), rows)
    store = PostgresStore(dataset(columns), dsn, "odd")
    answer = shown(store)
    store.close()
    return answer


def expected(kind: str, cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    # What text a float or a moment becomes is the engine's affair.
    return [tuple(twin(column, cell) for column in told(kind)) for cell in cells]


def told(kind: str) -> tuple[Column, ...]:
    return tuple(column for column in COLUMNS if kind not in ("float8", "timestamp") or column.kind != "text")


def exactly(rows: list[tuple[Cell, ...]]) -> list[tuple[str, ...]]:
    """So that 1 and 1.0 and True, or 0.0 and -0.0, are not the same."""
    return [tuple(map(repr, row)) for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_duckdb_reads_odd_cells_as_the_twin_does(kind: str) -> None:
    cells = KINDS[kind]
    assert exactly(in_duckdb(told(kind), kind, cells)) == exactly(expected(kind, cells))


@pytest.mark.parametrize("kind", KINDS)
def test_postgres_reads_odd_cells_as_the_twin_does(postgres: str, kind: str) -> None:
    cells = KINDS[kind]
    assert exactly(in_postgres(postgres, told(kind), kind, cells)) == exactly(expected(kind, cells))


SIGNS = st.text("0123456789+-.eE xXnaif_\t", max_size=12)


@settings(max_examples=12)
@given(st.lists(SIGNS | st.from_regex(r"\A[+-]?[0-9]{1,22}(\.[0-9]{0,5})?(e-?[0-9]{1,2})?\Z"), min_size=20))
def test_any_text_counts_in_duckdb_as_in_the_twin(cells: list[str]) -> None:
    assert exactly(in_duckdb(COLUMNS, "text", cells)) == exactly(expected("text", cells))


@settings(max_examples=12)
@given(st.lists(st.floats() | st.integers(-300, 300).map(lambda n: n / 4), min_size=20))
def test_any_float_counts_in_duckdb_as_in_the_twin(cells: list[float]) -> None:
    assert exactly(in_duckdb(told("float8"), "float8", cells)) == exactly(expected("float8", cells))


@settings(max_examples=8)
@given(
    st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")) | SIGNS, min_size=20),
    st.lists(st.floats(), min_size=20),
)
def test_any_cell_counts_in_postgres_as_in_the_twin(
    postgres: str, texts: list[str], floats: list[float]
) -> None:
    assert exactly(in_postgres(postgres, COLUMNS, "text", texts)) == exactly(expected("text", texts))
    found = in_postgres(postgres, told("float8"), "float8", floats)
    assert exactly(found) == exactly(expected("float8", floats))


def test_codes_are_rounded_inwards() -> None:
    assert codes(Column("x", "integer", 0.2, 9.9)) == Codes(1, 9)
    column = Column("x", "number", -1, 1)
    assert codes(column) == Codes(-(2**29), 2**29)
    assert column.grid * 2**29 == 1


def test_bounds_with_no_code_between_them_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"no integer lies between the bounds 0.2 and 0.8 of 'x'"):
        codes(Column("x", "integer", 0.2, 0.8))
    with pytest.raises(BadParameter, match="wider"):
        codes(Column("x", "number", 4e9 + 0.1, 4e9 + 0.2))


def test_bounds_at_the_end_of_a_double_are_refused() -> None:
    with pytest.raises(BadParameter, match="too close to zero"):
        codes(Column("x", "number", 0, 1e-300))


def test_a_column_is_found_whatever_its_case_when_it_is_the_only_one() -> None:
    table = Table("d", (Column("Age"), Column("sex")))
    assert match_columns(table, ["age", "SEX", "sex"], "it") == ["age", "sex"]
    with pytest.raises(BadTable, match="it has 'AGE' and 'age' for 'Age'"):
        match_columns(table, ["AGE", "age", "sex"], "it")
    with pytest.raises(BadTable, match="no column 'sex' in it; it has age, zip"):
        match_columns(table, ["age", "zip"], "it")
