"""Kinds that enough people share."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import graph_of
from shoal.graphs.methods.neighbourhood.labels import Merged, merged


def of(kinds: Sequence[str | int | None], k: int) -> Merged:
    return merged(replace(graph_of(len(kinds)), kinds=pl.Series("kind", kinds)), k)


def values(found: Merged) -> list[object]:
    assert found.kinds is not None
    return found.kinds.to_list()


def test_rare_kinds_become_a_star() -> None:
    found = of(["a", "a", "b", "c"], 2)
    assert values(found) == ["a", "a", "*", "*"] and found.lost == 2


def test_one_rare_person_takes_the_rarest_other_kind_along() -> None:
    found = of(["a", "a", "a", "b", "b", "c"], 2)
    assert values(found) == ["a", "a", "a", "*", "*", "*"] and found.lost == 3


def test_a_missing_kind_is_a_kind() -> None:
    assert values(of([None, None, "a", "a"], 2)) == [None, None, "a", "a"]
    assert values(of([None, "b", "a", "a"], 2)) == ["*", "*", "a", "a"]


def test_numbers_are_kinds_too() -> None:
    assert values(of([1, 1, 2, 3], 2)) == ["1", "1", "*", "*"]
    assert values(of([1, 1, 2, 2], 2)) == [1, 1, 2, 2]


def test_a_graph_without_kinds_has_none() -> None:
    assert merged(graph_of(3), 2).kinds is None


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "*", None]), min_size=1, max_size=20), st.integers(1, 8))
def test_every_kind_that_is_left_has_k_people(kinds: list[str | None], k: int) -> None:
    k = min(k, len(kinds))
    found = of(kinds, k)
    counts = {kind: values(found).count(kind) for kind in values(found)}
    assert min(counts.values()) >= k
    assert found.lost == sum(one != other for one, other in zip(kinds, values(found), strict=True))
