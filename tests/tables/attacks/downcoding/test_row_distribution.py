"""How the rows of a class may be spread over the parts of its label."""

from itertools import product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacks.downcoding.row_distribution import MOST_ROWS, Labels, RowDistribution, spread


def one(
    shares: list[float], rows: int, ends: bool = False, tight: bool = False, k: int = 0, sure: float = 0.95
) -> RowDistribution:
    return spread(
        Labels(
            np.array([0, len(shares)]),
            np.array(shares),
            np.array([rows]),
            np.array([ends]),
            np.array([tight]),
            np.array([k]),
        ),
        sure,
    )


def every(
    shares: list[float], rows: int, ends: bool, tight: bool, k: int
) -> list[tuple[tuple[int, ...], float]]:
    """Every way to spread rows that the method would have left, with its chance."""
    found = []
    for counts in product(range(rows + 1), repeat=len(shares)):
        if sum(counts) != rows or (tight and max(counts) == rows):
            continue
        if ends:
            cuts = [sum(counts[:place]) for place in range(1, len(counts))]
            if not counts[0] or not counts[-1] or (k and any(k <= cut <= rows - k for cut in cuts)):
                continue
        elif k and any(k <= count <= rows - k for count in counts):
            continue
        weight = float(factorial(rows))
        for count, share in zip(counts, shares, strict=True):
            weight *= share**count / factorial(count)
        if weight:
            found.append((counts, weight))
    return found


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=4).filter(any),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from([0.6, 0.8, 0.95]),
)
def test_what_is_said_is_what_all_worlds_say(
    weights: list[int], rows: int, ends: bool, tight: bool, k: int, sure: float
) -> None:
    shares = [weight / sum(weights) for weight in weights]
    worlds = every(shares, rows, ends, tight, k)
    told = one(shares, rows, ends, tight, k, sure)
    if not worlds:
        assert told.chance[0] == 0 and not told.least.any() and not told.rows.any()
        return
    whole = sum(weight for _, weight in worlds)
    least = [min(counts[part] for counts, _ in worlds) for part in range(len(shares))]
    assert told.least.tolist() == least

    def chance(part: int, number: int) -> float:
        return sum(weight for counts, weight in worlds if counts[part] >= number) / whole

    most = max(
        (
            number
            for part in range(len(shares))
            for number in range(1, rows + 1)
            if chance(part, number) >= sure + 1e-9
        ),
        default=0,
    )
    assert told.rows[0] >= most
    if told.rows[0]:
        assert told.chance[0] >= sure
        assert np.isclose(told.chance[0], chance(int(told.part[0]), int(told.rows[0])))


def test_a_range_has_a_row_at_each_end_and_a_tight_label_rows_in_both_branches() -> None:
    assert one([0.2, 0.6, 0.2], 3, ends=True).least.tolist() == [1, 0, 1]
    assert one([0.9, 0.1], 5, tight=True).least.tolist() == [1, 1]
    assert one([0.5, 0.3, 0.2], 5, tight=True).least.tolist() == [0, 0, 0]


def test_where_no_cut_was_possible_most_rows_are_in_one_place() -> None:
    # Ten rows, k = 2: whatever is not in the one large part are single rows.
    told = one([0.98, 0.01, 0.01], 10, tight=True, k=2)
    assert told.rows[0] >= 8 and told.part[0] == 0


@pytest.mark.parametrize("rows", [MOST_ROWS, MOST_ROWS + 1])
def test_nothing_is_certain_because_a_chance_is_small(rows: int) -> None:
    assert one([1 - 1e-9, 1e-9], rows).least.tolist() == [0, 0]
    assert one([1 - 1e-9, 1e-9], rows, ends=True).least.tolist() == [1, 1]
