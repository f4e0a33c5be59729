"""Arithmetic over one row cannot raise, and stays within its bounds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed
from shoal.queries.sql.arithmetic import outward, snap_to_bits
from shoal.queries.sql.value_properties import FINEST, Cell

ALLOWED = (
    "age + 1", "age * 2 - delta", "-age", "-(-5)", "age / 10", "FLOOR(age / 10) * 10", "age // delta",
    "age % delta", "MOD(age, 7)", "big % 10", "far % 1000", "age / delta", "score * score", "score * price",
    "price / GREATEST(score, 0.01)", "tiny * wee", "tiny / 7", "wee * wee * wee * wee * wee",
    "LEAST(GREATEST(raw, 0), 100) * 0.1", "LEAST(GREATEST(raw, -1), 1) * LEAST(GREATEST(raw, -1), 1)",
    "LEAST(GREATEST(raw, -1), 1) / 3", "LEAST(GREATEST(raw, 0), 1e-200) / 1e10",
    "LEAST(GREATEST(raw, 0), 1) * tiny", "LEAST(GREATEST(big, 0), 100) * 2", "NULL + 1", "age * NULL",
    "level + 1", "level * level", "1 / 0", "5 % 0", "5 // 0", "day - other", "DATE '9999-12-31' - day",
    "age / 0", "- - age", "1 - -1",
)  # fmt: skip


@pytest.mark.parametrize("sql", ALLOWED)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_runs_on_nasty_values_and_stays_within_bounds(sql: str, dialect: str, nasty: Engines) -> None:
    check(rebuilt(sql, dialect), nasty.values(sql, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dividing_by_nought_is_missing_in_both_engines(dialect: str, nasty: Engines) -> None:
    for sql in ("age / delta", "age // delta", "age % delta"):
        for value, row in zip(nasty.values(sql, dialect), SEEN, strict=True):
            assert (value is None) == (row["age"] is None or row["delta"] in (None, 0))
    assert set(nasty.values("1 / 0", dialect)) == {None}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_products_of_the_smallest_numbers_do_not_underflow(dialect: str, nasty: Engines) -> None:
    clamp = "LEAST(GREATEST(raw, -1e-150), 1e-150)"
    product = clamp
    for _ in range(5):
        product = f"({product} * {clamp})"
        try:
            found = rebuilt(product, dialect)
        except NotAllowed as refusal:
            assert "too close to nought" in str(refusal)
            break
        check(found, nasty.values(product, dialect))
    else:
        pytest.fail("1e-900 was promised")


def test_postgres_itself_raises_on_what_was_kept_from_it(nasty: Engines) -> None:
    naked = exp.Mul(
        this=exp.cast(exp.Literal.string("5e-324"), "double"),
        expression=exp.cast(exp.Literal.string("0.1"), "double"),
    )
    with pytest.raises(Exception, match="underflow"):
        nasty.run("postgres", [naked])


def test_decades_have_thirteen_groups_and_not_a_hundred_and_twenty_one() -> None:
    assert rebuilt("FLOOR(age / 10) * 10").domain == (*range(0, 121, 10), None)
    assert rebuilt("age // 10 * 10").domain == (*range(0, 121, 10), None)


def test_whole_numbers_stay_whole_and_bounds_are_exact() -> None:
    total = rebuilt("age * 2 - delta")
    assert (total.kind, total.low, total.high) == ("integer", -5.0, 247.0)
    share = rebuilt("price / 7")
    assert share.kind == "number" and share.high is not None
    assert Fraction(share.high) >= Fraction(10**6, 7) > Fraction(share.high) - Fraction(1, 2**34)


def test_what_has_no_bounds_or_is_too_large_is_refused_with_the_cure() -> None:
    for sql, cure in (
        ("big + 1", "LEAST(GREATEST(x, 0), 100)"),
        ("raw * 2", "declare bounds"),
        ("-big", "declare bounds"),
        ("big // 2", "declare bounds"),
        ("big % delta", "declare bounds"),
        ("price * price * price", "tighten the bounds"),
        ("far + far", "tighten the bounds"),
        ("price / score", "GREATEST(x, 0.01)"),
        ("price % 2", "FLOOR(x)"),
        ("name + 1", "CAST"),
        ("day + 1", "difference"),
        ("tiny * tiny", "larger units"),
        ("LEAST(GREATEST(raw, 0), 1e-300) / 1e10", "larger units"),
    ):
        with pytest.raises(NotAllowed) as refusal:
            rebuilt(sql)
        assert cure in str(refusal.value), refusal.value


@given(st.fractions(-(10**15), 10**15), st.fractions(0, 10**6))
def test_bounds_are_rounded_outward_and_never_by_more_than_one_double(low: Fraction, width: Fraction) -> None:
    below, above = outward(low, low + width)
    assert Fraction(below) <= low and low + width <= Fraction(above)
    assert low - Fraction(below) <= abs(low) / 2**51 + Fraction(1, 2**1000)


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e6))
def test_snapping_moves_a_number_by_less_than_the_last_bits_of_its_bound(value: float, reach: float) -> None:
    value = max(-reach, min(reach, value))
    cell = snap_to_bits(Cell(exp.column("x"), "number", -reach, reach, step=FINEST))
    large = float(cell.sql.expression.this.this)
    assert cell.step > FINEST + 100
    moved = (value + large) - large
    assert abs(moved - value) <= reach * 2.0**-49
    assert (Fraction(moved) / Fraction(2) ** cell.step).denominator == 1
