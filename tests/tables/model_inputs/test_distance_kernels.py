"""The loops of t-closeness against plain Python in fractions, row by row."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.model_inputs import distance_kernels as kernels

Partition = tuple[tuple[int, ...], ...]

# Three values at least; the partitions of each distance as sets of values.
totals_of = st.lists(st.integers(0, 9), min_size=3, max_size=6).filter(any)
some_t = st.sampled_from([Fraction(n, 20) for n in (0, 1, 2, 4, 5, 8, 10, 15, 19)])


def shared(own: list[int], totals: list[int], partitions: list[Partition], rows: Fraction) -> Fraction:
    """f(M): what class and table share at most when M rows of the class are left, times M."""
    found = Fraction(0)
    for partition in partitions:
        for part in partition:
            share = Fraction(sum(totals[v] for v in part), sum(totals))
            found += min(Fraction(sum(own[v] for v in part)), rows * share)
    return found / len(partitions)


def most_rows(own: list[int], totals: list[int], partitions: list[Partition], t: Fraction) -> int:
    """The most whole rows that could be within t by that, tried one by one."""
    fits = [m for m in range(sum(own) + 1) if shared(own, totals, partitions, Fraction(m)) >= (1 - t) * m]
    return max(fits)


def packed(own: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    values = [value for value, count in enumerate(own) if count]
    counts = [own[value] for value in values]
    return np.array([0, len(values)]), np.array(values, np.int32), np.array(counts, np.int64)


@settings(max_examples=150)
@given(st.data(), totals_of, some_t)
def test_partitions_give_the_distance_and_the_most_rows_that_can_be_close(
    data: st.DataObject, totals: list[int], t: Fraction
) -> None:
    own = data.draw(st.lists(st.integers(0, 6), min_size=len(totals), max_size=len(totals)).filter(any))
    halves = data.draw(st.lists(st.integers(0, 1), min_size=len(totals), max_size=len(totals)))
    codes = [[*range(len(totals))], *([halves] if data.draw(st.booleans()) else [])]
    partitions: list[Partition] = [
        tuple(tuple(v for v, code in enumerate(level) if code == part) for part in sorted(set(level)))
        for level in codes
    ]
    begins = np.cumsum([0] + [max(level) + 1 for level in codes])
    part_of = np.array([np.array(level) + begin for level, begin in zip(codes, begins, strict=False)])
    shares = np.bincount(part_of.ravel(), np.tile(totals, len(codes)), begins[-1]) / sum(totals)
    far, most = kernels.by_partitions(*packed(own), part_of.astype(np.int32), shares, float(t) + 1e-12, 0)
    size = Fraction(sum(own))
    wanted = 1 - shared(own, totals, partitions, size) / size
    assert math.isclose(far[0], wanted, abs_tol=1e-12)
    # No fewer than there are, and no more but for the last digits.
    assert math.floor(most[0] * (1 + 1e-9) + 1e-6) == most_rows(own, totals, partitions, t)


@settings(max_examples=150)
@given(st.data(), totals_of, some_t)
def test_cuts_give_the_most_rows_that_can_be_close(
    data: st.DataObject, totals: list[int], t: Fraction
) -> None:
    own = data.draw(st.lists(st.integers(0, 6), min_size=len(totals), max_size=len(totals)).filter(any))
    ranks = range(len(totals))
    partitions: list[Partition] = [
        (tuple(v for v in ranks if v <= cut), tuple(v for v in ranks if v > cut)) for cut in ranks[:-1]
    ]
    size = Fraction(sum(own))
    far = float(1 - shared(own, totals, partitions, size) / size)
    upto = np.cumsum(totals) / sum(totals)
    area = np.concatenate(([0.0], np.cumsum(upto)))
    most = kernels.by_cuts(*packed(own), upto, area, np.array([far]), float(t) + 1e-12)
    assert math.floor(most[0] * (1 + 1e-9) + 1e-6) == most_rows(own, totals, partitions, t)


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1) | st.just(math.inf), st.floats(0, 50) | st.integers(0, 50), st.integers(1, 50)
        ),
        min_size=1,
    ),
    st.floats(0, 1),
)
def test_of_a_class_too_far_one_row_at_least_must_go(
    classes: list[tuple[float, float, int]], t: float
) -> None:
    far, most, sizes = (np.array(part) for part in zip(*classes, strict=True))
    lost = kernels.too_many(far, most.astype(np.float64), sizes, t)
    for distance, close, size, gone in zip(far, most, sizes, lost, strict=True):
        least = max(1, size - math.floor(close * (1 + 1e-9) + 1e-6))
        assert gone == (min(least, size) if distance > t else 0)
