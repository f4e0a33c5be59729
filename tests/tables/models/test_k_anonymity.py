"""k-anonymity against counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity

some_sizes = st.lists(st.integers(1, 12), min_size=1, max_size=20)


def of_sizes(sizes: list[int]) -> Classes:
    return Classes(np.array(sizes, np.int64))


@given(some_sizes, st.integers(1, 13))
def test_a_class_holds_when_it_has_k_rows_and_the_smallest_is_the_level(sizes: list[int], k: int) -> None:
    assert KAnonymity(k).holds(of_sizes(sizes)).tolist() == [size >= k for size in sizes]
    assert KAnonymity(k).level(of_sizes(sizes)) == min(sizes)


@given(some_sizes, st.integers(1, 13))
def test_the_level_is_the_largest_k_that_holds(sizes: list[int], k: int) -> None:
    assert KAnonymity(k).holds(of_sizes(sizes)).all() == (k <= KAnonymity(1).level(of_sizes(sizes)))


@given(some_sizes, st.integers(1, 13))
def test_a_union_of_classes_that_hold_holds(sizes: list[int], k: int) -> None:
    held = [size for size in sizes if size >= k]
    if held:
        assert KAnonymity(k).holds(of_sizes([sum(held)])).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=15), st.integers(1, 10))
def test_no_refinement_releases_a_doomed_row(part_of_row: list[int], k: int) -> None:
    parts = [part_of_row.count(part) for part in set(part_of_row)]
    failing = sum(size for size in parts if size < k)
    doomed = KAnonymity(k).doomed(of_sizes([len(part_of_row)]))[0]
    assert failing >= doomed
    # And none is doomed without need: the class itself is a refinement of the class.
    assert doomed == (0 if len(part_of_row) >= k else len(part_of_row))


@pytest.mark.parametrize("k", [0, -3])
def test_a_k_below_one_is_refused_with_its_value(k: int) -> None:
    with pytest.raises(BadParameter, match=f"not {k}; 5 is a common choice"):
        KAnonymity(k)
