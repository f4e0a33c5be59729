"""Numbers as they were written, and what no question can have."""

from fractions import Fraction

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.accounting.bookkeeping import LARGEST_EPSILON, check, check_size, exact


def test_a_number_is_taken_as_it_was_written() -> None:
    assert exact(0.1) == exact("0.1") == exact("1/10") == Fraction(1, 10)
    for odd in ("many", "inf", "1e999999999"):
        with pytest.raises(BadParameter, match="no finite number"):
            exact(odd)


def test_what_no_question_can_have_is_refused() -> None:
    check(Fraction(LARGEST_EPSILON), Fraction(0))
    for epsilon, delta in (("0", "0"), ("1001", "0"), ("1", "-1"), ("1", "1")):
        with pytest.raises(BadParameter, match="out of range"):
            check(Fraction(epsilon), Fraction(delta))
    with pytest.raises(BadParameter, match="at least 1"):
        check_size(0)
