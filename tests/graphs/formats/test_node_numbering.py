"""From labels to numbers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadGraph
from shoal.graphs.formats.node_numbering import (
    Ends,
    Whole,
    all_canonical,
    as_labels,
    of_objects,
    of_texts,
    of_whole,
)

whole = st.one_of(st.integers(0, 20), st.integers(-5, 5), st.integers(-(2**63), 2**63 - 1), st.just(2**31))


def named(ends: Ends) -> list[tuple[object, object]]:
    labels = range(ends.nodes) if ends.labels is None else ends.labels.to_list()
    return [(labels[one], labels[other]) for one, other in zip(ends.sources, ends.targets, strict=True)]


@given(st.lists(st.lists(st.tuples(whole, whole), max_size=8), max_size=3), st.lists(whole, max_size=3))
def test_whole_numbers_are_numbered_in_ascending_order(
    parts: list[list[tuple[int, int]]], alone: list[int]
) -> None:
    sources: list[Whole] = [np.array([one for one, _ in part], np.int64) for part in parts]
    targets: list[Whole] = [np.array([other for _, other in part], np.int64) for part in parts]
    ends = of_whole(sources, targets, np.array(alone, np.int64))
    pairs = [pair for part in parts for pair in part]
    known = sorted({end for pair in pairs for end in pair} | {*alone})
    assert named(ends) == pairs and ends.nodes == len(known)
    assert (list(range(ends.nodes)) if ends.labels is None else ends.labels.to_list()) == known
    assert ends.sources.dtype == ends.targets.dtype == np.int32


def test_parts_of_different_width_go_together() -> None:
    small, large = np.array([1, 2], np.int32), np.array([2**40], np.int64)
    ends = of_whole([small, large], [small + 1, large + 1], np.empty(0, np.int64))
    assert named(ends) == [(1, 2), (2, 3), (2**40, 2**40 + 1)]


def test_numbers_without_a_gap_from_zero_need_no_labels() -> None:
    assert of_whole([np.array([0, 2])], [np.array([1, 0])], np.empty(0, np.int64)).labels is None
    assert of_whole([np.array([1])], [np.array([2])], np.empty(0, np.int64)).labels is not None
    assert of_whole([np.array([0])], [np.array([2])], np.array([1])).labels is None


@pytest.mark.parametrize(
    "text", ["007", "+7", "-0", "", "1.0", "9223372036854775808", "-9223372036854775809", "٣"]
)
def test_what_is_not_written_as_a_number_makes_all_labels_text(text: str) -> None:
    assert not all_canonical(["7", text])
    assert as_labels(["7", text]).to_list() == ["7", text]


def test_numbers_of_64_bits_stay_numbers() -> None:
    texts = ["0", "-5", "9223372036854775807", "-9223372036854775808"]
    assert as_labels(texts).to_list() == [int(text) for text in texts]


@given(st.lists(st.text(min_size=1, max_size=4), unique=True, min_size=1))
def test_texts_are_numbered_in_ascending_order(labels: list[str]) -> None:
    ends = of_texts(labels, np.arange(len(labels), dtype=np.int32), np.zeros(len(labels), np.int32))
    assert ends.labels is not None and ends.labels.is_sorted()
    assert [str(one) for one, _ in named(ends)] == labels


def test_labels_of_any_kind_become_text() -> None:
    assert of_objects([3, 1]).dtype == pl.Int64
    assert of_objects([True, 2.5, ("a", 1), None]).to_list() == ["True", "2.5", "('a', 1)", "None"]
    assert of_objects([np.int64(4), 2**70]).to_list() == ["4", str(2**70)]
    assert of_objects(["b", 1]).to_list() == ["b", "1"]


def test_two_labels_with_one_text_are_refused() -> None:
    with pytest.raises(BadGraph, match="two nodes would both be called '1'"):
        of_objects([1, "1"])
    with pytest.raises(BadGraph, match="a node is called ''"):
        of_objects(["", "1"])


def test_the_graph_tells_what_was_left_out() -> None:
    ends = of_whole([np.array([1, 1])], [np.array([2, 1])], np.empty(0, np.int64))
    made = ends.graph(directed=True, left_out=["weight"])
    assert made.cleaned.weights == ("weight",) and made.cleaned.loops == 1 and made.directed
