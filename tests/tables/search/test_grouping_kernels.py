"""Every compiled loop against a plain-Python twin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.search import grouping_kernels as kernels

Grouping = tuple[list[int], list[int], list[int]]


def group_twin(keys: Sequence[int], sizes: Sequence[int]) -> Grouping:
    """The group of each key in order of appearance; of each group its first member and added sizes."""
    number: dict[int, int] = {}
    first: list[int] = []
    merged: list[int] = []
    for place, (key, size) in enumerate(zip(keys, sizes, strict=True)):
        if key not in number:
            number[key] = len(first)
            first.append(place)
            merged.append(0)
        merged[number[key]] += size
    return [number[key] for key in keys], first, merged


def merge_twin(tallies: Sequence[dict[int, int]], group: Sequence[int], groups: int) -> list[dict[int, int]]:
    """The tallies of the members of each group added up."""
    merged: list[dict[int, int]] = [{} for _ in range(groups)]
    for tally, g in zip(tallies, group, strict=True):
        for value, count in tally.items():
            merged[g][value] = merged[g].get(value, 0) + count
    return merged


def hashed(keys: Sequence[int], sizes: Sequence[int]) -> Grouping:
    group, first, merged = kernels.group_hashed(np.array(keys, np.int64), np.array(sizes, np.int64))
    return group.tolist(), first.tolist(), merged.tolist()


def merged_counts(
    tallies: Sequence[dict[int, int]], group: Sequence[int], groups: int, domain: int
) -> list[dict[int, int]]:
    """The kernel's answer as dictionaries; refuses values that are not strictly ascending in a group."""
    offsets, values, counts = kernels.merge_counts(
        np.cumsum([0] + [len(tally) for tally in tallies], dtype=np.int64),
        np.array([value for tally in tallies for value in sorted(tally)], np.int32),
        np.array([tally[value] for tally in tallies for value in sorted(tally)], np.int64),
        np.array(group, np.int32),
        groups,
        domain,
    )
    assert len(offsets) == groups + 1
    assert offsets[-1] == len(values) == len(counts)
    found = []
    for start, end in pairwise(offsets.tolist()):
        assert (np.diff(values[start:end]) > 0).all()
        found.append(dict(zip(values[start:end].tolist(), counts[start:end].tolist(), strict=True)))
    return found


some_sizes = st.integers(1, 10**9)


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4).flatmap(
        lambda widths: st.tuples(
            st.just(widths),
            st.lists(
                st.tuples(*(st.integers(0, width - 1) for width in widths), st.integers(1, 9)), min_size=1
            ),
        )
    )
)
def test_leaves_are_counted_as_by_their_twin(table: tuple[list[int], list[tuple[int, ...]]]) -> None:
    widths, rows = table
    wanted = [[0] * width for width in widths]
    for *codes, size in rows:
        for c, code in enumerate(codes):
            wanted[c][code] += size
    every = np.array(rows, np.int64)
    leaves = np.ascontiguousarray(every[:, :-1], np.int32)
    begins = np.cumsum([0, *widths])
    found = kernels.count_leaves(leaves, np.ascontiguousarray(every[:, -1]), begins)
    assert found.tolist() == [count for column in wanted for count in column]


@given(st.lists(st.tuples(st.integers(0, 19), some_sizes), max_size=60))
def test_direct_grouping_is_its_twin_and_leaves_its_slots_empty(rows: list[tuple[int, int]]) -> None:
    keys, sizes = [key for key, _ in rows], [size for _, size in rows]
    slots = np.zeros(20, np.int32)
    for _ in range(2):  # the second call works on the slots that the first one left
        group, first, merged = kernels.group_direct(
            np.array(keys, np.int64), np.array(sizes, np.int64), slots
        )
        assert (group.tolist(), first.tolist(), merged.tolist()) == group_twin(keys, sizes)
        assert (slots == 0).all()


@given(st.lists(st.tuples(st.one_of(st.integers(0, 9), st.integers(0, 2**62)), some_sizes), max_size=80))
def test_hashed_grouping_is_its_twin(rows: list[tuple[int, int]]) -> None:
    keys, sizes = [key for key, _ in rows], [size for _, size in rows]
    assert hashed(keys, sizes) == group_twin(keys, sizes)


@pytest.mark.parametrize(
    "distinct",
    [
        pytest.param(list(range(20_000)), id="in a row"),
        pytest.param([number << 40 for number in range(20_000)], id="apart in the high bits only"),
        pytest.param([2**62 - number for number in range(20_000)], id="at the upper end"),
        pytest.param([number * number for number in range(20_000)], id="squares"),
    ],
)
def test_hashed_grouping_survives_growth(distinct: list[int]) -> None:
    """The table starts with 1,024 places, so thousands of keys make it grow several times."""
    chance = np.random.default_rng(7)
    keys = [distinct[place] for place in chance.integers(0, len(distinct), 3 * len(distinct)).tolist()]
    sizes = chance.integers(1, 100, len(keys)).tolist()
    assert hashed(keys, sizes) == group_twin(keys, sizes)
    assert hashed(distinct, sizes[: len(distinct)]) == group_twin(distinct, sizes[: len(distinct)])


@pytest.mark.parametrize("distinct", [511, 512, 513, 2047, 2048, 2049])
def test_hashed_grouping_is_right_on_either_side_of_growth(distinct: int) -> None:
    keys = [*range(distinct), *range(distinct)]
    group, first, merged = hashed(keys, [1] * len(keys))
    assert group == keys
    assert first == list(range(distinct))
    assert merged == [2] * distinct


def test_grouping_nothing_gives_nothing() -> None:
    nothing = np.zeros(0, np.int64)
    for found in (
        kernels.group_hashed(nothing, nothing),
        kernels.group_direct(nothing, nothing, np.zeros(4, np.int32)),
    ):
        assert [len(part) for part in found] == [0, 0, 0]


def test_added_sizes_do_not_overflow_thirty_two_bits() -> None:
    group, _, merged = hashed([5, 5, 5], [2**40, 2**40, 1])
    assert (group, merged) == ([0, 0, 0], [2**41 + 1])


@given(st.data())
def test_pairing_is_left_plus_right_times_stride(data: st.DataObject) -> None:
    small = st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=6)
    left, right = data.draw(small), data.draw(small)
    tuples = data.draw(
        st.lists(
            st.tuples(st.integers(0, len(left) - 1), st.integers(0, len(right) - 1)), min_size=1, max_size=9
        )
    )
    rows = data.draw(st.lists(st.integers(0, len(tuples) - 1), max_size=9))
    stride = data.draw(st.integers(1, 2**31 - 1))
    keys = kernels.pair(
        np.array(left, np.int32),
        np.array([one for one, _ in tuples], np.int32),
        np.array(right, np.int32),
        np.array([other for _, other in tuples], np.int32),
        np.array(rows, np.int32),
        stride,
    )
    assert keys.tolist() == [left[tuples[row][0]] + right[tuples[row][1]] * stride for row in rows]


@pytest.mark.parametrize("domain", [6, 1000])
@given(data=st.data())
def test_merged_counts_are_their_twin_in_a_narrow_and_a_wide_domain(data: st.DataObject, domain: int) -> None:
    """A narrow domain is scanned; in a wide one the few values that occur are sorted."""
    tallies = data.draw(
        st.lists(st.dictionaries(st.integers(0, domain - 1), some_sizes, min_size=1, max_size=6), max_size=12)
    )
    groups = data.draw(st.integers(1, 5))
    group = [data.draw(st.integers(0, groups - 1)) for _ in tallies]
    assert merged_counts(tallies, group, groups, domain) == merge_twin(tallies, group, groups)


def test_merged_counts_are_right_where_sorting_gives_way_to_scanning() -> None:
    """8 × values against the domain decides: 9, 10 and 11 of 80 values stand around the border."""
    domain = 80
    tallies = [{(7 * place) % domain: place + 1 for place in range(values)} for values in (9, 10, 11, 1, 80)]
    assert merged_counts(tallies, [0, 1, 2, 3, 4], 5, domain) == tallies
    together = merge_twin(tallies, [1, 0, 1, 0, 1], 2)
    assert merged_counts(tallies, [1, 0, 1, 0, 1], 2, domain) == together
    # With many empty groups a table of all cells would be too large, and the groups are gone through.
    assert merged_counts(tallies, [0, 1, 2, 3, 4], 100, domain) == [*tallies, *[{}] * 95]


@given(st.data())
def test_the_smallest_node_below_is_found(data: st.DataObject) -> None:
    level = st.tuples(st.integers(0, 2), st.integers(0, 2))
    nodes = [(0, 0), *data.draw(st.lists(level, max_size=8))]
    groups = [9, *(data.draw(st.integers(1, 9)) for _ in nodes[1:])]
    node = data.draw(level)
    place = kernels.smallest_below(np.array(nodes), np.array(groups), np.array(node))
    fits = [i for i, other in enumerate(nodes) if other[0] <= node[0] and other[1] <= node[1]]
    assert place == min(fits, key=lambda i: (groups[i], i))


@given(st.data())
def test_a_node_above_is_found_among_the_first_so_many(data: st.DataObject) -> None:
    level = st.tuples(st.integers(0, 2), st.integers(0, 2))
    nodes, node = data.draw(st.lists(level, min_size=1, max_size=8)), data.draw(level)
    count = data.draw(st.integers(0, len(nodes)))
    above = [other[0] >= node[0] and other[1] >= node[1] for other in nodes[:count]]
    assert kernels.any_above(np.array(nodes), count, np.array(node)) == any(above)


def mdav_twin(points: Sequence[tuple[float, ...]], k: int) -> list[set[int]]:
    """MDAV straight from Domingo-Ferrer and Torra 2005, in plain Python; of equals the first counts."""
    left, groups = list(range(len(points))), []

    def far(i: int, origin: Sequence[float]) -> float:
        return sum((a - b) * (a - b) for a, b in zip(points[i], origin, strict=True))

    def group_of(seed: int, barred: int) -> None:
        others = sorted((i for i in left if i not in (seed, barred)), key=lambda i: (far(i, points[seed]), i))
        groups.append({seed, *others[: k - 1]})
        left[:] = [i for i in left if i not in groups[-1]]

    while len(left) >= 2 * k:
        middle = [sum(column) / len(left) for column in zip(*(points[i] for i in left), strict=True)]
        one = max(left, key=lambda i: (far(i, middle), -i))
        other = max((i for i in left if i != one), key=lambda i: (far(i, points[one]), -i))
        if len(left) < 3 * k:
            group_of(one, -1)
        else:
            group_of(one, other)
            group_of(other, -1)
    return [*groups, set(left)]


@given(
    st.integers(1, 3).flatmap(
        lambda columns: st.lists(
            st.tuples(*[st.integers(-8, 8).map(float)] * columns), min_size=1, max_size=40
        )
    ),
    st.integers(2, 6),
)
def test_mdav_is_its_twin_and_groups_have_k_to_2k_less_one(points: list[tuple[float, ...]], k: int) -> None:
    group = kernels.mdav(np.array(points), k)
    members = [set(np.flatnonzero(group == g).tolist()) for g in range(group.max() + 1)]
    assert members == mdav_twin(points, k)
    if len(points) >= k:
        assert all(k <= len(one) < 2 * k for one in members)


def median_twin(runs: list[list[tuple[int, int]]]) -> list[int]:
    """Of each run of (place, weight) the place after which to cut, tried one after the other."""
    cuts = []
    for run in runs:
        taken, total = sorted({place for place, _ in run}), sum(weight for _, weight in run)
        uneven = {p: abs(2 * sum(w for q, w in run if q <= p) - total) for p in taken[:-1]}
        cuts.append(min(uneven, key=lambda p: (uneven[p], p)))
    return cuts


@given(st.lists(st.integers(0, 6), max_size=30))
def test_members_are_arranged_by_group_in_their_old_order(group: list[int]) -> None:
    order, offsets = kernels.arrange_by_group(np.array(group, np.int32), 7)
    assert order.tolist() == sorted(range(len(group)), key=lambda member: group[member])
    assert np.diff(offsets).tolist() == [group.count(g) for g in range(7)]
