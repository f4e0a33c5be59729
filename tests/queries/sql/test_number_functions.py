"""Functions of one number are total between their bounds, or refused."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

ALLOWED = (
    "ABS(score)", "ABS(delta)", "@delta", "SIGN(raw)", "SIGN(big)", "SIGN(delta)", "SIGN(NULL)",
    "FLOOR(score)", "CEIL(score)", "CEILING(price)", "FLOOR(age)", "ROUND(score)", "ROUND(score, 1)",
    "ROUND(price, -3)", "ROUND(age, -1)", "ROUND(age, 3)", "ROUND(LEAST(GREATEST(raw, -1), 1), -3)",
    "ROUND(LEAST(GREATEST(raw, -1e6), 1e6), -3)", "ROUND(LEAST(GREATEST(raw, -1), 1), 5)", "SQRT(price)",
    "SQRT(LEAST(GREATEST(raw, 0), 1))", "LN(price + 1)", "LN(LEAST(GREATEST(raw, 5e-324), 1e15))",
    "EXP(score)", "EXP(LEAST(GREATEST(raw, -600), 34))", "POWER(score, 2)", "age ** 3", "delta ^ 3",
    "POWER(age, 0)", "POWER(LEAST(GREATEST(raw, -1), 1), 3)", "POWER(LEAST(GREATEST(raw, 0), 1), 0.5)",
    "POWER(LEAST(GREATEST(raw, 0), 1), 9.5)", "POWER(tiny, 1.5)", "POWER(wee, 10)", "EXP(-600) * EXP(-600)",
    "SQRT(NULL)", "LN(GREATEST(score, 0.01))", "ROUND(far / 1000, 0)",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_run_on_nasty_values_and_stay_within_bounds(dialect: str, nasty: Engines) -> None:
    for sql in ALLOWED:
        try:
            found = rebuilt(sql, dialect)
        except NotAllowed as refusal:
            assert "nought" in str(refusal), refusal  # what could underflow
            assert "EXP(-600)" in sql or "tiny" in sql, refusal
            continue
        check(found, nasty.values(sql, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_agree_with_python(dialect: str, nasty: Engines) -> None:
    cases: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
        ("SQRT(price)", "price", math.sqrt),
        ("EXP(score)", "score", math.exp),
        ("LN(price + 1)", "price", math.log1p),
        ("POWER(delta, 3)", "delta", lambda x: x**3),
        ("CEIL(score)", "score", math.ceil),
        ("FLOOR(score)", "score", math.floor),
        ("ROUND(price, -3)", "price", lambda x: round(x, -3)),
        ("ABS(delta)", "delta", abs),
    )
    for sql, column, function in cases:
        for value, row in zip(nasty.values(sql, dialect), SEEN, strict=True):
            expected = None if row[column] is None else function(row[column])
            assert value == expected or value == pytest.approx(expected, rel=1e-9), (sql, row[column])


def test_rounded_numbers_have_a_domain_when_they_are_few() -> None:
    assert rebuilt("ROUND(score)").domain == (*range(-5, 6), None)
    domain = rebuilt("ROUND(score, 1)").domain
    assert domain is not None and len(domain) == 102 and 0.1 in domain and -4.9 in domain
    assert rebuilt("ROUND(age, -1)").domain == (*range(0, 121, 10), None)
    assert rebuilt("ROUND(price, 2)").domain is None
    assert rebuilt("POWER(delta, 2)").domain == (0, 1, 4, 9, 16, 25, 36, 49, None)


def test_a_function_keeps_the_column_no_longer_a_unit_or_a_code() -> None:
    assert rebuilt("price").code is not None
    for sql in ("FLOOR(age)", "ROUND(age)", "CEIL(price)", "ABS(price)", "CAST(price AS DOUBLE)", "-price"):
        assert rebuilt(sql).code is None and not rebuilt(sql).unit, sql


@pytest.mark.parametrize(
    ("sql", "cure"),
    [
        ("SQRT(score)", "SQRT(GREATEST(x, 0))"),
        ("LN(price)", "LN(GREATEST(x, 0.01))"),
        ("EXP(price)", "EXP(LEAST(GREATEST(x, -30), 30))"),
        ("POWER(price, 5)", "tighten"),
        ("POWER(price, -1)", "exponent"),
        ("POWER(score, 0.5)", "GREATEST(x, 0)"),
        ("POWER(age, age)", "written exponent"),
        ("POWER(age, TRUE)", "written exponent"),
        ("ROUND(price, age)", "written number of digits"),
        ("ROUND(price, 0.5)", "written number of digits"),
        ("FLOOR(raw)", "declare bounds"),
        ("ABS(big)", "declare bounds"),
        ("SIGN(name)", "CAST"),
        ("FLOOR(far)", "tighten"),
        ("ROUND(price, 9) + ROUND(price * 1000, 9)", "tighten"),
    ],
)
def test_what_is_not_total_is_refused_with_the_cure(sql: str, cure: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        rebuilt(sql)
    assert cure in str(refusal.value), refusal.value
