"""AddRandomNoise in its four schemes."""

import numpy as np
import pytest

from graphs.building.small import numbers
from shoal.graphs.building.probing_noise import SCHEMES, noisier
from shoal.graphs.graph import Int64


def steps(degrees: Int64, scheme: int, *, odd: bool = False, times: int = 300) -> set[tuple[int, int]]:
    """Which node was raised, and by how much."""
    chance = np.random.default_rng(1)
    seen = set()
    for _ in range(times):
        change = noisier(degrees, scheme, 10, odd, chance) - degrees
        (node,) = np.flatnonzero(change)
        seen.add((int(node), int(change[node])))
    return seen


DEGREES = np.arange(30, dtype=np.int64)[::-1] % 12


def test_scheme_1_raises_anybody_by_1_to_10() -> None:
    seen = steps(DEGREES, 1)
    assert {delta for _, delta in seen} == set(range(1, 11))
    assert {node for node, _ in seen} == set(range(30))


def test_scheme_2_makes_an_odd_sum_even_and_leaves_an_even_one_even() -> None:
    assert {delta for _, delta in steps(DEGREES, 2, odd=True)} == {1}
    assert {delta for _, delta in steps(DEGREES, 2, odd=False)} == {2, 4, 6, 8, 10}


def test_scheme_3_raises_the_last_of_the_sequence() -> None:
    assert steps(numbers(5, 1, 3, 2), 3) == {(1, 1)}


def test_scheme_4_raises_somebody_of_the_second_half() -> None:
    assert steps(numbers(5, 1, 3, 2), 4) == {(1, 1), (3, 1)}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_degree_passes_what_a_graph_can_have_and_the_input_stays(scheme: int) -> None:
    degrees = numbers(2, 2, 1)
    chance = np.random.default_rng(1)
    changed = degrees
    for _ in range(100):
        changed = noisier(changed, scheme, 10, False, chance)
    assert changed.max() <= 2
    assert degrees.tolist() == [2, 2, 1]
