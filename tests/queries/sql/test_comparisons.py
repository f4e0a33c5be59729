"""Comparisons and their connectives, with SQL's three truths."""

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

ALLOWED = (
    "age >= 18 AND flag", "NOT flag OR age IS NULL", "age IN (1, 2, -7)", "price = 9.99",
    "price IN (9.99, 100)", "price BETWEEN 9.99 AND 100", "day >= '2000-01-01'", "day = DATE '1970-01-01'",
    "name = 'O''Neil'", "name < 'a'", "big = 9007199254740993", "age IS DISTINCT FROM NULL",
    "flag IS NOT TRUE", "flag IS FALSE", "NULL = age", "day IN ('2024-02-29', DATE '1970-01-01')",
    "big > 0.5", "raw > big", "big % 7 = 0", "name BETWEEN 'a' AND colour", "age NOT IN (1, 2)",
    "age NOT BETWEEN 1 AND 9", "NULL IS NULL", "(flag) = (age > 3)", "9.99 = price", "price > 1e300",
    "flag AND NULL", "name IS NOT DISTINCT FROM colour", "price IS NOT DISTINCT FROM 9.99", "raw = 1e308",
    "-price < -5",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_run_on_nasty_values_and_keep_their_promises(dialect: str, nasty: Engines) -> None:
    for sql in ALLOWED:
        found = rebuilt(sql, dialect)
        values = nasty.values(sql, dialect)
        check(found, values)
        assert found.kind == "boolean" and found.domain is not None
        assert None in found.domain or None not in values


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_price_is_found_although_it_is_stored_in_steps(dialect: str, nasty: Engines) -> None:
    stored = next(row["price"] for row in SEEN if isinstance(row["price"], float) and 9 < row["price"] < 11)
    assert stored != 9.99
    hits = nasty.values("price = 9.99", dialect)
    assert hits == [None if row["price"] is None else row["price"] == stored for row in SEEN]
    assert any(hits)
    for sql in (
        "9.99 = price",
        "price IN (1, 9.99)",
        "price BETWEEN 9.99 AND 9.99",
        "price IS NOT DISTINCT FROM 9.99",
    ):
        assert [value is True for value in nasty.values(sql, dialect)] == [value is True for value in hits]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whole_numbers_beyond_doubles_are_compared_exactly(dialect: str, nasty: Engines) -> None:
    values = nasty.values("big = 9007199254740993", dialect)
    assert values == [None if row["big"] is None else row["big"] == 2**53 + 1 for row in SEEN]
    assert not any(nasty.values("big = 9007199254740992", dialect))


def test_conditions_that_are_never_missing_say_so() -> None:
    for sql in ("age IS NULL", "age IS DISTINCT FROM 3", "flag IS TRUE", "1 = 2", "age IS NULL AND TRUE"):
        assert rebuilt(sql).domain == (True, False), sql
    assert rebuilt("age = 1").domain == (True, False, None)


@pytest.mark.parametrize(
    ("sql", "cure"),
    [
        ("age IN (SELECT 1)", "ask for its number first"),
        ("age IN (age)", "written values"),
        ("age IN (1, NULL)", "written values"),
        ("age IN ('x')", "CAST"),
        ("age = 'x'", "CAST"),
        ("flag = 1", "CAST"),
        ("price AND flag", "compare it"),
        ("NOT name", "compare it"),
        ("price IS TRUE", "compare it"),
        ("age IS 3", "IS NULL"),
        ("day = 'tomorrow'", "calendar"),
        ("age BETWEEN SYMMETRIC 1 AND 2", "leave it out"),
    ],
)
def test_the_rest_is_refused_with_the_cure(sql: str, cure: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        rebuilt(sql)
    assert cure in str(refusal.value), refusal.value
