"""Every bound lies on the side it promises, checked by an independent computation with far more digits."""

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.sampling import directed_rounding

WIDE = Context(prec=120)
positive = st.fractions(min_value=Fraction(1, 10**12), max_value=200, max_denominator=10**18)


def wide(value: Fraction) -> Decimal:
    return WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))


@given(positive)
def test_bounds_enclose_the_truth_and_are_tight(value: Fraction) -> None:
    for name in ("ln", "exp", "sqrt"):
        truth = Fraction(getattr(WIDE, name)(wide(value)))
        low = getattr(directed_rounding, f"{name}_down")(value)
        high = getattr(directed_rounding, f"{name}_up")(value)
        assert low < truth < high or (name == "sqrt" and low <= truth <= high)
        assert high - low <= max(Fraction(1, 10**30), truth / 10**50)


@pytest.mark.parametrize("root", [Fraction(1), Fraction(3, 7), Fraction(1, 10**9)])
def test_an_exact_root_lies_between_its_bounds(root: Fraction) -> None:
    assert directed_rounding.sqrt_down(root**2) <= root <= directed_rounding.sqrt_up(root**2)


def test_the_square_root_of_nothing_is_not_below_nothing() -> None:
    assert directed_rounding.sqrt_down(Fraction(0)) == 0 <= directed_rounding.sqrt_up(Fraction(0))


def test_a_fraction_of_endless_digits_is_rounded_to_the_side_first() -> None:
    third = Fraction(1, 3)
    assert directed_rounding.exp_down(third) ** 3 < Fraction(
        Decimal("2.7182818284590452353602874713526624977573")
    )
    assert directed_rounding.exp_up(third) ** 3 > Fraction(
        Decimal("2.7182818284590452353602874713526624977572")
    )


@given(positive)
def test_a_double_is_rounded_up_by_one_step_at_most(value: Fraction) -> None:
    double = directed_rounding.double_up(value)
    assert Fraction(math.nextafter(double, 0)) < value <= Fraction(double)
