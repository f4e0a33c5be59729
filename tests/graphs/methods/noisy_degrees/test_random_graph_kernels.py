"""The compiled loops against plain Python."""

import numpy as np
import pytest

from shoal.graphs.methods.noisy_degrees import random_graph_kernels as kernels
from shoal.graphs.methods.noisy_degrees.noisy_degrees import make_realisable


def built_twin(degrees: list[int]) -> bool:
    """Whether joining the highest to the next highest uses up all degrees (Havel, Hakimi)."""
    left = sorted(degrees, reverse=True)
    while left and left[0]:
        want = left.pop(0)
        if want > len(left) or left[want - 1] == 0:
            return False
        left = sorted([value - 1 for value in left[:want]] + left[want:], reverse=True)
    return True


@pytest.mark.parametrize("seed", range(40))
def test_building_gives_every_node_its_degree_where_that_can_be(seed: int) -> None:
    chance = np.random.default_rng(seed)
    nodes = int(chance.integers(1, 25))
    falling = -np.sort(-make_realisable(chance.integers(0, nodes + 2, nodes)))
    assert built_twin(falling.tolist())
    sources, targets = kernels.highest_first(falling)
    ends = np.concatenate((sources, targets))
    assert np.bincount(ends, minlength=nodes).tolist() == falling.tolist()
    assert len({(min(a, b), max(a, b)) for a, b in zip(sources, targets, strict=True)}) == len(sources)
    assert (sources != targets).all()


def exchange_twin(edges: list[tuple[int, int]], attempts: int, state: int) -> int:
    """The same with a set, on the same random numbers."""
    known = {frozenset(edge) for edge in edges}
    mask, done = 2**64 - 1, 0

    def drawn(below: int) -> int:
        nonlocal state
        state ^= state << 13 & mask
        state ^= state >> 7
        state ^= state << 17 & mask
        return (state >> 1) % below

    for _ in range(attempts):
        first, second, turned = drawn(len(edges)), drawn(len(edges)), drawn(2)
        (a, b), (c, d) = edges[first], edges[second]
        if turned:
            c, d = d, c
        one, other = frozenset((a, d)), frozenset((c, b))
        if len({a, b, c, d}) < 4 or one in known or other in known:
            continue
        known -= {frozenset((a, b)), frozenset((c, d))}
        known |= {one, other}
        edges[first], edges[second] = (a, d), (c, b)
        done += 1
    return done


@pytest.mark.parametrize("seed", range(10))
def test_exchanging_does_what_plain_python_does(seed: int) -> None:
    chance = np.random.default_rng(seed)
    falling = -np.sort(-make_realisable(chance.integers(0, 12, 40)))
    sources, targets = kernels.highest_first(falling)
    edges = list(zip(sources.tolist(), targets.tolist(), strict=True))
    state = np.array([seed + 12345], np.uint64)
    done = kernels.exchange(sources, targets, 40, 3000, state)
    assert done == exchange_twin(edges, 3000, seed + 12345) > 0
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == edges
