"""Zayatz's estimate against the same in fractions."""

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.measures.zayatz import Zayatz, alone_when_alone


def twin(sizes: list[int], people: int) -> Fraction:
    """P(F=1 | f=1) by Bayes' rule and hypergeometric probabilities, with nothing rounded."""
    rows, counted = sum(sizes), Counter(sizes)

    def shown_once(size: int) -> Fraction:
        return Fraction(size * comb(people - size, rows - 1), comb(people, rows))

    share = {size: Fraction(number, len(sizes)) for size, number in counted.items()}
    return share[1] * shown_once(1) / sum(share[size] * shown_once(size) for size in share)


@given(st.lists(st.integers(1, 8), max_size=12), st.integers(0, 60))
def test_the_probability_is_that_of_the_twin(others: list[int], more: int) -> None:
    sizes = [1, *others]
    people = sum(sizes) + more
    found = alone_when_alone(Sample.of(np.array(sizes), people))
    assert found == pytest.approx(float(twin(sizes, people)), rel=1e-12)


def test_the_number_of_uniques_is_the_share_of_sample_uniques_over_the_fraction() -> None:
    sizes, people = [1, 1, 1, 2, 2, 5], 120
    found = Zayatz().measure(Sample.of(np.array(sizes), people))
    assert found.uniques == pytest.approx(3 * float(twin(sizes, people)) * 10)
    assert found.rows == pytest.approx(3 * float(twin(sizes, people)))


def test_if_everybody_is_alone_everybody_is_taken_to_be() -> None:
    found = Zayatz().measure(Sample.of(np.ones(50, np.int64), 1_000))
    assert (found.uniques, found.rows, found.share) == (1_000, 50, 1)


def test_a_class_larger_than_what_was_left_out_shows_more_than_one() -> None:
    # 12 of 13 people are in the sample: a class of three always shows two of them or more.
    found = alone_when_alone(Sample.of(np.array([1, 1, 1, 3, 6]), 13))
    assert found == pytest.approx(float(twin([1, 1, 1, 3, 6], 13))) == 1
