"""Rows that stay in PostgreSQL: cleaned on the way, and never an error that tells of a cell."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from queries.stores.odd import COLUMNS, TEXTS, dataset
from queries.stores.test_duckdb_store import COLUMNS as SOME
from queries.stores.test_duckdb_store import ROWS, Row, Rows, whose
from shoal.core.errors import BadTable, Unanswered
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Kind, Table
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

NUMBERS = itertools.count()
LABEL = "00000000-0000-0000-0000-000000000001"


class Home:
    """A schema of its own, and stores over it."""

    def __init__(self, dsn: str) -> None:
        self.dsn, self.schema = dsn, f"Store {next(NUMBERS)}"
        self.connection = psycopg.connect(dsn, autocommit=True)
        self.run(f'CREATE SCHEMA "{self.schema}"', f'SET search_path = "{self.schema}"')
        self.stores: list[PostgresStore] = []

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.connection.execute(statement.encode())

    def fill(self, kinds: str, rows: Sequence[Sequence[Any]]) -> None:
        self.run("DROP TABLE IF EXISTS d CASCADE", f"CREATE TABLE d ({kinds})")
        if rows:
            marks = ", ".join(["%s"] * len(rows[0]))
            self.connection.cursor().executemany(f"INSERT INTO d VALUES ({marks})".encode(), rows)

    def store(self, dataset: Dataset, timeout: float | None = None) -> PostgresStore:
        self.stores.append(PostgresStore(dataset, self.dsn, self.schema, timeout))
        return self.stores[-1]

    def close(self) -> None:
        for store in self.stores:
            store.close()
        self.connection.close()


@pytest.fixture(scope="module")
def shared(postgres: str) -> Iterator[Home]:
    home = Home(postgres)
    yield home
    home.close()


@pytest.fixture
def home(postgres: str) -> Iterator[Home]:
    home = Home(postgres)
    yield home
    home.close()


def question(store: PostgresStore | DuckStore) -> exp.Select:
    return exp.select("*").from_(exp.alias_(store.relation(store.dataset.table("d")), "t0", table=True))


def kept(store: PostgresStore | DuckStore) -> Counter[tuple[object, ...]]:
    return Counter(store.run([question(store)])[0].rows())


def sorts(store: PostgresStore) -> bool:
    return "ROW_NUMBER" in question(store).sql(dialect="postgres")


def of(home: Home, rows: Sequence[Row], limit: int) -> Counter[tuple[object, ...]]:
    home.fill("u text, age text, x float8, sex text", rows)
    store = home.store(dataset(SOME, limit))
    answer = kept(store)
    store.close()
    return answer


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, limit=st.integers(1, 3), unit=st.integers(1, 3))
def test_nobody_changes_what_is_kept_of_others(shared: Home, rows: Rows, limit: int, unit: int) -> None:
    everybody = of(shared, rows, limit)
    assert everybody == of(shared, rows[::-1], limit)
    others = of(shared, [row for row in rows if row not in whose(rows, unit)], limit)
    assert Counter({row: n for row, n in everybody.items() if row[0] != unit}) == others
    mine = Counter({row: n for row, n in everybody.items() if row[0] == unit})
    assert mine.total() == min(limit, len(whose(rows, unit)))


def test_both_stores_hold_the_same_for_the_same_odd_cells(home: Home) -> None:
    rows = [[str(place), *[text] * len(COLUMNS)] for place, text in enumerate(TEXTS)]
    home.fill(", ".join(f"{name} text" for name in ["u", *(column.name for column in COLUMNS)]), rows)
    there = home.store(dataset(COLUMNS))
    here = DuckStore(dataset(COLUMNS))
    here.load("d", pl.DataFrame(rows, schema=["u", *(column.name for column in COLUMNS)], orient="row"))
    assert kept(there) == kept(here)
    assert there.run([question(there)])[0].schema == here.run([question(here)])[0].schema


@pytest.mark.parametrize(
    ("kind", "cell", "column", "held"),
    [
        ("numeric", "'NaN'", Column("x", "number", 0, 1), None),
        ("numeric", "'Infinity'", Column("x", "integer", 0, 9), 9),
        ("numeric", "'-Infinity'", Column("x", "number"), None),
        ("numeric", "1e150", Column("x", "integer", 0, 9), 9),
        ("numeric", "10::numeric ^ 5000", Column("x", "number"), None),
        ("numeric(20, 2)", "9007199254740993.00", Column("x", "integer"), 9007199254740992),
        ("numeric", "9007199254740993", Column("x", "integer"), 9007199254740993),
        ("numeric", "2.50", Column("x", "integer"), 2),
        ("real", "0.1", Column("x", "number"), 0.10000000149011612),
        ("real", "'Infinity'", Column("x", "number", 0, 2), 2**29),
        ("smallint", "-7", Column("x", "integer", -5, 5), -5),
        ("integer", "1", Column("x", "boolean"), True),
        ("char(5)", "'F'", Column("x", keys=("F",)), "F"),
        ("varchar", "'12 '", Column("x", "integer"), 12),
        ("uuid", f"'{LABEL}'", Column("x"), LABEL),
        ("mood", "'sad'", Column("x", keys=("sad",)), "sad"),
        ("small", "7", Column("x", "integer", 0, 5), 5),
        ("date", "'infinity'", Column("x", "date"), None),
        ("date", "'0044-03-15 BC'", Column("x", "date"), None),
        ("date", "'10000-01-01'", Column("x", "date"), None),
        ("date", "'2024-02-29'", Column("x"), "2024-02-29"),
        ("timestamp", "'-infinity'", Column("x", "date"), None),
        ("timestamp", "'1969-12-31 23:59:59.9'", Column("x", "date"), date(1969, 12, 31)),
        ("timestamptz", "'2024-01-01 01:00+09'", Column("x", "date"), date(2023, 12, 31)),
        ("timestamp", "'294276-12-31'", Column("x", "date"), None),
        ("timestamp", "'infinity'", Column("x", "timestamp"), None),
        ("timestamptz", "'2024-01-01 01:00+09'", Column("x", "timestamp"), datetime(2023, 12, 31, 16)),
        ("timestamp", "'4713-01-01 BC'", Column("x", "timestamp", 0, 1), None),
        ("date", "'infinity'", Column("x", "timestamp"), None),
        ("time", "'12:00'", Column("x", "date"), None),
        ("bytea", "'\\xff'", Column("x", "number"), None),
        ("jsonb", "'{\"a\": 1}'", Column("x", "integer"), None),
        ("integer[]", "'{1}'", Column("x", "boolean"), None),
    ],
)  # fmt: skip
def test_a_column_of_any_type_is_read_without_an_error(
    home: Home, kind: str, cell: str, column: Column, held: object
) -> None:
    home.run("CREATE TYPE mood AS ENUM ('sad')", "CREATE DOMAIN small AS integer")
    home.fill(f"u bigint, x {kind}", [])
    home.run(f"INSERT INTO d VALUES (1, {cell}), (2, NULL)")
    assert kept(home.store(dataset((column,)))) == Counter([(1, held), (2, None)])
    home.run("DROP SCHEMA " + f'"{home.schema}"' + " CASCADE")


@pytest.mark.slow
def test_a_cell_of_hundreds_of_megabytes_is_missing_or_cut(home: Home) -> None:
    home.fill("u bigint, x text", [])
    home.run("""INSERT INTO d VALUES (1, repeat('"', 300000000))""")
    for column, held in (
        (Column("x", "number", 0, 1), None),
        (Column("x"), '"' * 1_000),
        (Column("x", "date"), None),
    ):
        assert kept(home.store(dataset((column,)))) == Counter([(1, held)])


@pytest.mark.parametrize(
    ("kinds", "unit", "more", "needed"),
    [
        ("u bigint PRIMARY KEY", "integer", (), False),
        ("u integer UNIQUE", "text", (), False),
        ("u uuid UNIQUE", "text", (), False),
        ("u text UNIQUE", "text", (), False),
        ("u text UNIQUE", "integer", (), True),  # '1' and '01'
        ("u numeric UNIQUE", "integer", (), True),  # 1.1 and 1.2
        ("u bigint", "integer", (), True),
        ("u bigint, v int, PRIMARY KEY (u, v)", "integer", (), True),
        ("u bigint", "integer", ("CREATE UNIQUE INDEX ON d (u) WHERE u > 5",), True),
        ("u bigint", "integer", ("CREATE UNIQUE INDEX ON d ((u + 0))",), True),
        ("u bigint", "integer", ("CREATE INDEX ON d (u)",), True),
        ("u bigint PRIMARY KEY", "integer", ("CREATE TABLE child () INHERITS (d)",), True),
    ],
)
def test_rows_are_sorted_unless_the_catalog_proves_one_per_unit(
    home: Home, kinds: str, unit: Kind, more: Sequence[str], needed: bool
) -> None:
    home.fill(kinds, [])
    home.run(*more)
    assert sorts(home.store(dataset((), unit=unit))) is needed


def test_inherited_rows_do_not_get_past_the_limit(home: Home) -> None:
    home.fill("u bigint PRIMARY KEY", [])
    home.run(
        "CREATE TABLE child () INHERITS (d)", "INSERT INTO d VALUES (1)", "INSERT INTO child VALUES (1), (1)"
    )
    assert kept(home.store(dataset(()))) == Counter([(1,)])


def test_a_constraint_dropped_since_is_noticed(home: Home) -> None:
    home.fill("u bigint PRIMARY KEY", [[1]])
    store = home.store(dataset(()))
    asked = question(store)
    assert store.run([asked])[0].height == 1
    home.run("ALTER TABLE d DROP CONSTRAINT d_pkey", "INSERT INTO d VALUES (1), (1)")
    with pytest.raises(Unanswered, match=r"\Athe rows could not be read\Z"):
        store.run([asked])
    assert kept(store) == Counter([(1,)])
    # A question that was made before the change is no better after another one has noticed it.
    with pytest.raises(Unanswered):
        store.run([asked])


def test_a_type_changed_since_is_noticed(home: Home) -> None:
    home.fill("u bigint, x integer", [[1, 5]])
    store = home.store(dataset((Column("x", "integer"),)))
    asked = question(store)
    home.run("ALTER TABLE d ALTER x TYPE text", "INSERT INTO d VALUES (2, 'a secret')")
    with pytest.raises(Unanswered) as failed:
        store.run([asked])
    assert str(failed.value) == "the rows could not be read"
    assert kept(store) == Counter([(1, 5), (2, None)])


def test_units_are_told_apart_byte_by_byte(home: Home) -> None:
    try:
        home.run("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    except psycopg.Error:
        pytest.skip("this PostgreSQL was built without ICU")
    home.fill("u text COLLATE blind", [["a"], ["A"], ["a"]])
    assert kept(home.store(dataset((), unit="text"))) == Counter([("a",), ("A",)])


def test_every_commit_raises_the_version_also_one_that_began_before_others(home: Home) -> None:
    home.fill("u bigint", [])
    store = home.store(dataset(()))
    first = store.version
    assert store.version == first
    with psycopg.connect(home.dsn) as slow:
        slow.execute(f'INSERT INTO "{home.schema}".d VALUES (1)'.encode())
        home.run("INSERT INTO d VALUES (2)")
        second = store.version
        assert second > first
        assert kept(store) == Counter([(2,)])
        slow.commit()
        third = store.version
    assert third > second
    assert kept(store).total() == 2


def test_several_questions_see_one_state(home: Home) -> None:
    home.fill("u bigint PRIMARY KEY", [])
    store = home.store(dataset(()))
    count = exp.select("COUNT(*) AS n").from_(question(store).subquery("t1"))

    def ask(_: int) -> bool:
        first, second = store.run([count, count])
        return first.equals(second)

    with ThreadPoolExecutor(16) as pool:
        answers = pool.map(ask, range(160))
        for unit in range(100):
            home.run(f"INSERT INTO d VALUES ({unit})")
        assert all(answers)


def test_public_tables_keep_every_row(home: Home) -> None:
    home.fill("u bigint", [])
    home.run('CREATE TABLE "Places" ("ZIP" text, area text)')
    home.run("""INSERT INTO "Places" VALUES ('1', '3'), ('1', '3'), (NULL, 'x'), ('1', '30')""")
    public = Table("places", (Column("zip"), Column("area", "integer", 0, 9)))
    both = Dataset("two", (Table("d", (Column("u"),), "u"), public), Budget(Fraction(1)))
    store = home.store(both)
    relation = exp.alias_(store.relation(public), "t0", table=True)
    rows = store.run([exp.select("*").from_(relation)])[0].rows()
    assert Counter(rows) == Counter([("1", 3), ("1", 3), ("1", 9), (None, None)])


def test_missing_relations_and_columns_are_told(home: Home) -> None:
    store = home.store(dataset(()))
    with pytest.raises(BadTable, match=r"no relation .*d for the table 'd'"):
        store.relation(store.dataset.table("d"))
    home.fill("v bigint", [])
    with pytest.raises(BadTable, match=r"no column 'u' in .*; it has v"):
        store.relation(store.dataset.table("d"))


def test_a_function_of_the_same_name_elsewhere_is_not_called(home: Home) -> None:
    home.fill("u bigint", [[1], [1]])
    home.run(
        "CREATE FUNCTION public.hashtextextended(text, integer) RETURNS bigint LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE 'called'; END $$"
    )
    try:
        assert kept(home.store(dataset(()))) == Counter([(1,)])
    finally:
        home.run("DROP FUNCTION public.hashtextextended(text, integer)")


def test_failures_have_one_text(home: Home) -> None:
    home.fill("u bigint", [[1]])
    store = home.store(dataset(()), timeout=0.2)
    slow = exp.select("CAST(PG_SLEEP(5) AS TEXT) AS t").from_(question(store).subquery("t1"))
    for select in (slow, exp.select("1 / (u - u) AS x").from_(question(store).subquery("t1"))):
        with pytest.raises(Unanswered, match=r"\Athe rows could not be read\Z"):
            store.run([select])
    nowhere = PostgresStore(dataset(()), "postgresql://shoal@127.0.0.1:1/postgres")
    with pytest.raises(Unanswered, match=r"\Athe rows could not be read\Z"):
        nowhere.relation(store.dataset.table("d"))
    assert kept(store) == Counter([(1,)])
