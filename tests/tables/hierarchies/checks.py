"""What every hierarchy must be, checked leaf by leaf and without its own shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from shoal.tables.hierarchies import TOP, Hierarchy
from shoal.tables.hierarchies.hierarchy import Label

texts = st.text(max_size=8)
some_texts = st.lists(texts, min_size=1, max_size=30)
whole_numbers = st.integers(-(10**6), 10**6).map(str)
decimals = st.decimals(-1000, 1000, places=3).map(str)
some_numbers = st.lists(st.one_of(whole_numbers, decimals), min_size=1, max_size=40)


def way(hierarchy: Hierarchy, value: Label) -> list[Label]:
    """All labels of a value, from itself to the top."""
    return [hierarchy.label(value, level) for level in range(hierarchy.height + 1)]


def assert_hierarchy(hierarchy: Hierarchy, values: Sequence[Label]) -> None:
    """Level 0 is the values, the top is `*`, and every level refines the next."""
    assert list(hierarchy.leaves) == list(dict.fromkeys(values))
    ways = [way(hierarchy, value) for value in hierarchy.leaves]
    for value, labels in zip(hierarchy.leaves, ways, strict=True):
        assert labels[0] == value
        assert labels[-1] == TOP
    for level in range(hierarchy.height):
        above: dict[Label, Label] = {}
        for labels in ways:
            assert above.setdefault(labels[level], labels[level + 1]) == labels[level + 1]


def same(one: Hierarchy, other: Hierarchy) -> bool:
    """The same leaves in the same order with the same labels."""
    return one.names == other.names and bool((one.codes == other.codes).all())
