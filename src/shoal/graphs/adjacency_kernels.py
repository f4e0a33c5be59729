"""The compiled loops over rows of neighbours. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
State = NDArray[np.uint64]  # one number: where the generator is

_BUCKETS = 256  # as many streams as the caches can write to at once
_SMALLEST = 10  # buckets of fewer than 2 ** 10 nodes are not worth it
_SECOND = np.int64(0xFFFFFFFF)


@compiled
def rows_of(nodes: int, sources: Int32, targets: Int32, both: bool) -> tuple[Int64, Int32, int]:
    """Compressed rows of edges in ascending order, in both directions or one.

    Loops are left out; so are entries that are in a row twice, which are counted.
    """
    # Counting sort by target, then by source. Large graphs do not fit into the caches: both sorts go through
    # buckets of neighbouring nodes, which do. Sorting each row instead takes twice as long.
    shift = _SMALLEST
    while nodes >> shift > _BUCKETS:
        shift += 1
    starts, pairs = _spread(nodes, targets, sources, both, shift)
    starts, pairs = _turn_pairs(starts, pairs, shift)
    return _settle_rows(nodes, starts, pairs, shift)


@compiled
def _spread(nodes: int, firsts: Int32, seconds: Int32, both: bool, shift: int) -> tuple[Int64, Int64]:
    """Pairs by the bucket of their first node, two numbers packed into one; loops are left out."""
    starts = np.zeros((nodes >> shift) + 2, np.int64)
    for edge in range(len(firsts)):
        if firsts[edge] != seconds[edge]:
            starts[(firsts[edge] >> shift) + 1] += 1
            if both:
                starts[(seconds[edge] >> shift) + 1] += 1
    for bucket in range(len(starts) - 1):
        starts[bucket + 1] += starts[bucket]
    at = starts[:-1].copy()
    pairs = np.empty(starts[-1], np.int64)
    for edge in range(len(firsts)):
        first, second = np.int64(firsts[edge]), np.int64(seconds[edge])
        if first != second:
            here, there = first >> shift, second >> shift
            pairs[at[here]] = first << 32 | second
            at[here] += 1
            if both:
                pairs[at[there]] = second << 32 | first
                at[there] += 1
    return starts, pairs


@compiled
def _turn_pairs(starts: Int64, pairs: Int64, shift: int) -> tuple[Int64, Int64]:
    """Pairs in the order of their first node, turned around, by the bucket of what was the second node."""
    ends = np.zeros(len(starts), np.int64)
    for pair in pairs:
        ends[((pair & _SECOND) >> shift) + 1] += 1
    for bucket in range(len(ends) - 1):
        ends[bucket + 1] += ends[bucket]
    at = ends[:-1].copy()
    turned = np.empty(len(pairs), np.int64)
    sorted_pairs = np.empty(_longest(starts), np.int64)
    for bucket in range(len(starts) - 1):
        inside = pairs[starts[bucket] : starts[bucket + 1]]
        here = _starts_of_rows(inside, bucket << shift, shift)
        for pair in inside:
            row = (pair >> 32) - (bucket << shift)
            sorted_pairs[here[row]] = pair
            here[row] += 1
        for place in range(len(inside)):
            first, second = sorted_pairs[place] >> 32, sorted_pairs[place] & _SECOND
            to = second >> shift
            turned[at[to]] = second << 32 | first
            at[to] += 1
    return ends, turned


@compiled
def _settle_rows(nodes: int, starts: Int64, pairs: Int64, shift: int) -> tuple[Int64, Int32, int]:
    """Rows of pairs that come in buckets by their first and in the order of their second node."""
    offsets = np.zeros(nodes + 1, np.int64)
    found = np.empty(len(pairs), np.int32)
    seconds = np.empty(_longest(starts), np.int32)
    to = 0
    for bucket in range(len(starts) - 1):
        inside, low = pairs[starts[bucket] : starts[bucket + 1]], bucket << shift
        here = _starts_of_rows(inside, low, shift)
        for pair in inside:
            row = (pair >> 32) - low
            seconds[here[row]] = pair & _SECOND
            here[row] += 1
        start = 0
        for row in range(min(1 << shift, nodes - low)):
            for at in range(start, here[row]):
                if at == start or seconds[at] != seconds[at - 1]:
                    found[to] = seconds[at]
                    to += 1
            start = here[row]
            offsets[low + row + 1] = to
    repeated = len(pairs) - to
    # A few places too many are cheaper than a second copy of a large graph.
    return offsets, found[:to] if repeated < len(pairs) // 8 else found[:to].copy(), repeated


@compiled
def _longest(starts: Int64) -> int:
    most = 0
    for bucket in range(len(starts) - 1):
        most = max(most, starts[bucket + 1] - starts[bucket])
    return most


@compiled
def _starts_of_rows(pairs: Int64, low: int, shift: int) -> Int64:
    starts = np.zeros((1 << shift) + 1, np.int64)
    for pair in pairs:
        starts[(pair >> 32) - low + 1] += 1
    for row in range(len(starts) - 1):
        starts[row + 1] += starts[row]
    return starts


@compiled
def edges_of(offsets: Int64, found: Int32, once: bool) -> tuple[Int32, Int32]:
    """The two ends of every edge in the order of rows; with `once`, only from the smaller end."""
    number = len(found) // 2 if once else len(found)
    sources, targets = np.empty(number, np.int32), np.empty(number, np.int32)
    to = 0
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if not once or node < found[at]:
                sources[to] = node
                targets[to] = found[at]
                to += 1
    return sources, targets


@compiled
def merge_rows(
    offsets: Int64, found: Int32, starts: Int64, more: Int32, ends: Int64, less: Int32
) -> tuple[Int64, Int32]:
    """Rows with some entries more (`starts`, `more`) and some less (`ends`, `less`); all are in order."""
    rows = np.zeros(len(offsets), np.int64)
    kept = np.empty(len(found) + len(more), np.int32)  # room for all, lest a missing entry write elsewhere
    to = 0
    for node in range(len(offsets) - 1):
        new, gone = starts[node], ends[node]
        for at in range(offsets[node], offsets[node + 1]):
            while new < starts[node + 1] and more[new] < found[at]:
                kept[to] = more[new]
                to += 1
                new += 1
            if gone < ends[node + 1] and less[gone] == found[at]:
                gone += 1
                continue
            kept[to] = found[at]
            to += 1
        while new < starts[node + 1]:
            kept[to] = more[new]
            to += 1
            new += 1
        rows[node + 1] = to
    return rows, kept[:to]


@compiled
def has_edge(offsets: Int64, found: Int32, one: int, other: int) -> bool:
    """Whether there is an entry in a row; rows are in order."""
    low, high = offsets[one], offsets[one + 1]
    while low < high:
        middle = (low + high) // 2
        if found[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < offsets[one + 1] and found[low] == other)


@compiled
def random_below(state: State, below: int) -> int:
    """A whole number from 0 to below - 1: Marsaglia's xorshift, for choices that privacy does not rest on."""
    value = state[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    state[0] = value
    return np.int64((value >> np.uint64(1)) % np.uint64(below))  # type: ignore[return-value]


@compiled
def scatter_bits(word: np.uint64) -> np.uint64:
    """A number scattered over all 64 bits (the last steps of SplitMix64, Steele et al. 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
