"""How hard to look."""

from __future__ import annotations

import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.appraisal.sampled_measure import SampledMeasure


def test_small_graphs_are_looked_at_in_full_and_large_ones_are_not() -> None:
    assert SampledMeasure().whole(10, 10) and not SampledMeasure().whole(11, 10)


def test_what_the_user_says_goes() -> None:
    assert SampledMeasure(exact=True).whole(1e30, 10)
    assert not SampledMeasure(sample=100).whole(1, 10)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"exact": True, "sample": 5}, "exclude each other"),
        ({"sample": 1}, "at least 2"),
        ({"sample": -3}, "at least 2"),
        ({"seed": -1}, "seed -1 is below 0"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(given: dict[str, int], said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        SampledMeasure(**given)  # type: ignore[arg-type]
