"""A question that is filled in is the question that would have been planned, to the last number."""

from contextlib import suppress
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.query import Plan
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.question_shapes import Shape, form_of, shape_of
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.duckdb_store import DuckStore

COLUMNS = (
    Column("id", "integer"),
    Column("age", "integer", 0, 120),
    Column("income", "number", 0, 200_000),
    Column("far", "number", -1e9, 1e12),
    Column("tiny", "number", 0, 1e-6),
    Column("free", "number"),
    Column("whole", "integer"),
    Column("code", "integer", keys=(1, 2, 30)),
)
DATASET = Dataset("d", (Table("people", COLUMNS, unit="id"),), Budget(Fraction(10)))
STORE = DuckStore(DATASET)
STORE.load(
    "people",
    pl.DataFrame(
        [
            {
                "id": n,
                "age": n % 120,
                "income": n * 97.13 % 200_000,
                "far": n * 1e9 - 1e9,
                "tiny": n * 1e-9,
                "free": n / 7 if n % 5 else None,
                "whole": n * 10**7,
                "code": (1, 2, 30)[n % 3],
            }
            for n in range(300)
        ]
    ),
)
AGGREGATES = ("COUNT(*)", "SUM(income)", "AVG(age)", "VARIANCE(income), COUNT(free)", "COUNT(DISTINCT id)")
NUMBERS = st.one_of(
    st.integers(0, 999_999_999).map(str),
    st.integers(0, 130).map(str),
    st.decimals(0, 10**9 - 1, places=6).map(lambda n: f"{n:f}"),
    st.decimals(0, 200, places=1).map(lambda n: f"{n:f}"),
    st.sampled_from(["0", "0.0", "00", "007", "5.50", "0.000001", "999999999.999999"]),
)
CONDITIONS = st.tuples(
    st.sampled_from([column.name for column in COLUMNS[1:]] + ["people.age", "AGE"]),
    st.sampled_from(["<", "<=", ">", ">=", "=", "<>", "!="]),
    NUMBERS,
)


def shaped(question: str) -> Shape | None:
    form = form_of(question)
    return None if form is None else shape_of(form, whole(question), DATASET, STORE)


def whole(question: str) -> Plan:
    return plan_question(question, DATASET, STORE)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(AGGREGATES),
    st.lists(st.tuples(CONDITIONS, NUMBERS), min_size=1, max_size=3),
)
def test_another_number_gives_the_same_rows_text_noise_and_price_as_a_plan_of_its_own(
    aggregate: str, conditions: list[tuple[tuple[str, str, str], str]]
) -> None:
    first = f"SELECT {aggregate} FROM people WHERE " + " AND ".join(
        f"{name} {sign} {number}" for (name, sign, number), _ in conditions
    )
    then = f"SELECT {aggregate} FROM people WHERE " + " AND ".join(
        f"{name} {sign} {other}" for (name, sign, _), other in conditions
    )
    form, again = form_of(first), form_of(then)
    assert form is not None and again is not None
    if form.text != again.text:  # whole numbers and others are two shapes
        return
    shape = shaped(first)
    if shape is None:
        return
    plan, filled = whole(then), shape.filled(again.numbers)
    if filled is None:
        return
    assert filled.prepared is not None
    assert filled.text == plan.text
    leaf, own = filled.leaves[0], plan.leaves[0]
    for part in ("primitives", "columns", "aggregates", "outputs", "rows", "groups", "work", "parts"):
        assert getattr(leaf, part) == getattr(own, part)
    (frame,) = STORE.run(selects(own))
    assert STORE.rows([filled.prepared]) == frame.rows()


@pytest.mark.parametrize("column", [column.name for column in COLUMNS[1:] if column.name != "tiny"])
@pytest.mark.parametrize("number", ["17", "17.25"])
def test_the_usual_questions_are_filled_in(column: str, number: str) -> None:
    shape = shaped(f"SELECT COUNT(*) FROM people WHERE {column} >= {number}")
    assert shape is not None
    assert shape.filled([number.replace("1", "2")]) is not None


@pytest.mark.parametrize(
    "question",
    [
        "SELECT COUNT(*) FROM people",
        "SELECT COUNT(*) FROM people WHERE age > 5 OR age < 3",
        "SELECT COUNT(*) FROM people WHERE age > 5 -- AND age < 3",
        "SELECT COUNT(*) FROM people WHERE age > -5",
        "SELECT COUNT(*) FROM people WHERE age > 1e3",
        "SELECT COUNT(*) FROM people WHERE age > 1234567890",
        "SELECT COUNT(*) FROM people WHERE age > '5'",
        "SELECT COUNT(*) FROM people WHERE age + 1 > 5",
        "SELECT COUNT(*) FROM people WHERE age > 5 LIMIT 3",
        "SELECT COUNT(*) FROM people WHERE NOT age > 5",
        "SELECT COUNT(*) FROM people WHERE 5 < age",
        "SELECT COUNT(*) FROM people WHERE age > 5 AND true",
        "SELECT age, COUNT(*) FROM people WHERE age > 5 GROUP BY age",
        "SELECT code, COUNT(*) FROM people GROUP BY code HAVING code > 5",
        "SELECT COUNT(*) FROM (SELECT * FROM people WHERE age > 5) AS s WHERE age > 3",
    ],
)
def test_whatever_is_written_otherwise_has_no_form(question: str) -> None:
    assert form_of(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "SELECT MEDIAN(age) FROM people WHERE age > 5",
        "SELECT COUNT(*) FROM people AS a JOIN people AS b ON a.id = b.id WHERE a.age > 5",
        "SELECT COUNT(*) FROM (SELECT id, age FROM people) AS s WHERE age > 5",
        "WITH s AS (SELECT id, age FROM people) SELECT COUNT(*) FROM s WHERE age > 5",
        "SELECT COUNT(*) * (SELECT 2) FROM people WHERE age > 5",
        "SELECT DISTINCT COUNT(*) FROM people WHERE age > 5",
    ],
)
def test_whatever_is_more_than_rows_of_one_table_has_no_shape(question: str) -> None:
    with suppress(NotAllowed):  # or it is not answered at all
        assert shaped(question) is None


def test_a_number_that_no_step_reaches_is_planned_as_a_whole() -> None:
    shape = shaped("SELECT COUNT(*) FROM people WHERE tiny > 0.000001")
    assert shape is not None
    assert shape.filled(["999999999.5"]) is None
