"""The decision rule, case by case."""

import numpy as np
import pytest

from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.measures.dankar import Dankar
from shoal.tables.measures.pitman import Pitman
from shoal.tables.measures.slide_negative_binomial import SlideNegativeBinomial
from shoal.tables.measures.zayatz import Zayatz

SIZES = np.repeat([1, 2, 3, 8], [40, 15, 8, 3])


def test_a_small_sample_is_pitmans() -> None:
    sample = Sample.of(SIZES, 10 * int(SIZES.sum()))
    found = Dankar().measure(sample)
    assert found.uniques == Pitman().measure(sample).uniques and found.reason.startswith("by pitman")


@pytest.mark.parametrize("share", [0.15, 0.4, 0.8])
def test_of_a_large_sample_the_smaller_estimate_is_taken(share: float) -> None:
    sample = Sample.of(SIZES, round(SIZES.sum() / share))
    found = Dankar().measure(sample)
    bayes, slide = Zayatz().measure(sample).uniques, SlideNegativeBinomial().measure(sample).uniques
    assert bayes is not None
    assert found.uniques == (bayes if slide is None else min(bayes, slide))


@pytest.mark.parametrize("people", [20, 1_000])
def test_where_the_model_has_no_solution_zayatz_has(people: int) -> None:
    found = Dankar().measure(Sample.of(np.ones(10, np.int64), people))
    assert (found.uniques, found.share) == (people, 1)
    assert "zayatz" in found.reason and "no solution" in found.reason


def test_what_is_known_is_said_to_be() -> None:
    assert (
        Dankar().measure(Sample.of(SIZES, int(SIZES.sum()))).reason == "the release is the whole population"
    )
    assert Dankar().measure(Sample.of(np.array([2, 3]), 50)).rows == 0
