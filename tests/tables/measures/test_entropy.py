"""Non-uniform entropy: bits that are gone."""

import numpy as np
import pytest

from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.entropy import Entropy

HIERARCHY = Hierarchy.of_levels([["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"]])


def of(level: int, kept: list[float], lost: list[float]) -> float:
    sizes = np.array([int(sum(kept))])
    return Entropy().measure(full_domain([HIERARCHY], [level], [np.array(kept)], [np.array(lost)], sizes))


def test_one_bit_of_two() -> None:
    # Four equally frequent values are two bits each; a pair leaves one of them.
    assert [of(level, [1, 1, 1, 1], [0, 0, 0, 0]) for level in range(3)] == [0.0, 0.5, 1.0]


def test_a_rare_value_costs_more_than_a_frequent_one() -> None:
    whole = 3 * np.log2(6 / 3) + np.log2(6) + 2 * np.log2(6 / 2)
    pair = 3 * np.log2(4 / 3) + np.log2(4)
    assert of(1, [3, 1, 2, 0], [0, 0, 0, 0]) == pytest.approx(pair / whole)


def test_a_suppressed_row_costs_its_whole_value() -> None:
    assert of(0, [1, 1, 1, 0], [0, 0, 0, 1]) == pytest.approx(1 / 4)


def test_a_column_of_one_value_has_nothing_to_lose() -> None:
    assert of(2, [4, 0, 0, 0], [0, 0, 0, 0]) == 0
