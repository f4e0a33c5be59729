"""Tables that hang on others: a customer with his orders and their lines moves nothing beyond its reach."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import polars as pl
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.shop import LINES, ORDERS, QUESTIONS, SCHEMAS, Rows, dataset, store, usual, without
from queries.test_reach import exact, moved
from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.declaration.declaration import Column, Link, Table, hang
from shoal.queries.declaration.serialisation import dataset_from, to_plain
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.postgres_store import PostgresStore

DAYS = st.sampled_from(
    [datetime.date(1992, 1, 1), datetime.date(1992, 2, 29), datetime.date(2020, 1, 1), None]
)
ORDER = st.fixed_dictionaries(
    {"o_customer": st.integers(0, 3), "ordered": DAYS, "status": st.sampled_from(["F", "O", None])}
)
LINE = st.fixed_dictionaries(
    {
        "l_order": st.one_of(st.integers(0, 9), st.none()),
        "l_number": st.integers(0, 2),
        "l_part": st.sampled_from([0, 1, 2, None]),
        "quantity": st.one_of(st.integers(-1, 12), st.none()),
        "price": st.sampled_from([0.0, 1e300, float("nan"), 99.5, None]),
    }
)
PART = st.fixed_dictionaries({"p_id": st.integers(0, 2), "brand": st.sampled_from(["a", "b"])})


def shop(orders: list[dict[str, Any]], lines: list[dict[str, Any]], parts: list[dict[str, Any]]) -> Rows:
    """Orders have their numbers to themselves, as a key does; one customer may have more than he may."""
    numbered = [{"o_id": number, **order} for number, order in enumerate(orders)]
    customers = [{"c_id": c, "segment": ("home", "work", None)[c % 3], "balance": 1.0} for c in range(4)]
    return {"customer": customers, "orders": numbered, "lines": lines, "parts": parts}


SHOPS = st.builds(
    shop, st.lists(ORDER, max_size=10), st.lists(LINE, max_size=25), st.lists(PART, min_size=1, max_size=4)
)


def check(rows: Rows, gone: int) -> None:
    whole, rest = store(rows), store(without(rows, gone))
    for question in QUESTIONS:
        query, again = (plan(question, dataset(), made) for made in (whole, rest))
        assert query.primitives == again.primitives
        before, after = exact(query, whole), exact(again, rest)
        for index, primitive in enumerate(query.primitives):
            name = f"primitive {index}"
            assert moved(before[name], after[name]) <= primitive.reach, (question, name, before, after)
        for index, quantile in enumerate(query.quantiles):
            name = f"quantile {index}"
            assert moved(before[name], after[name]) <= quantile.reach, (question, name)
    whole.close()
    rest.close()


@settings(max_examples=6, deadline=None)
@given(SHOPS, st.integers(0, 3))
def test_one_customer_moves_every_number_by_its_reach_at_most(rows: Rows, gone: int) -> None:
    check(rows, gone)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(SHOPS, st.integers(0, 3))
def test_one_customer_moves_every_number_by_its_reach_at_most_in_many_shops(rows: Rows, gone: int) -> None:
    check(rows, gone)


def test_the_worst_customer_comes_as_far_as_the_reach_and_limits_are_no_product() -> None:
    rows = usual(1)
    rows["orders"] = [{"o_id": o, "o_customer": 0, "ordered": None, "status": "F"} for o in range(5)]
    rows["lines"] = [
        {"l_order": o, "l_number": n, "l_part": 1, "quantity": 10, "price": 1.0}
        for o in range(5) for n in range(4)
    ]  # fmt: skip
    whole, rest = store(rows), store(without(rows, 0))
    limits = {
        "SELECT COUNT(*) FROM lines": 5,  # at most 3 orders of 2 lines, and 5 in all
        "SELECT COUNT(*) FROM orders JOIN lines ON o_id = l_order": 5,
        "SELECT COUNT(*) FROM lines JOIN orders ON o_id = l_order": 5,
        "SELECT COUNT(*) FROM customer JOIN orders ON c_id = o_customer JOIN lines ON o_id = l_order": 5,
        "SELECT COUNT(*) FROM (SELECT l_order FROM lines GROUP BY l_order) t": 3,
        "SELECT COUNT(*) FROM orders WHERE o_id IN (SELECT l_order FROM lines WHERE quantity > 3)": 3,
    }
    for question, limit in limits.items():
        query = plan(question, dataset(), whole)
        assert query.rows <= limit + 1, question
        reached = moved(exact(query, whole)["primitive 0"], exact(query, rest)["primitive 0"])
        assert limit - 1 <= reached <= limit, (question, reached)


def test_what_groups_of_one_person_are_together_is_no_product() -> None:
    made = store(usual(2))
    inner = "SELECT o_customer, DATE_TRUNC('month', ordered) AS m, COUNT(*) AS n FROM orders GROUP BY 1, 2"
    reach = {
        f"SELECT SUM(n) FROM ({inner}) t": 3,
        f"SELECT m, SUM(n) FROM ({inner}) t GROUP BY m": 3,
        f"SELECT SUM(n) FROM (SELECT * FROM ({inner}) u WHERE n > 1) t": 3,
        f"SELECT SUM(n) FROM ({inner}) t JOIN orders o ON o.o_customer = t.o_customer": 27,
        "SELECT SUM(q) FROM (SELECT _unit, l_part, SUM(quantity) AS q FROM lines GROUP BY 1, 2) t": 50,
        "SELECT SUM(q + 0) FROM (SELECT _unit, l_part, SUM(quantity) AS q FROM lines GROUP BY 1, 2) t": 250,
    }
    for question, wanted in reach.items():
        assert plan(question, dataset(), made).primitives[0].reach == wanted, question


def test_a_row_that_hangs_on_nothing_is_nobodys_until_its_parent_comes() -> None:
    rows = usual(2)
    made = store({**rows, "orders": []})
    query = plan("SELECT COUNT(*) FROM lines", dataset(), made)
    assert exact(query, made)["primitive 0"] == {(): 0}
    made.append("orders", pl.DataFrame(rows["orders"], schema=SCHEMAS["orders"], orient="row"))
    assert exact(query, made)["primitive 0"] == {(): 8}
    made.forget(None, [0])
    assert exact(query, made)["primitive 0"] == {(): 4}
    made.append("orders", pl.DataFrame(rows["orders"], schema=SCHEMAS["orders"], orient="row"))
    assert exact(query, made)["primitive 0"] == {(): 4}  # what was forgotten does not come back
    with pytest.raises(BadParameter, match="whose its rows are"):
        made.replace("lines", pl.DataFrame(rows["lines"], schema=SCHEMAS["lines"], orient="row"))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM orders JOIN lines ON o_id = l_number",
        "SELECT COUNT(*) FROM orders JOIN lines ON o_id = l_order OR TRUE",
        "SELECT COUNT(*) FROM orders JOIN lines ON o_id < l_order",
        "SELECT _unit, COUNT(*) FROM lines GROUP BY _unit",
        "SELECT COUNT(*) FROM (SELECT l_part FROM lines GROUP BY l_part) t",
        "SELECT COUNT(*) FROM orders JOIN lines ON COALESCE(o_id, 1) = l_order",
        "SELECT COUNT(*) FROM customer JOIN lines ON c_id = l_order",
    ],
)
def test_what_is_tied_by_nothing_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        plan(sql, dataset(), store(usual(2)))


def test_a_declaration_says_what_hangs_on_what() -> None:
    assert dataset_from(to_plain(dataset())) == dataset()
    plain = to_plain(dataset())
    assert plain["tables"]["lines"]["parent"] == {  # type: ignore[index, call-overload]
        "table": "orders", "column": "l_order", "key": "o_id", "rows": 2,
    }  # fmt: skip
    bare = Table("x", (Column("l_order", "integer"), Column("l_text")))
    assert hang(bare, ORDERS, Link("l_order", "orders", "o_id", 4)).rows == 12
    for link, why in (
        (Link("l_order", "nothing", "o_id"), "no private table"),
        (Link("l_text", "orders", "o_id"), "choose one"),
        (Link("l_order", "orders", "ordered"), "text or integer"),
    ):
        with pytest.raises(BadParameter, match=why):
            dataset(hang(bare, ORDERS, link))
    with pytest.raises(BadParameter, match="two columns"):
        hang(Table("x", (Column("_unit", "integer"),)), ORDERS, Link("l_order", "orders", "o_id"))
    assert LINES.rows == 5


@pytest.fixture(scope="module")
def address(postgres: str) -> Iterator[str]:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA shop")
        for name, columns in {
            "customer": "c_id bigint PRIMARY KEY, segment text, balance double precision",
            "orders": "o_id bigint PRIMARY KEY, o_customer bigint, ordered date, status text",
            "lines": "l_order bigint, l_number bigint, l_part bigint, quantity bigint, price float8",
            "parts": "p_id bigint, brand text",
        }.items():
            connection.execute(f"CREATE TABLE shop.{name} ({columns})".encode())
    yield postgres
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA shop CASCADE")


def fill(address: str, rows: Rows) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for name, content in rows.items():
            connection.execute(f"TRUNCATE shop.{name}".encode())
            for row in content:
                marks = ", ".join(["%s"] * len(row))
                sql = f"INSERT INTO shop.{name} ({', '.join(row)}) VALUES ({marks})"
                connection.execute(sql.encode(), list(row.values()))


def test_both_engines_count_the_same_in_a_shop(address: str) -> None:
    rows = usual()
    fill(address, rows)
    here, there = store(rows), PostgresStore(dataset(), address, schema="shop")
    for question in QUESTIONS:
        ours, theirs = plan(question, dataset(), here), plan(question, dataset(), there)
        assert [part.reach for part in ours.primitives] == [part.reach for part in theirs.primitives]
        for one, other in zip(here.run(selects(ours)), there.run(selects(theirs)), strict=True):
            assert sorted(one.rows(), key=repr) == sorted(other.rows(), key=repr), question
    there.close()


def test_one_customer_moves_no_number_further_in_postgres(address: str) -> None:
    rows = usual(2)
    rows["orders"] += [{"o_id": 50 + o, "o_customer": 0, "ordered": None, "status": "F"} for o in range(4)]
    rows["lines"] += [
        {"l_order": 50 + o, "l_number": n, "l_part": 1, "quantity": 10, "price": 1.0}
        for o in range(4) for n in range(4)
    ]  # fmt: skip
    there = PostgresStore(dataset(), address, schema="shop")
    found = []
    for content in (rows, without(rows, 0)):
        fill(address, content)
        found.append([exact(plan(question, dataset(), there), there) for question in QUESTIONS])
    for question, before, after in zip(QUESTIONS, *found, strict=True):
        query = plan(question, dataset(), there)
        for index, primitive in enumerate(query.primitives):
            name = f"primitive {index}"
            assert moved(before[name], after[name]) <= primitive.reach, (question, name)
    there.close()
