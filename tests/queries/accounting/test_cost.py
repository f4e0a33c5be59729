"""Costs are whole numbers: rounded up when spent, down when granted, exact in every sum."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.accounting.cost import DELTA_STEP, LOSS_STEP, Cost

amounts = st.fractions(min_value=0, max_value=1000)


@given(amounts, amounts)
def test_a_cost_is_never_noted_below_what_was_spent_and_a_limit_never_above(
    loss: Fraction, delta: Fraction
) -> None:
    spent, limit = Cost.of(loss, delta), Cost.limit(loss, delta)
    assert spent.exact[0] - LOSS_STEP < loss <= spent.exact[0]
    assert limit.exact[0] <= loss < limit.exact[0] + LOSS_STEP
    assert limit.exact[1] <= delta <= spent.exact[1] < delta + DELTA_STEP


@given(st.lists(st.tuples(st.integers(0, 10**15), st.integers(0, 10**18)), max_size=20))
def test_sums_are_exact_and_can_be_taken_back(parts: list[tuple[int, int]]) -> None:
    total = Cost()
    for loss, delta in parts:
        total += Cost(loss, delta)
    for loss, delta in reversed(parts):
        total -= Cost(loss, delta)
    assert total == Cost()


def test_ten_tenths_are_one_and_both_parts_have_to_fit() -> None:
    tenth = Cost.of(Fraction(1, 10), Fraction(1, 10**7))
    whole = Cost.limit(Fraction(1), Fraction(1, 10**6))
    total = Cost()
    for _ in range(10):
        total += tenth
    assert total == whole and total.within(whole)
    assert not (total + Cost(1, 0)).within(whole)
    assert not (total + Cost(0, 1)).within(whole)
