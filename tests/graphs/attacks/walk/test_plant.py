"""Accounts that are planted: the four steps of the construction."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import graph_of, pairs_of, power_law
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.known_members import bits, known_by
from shoal.graphs.attacks.walk.plant import is_asymmetric, plant

NETWORK = power_law(300, 900, 2)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(3, 12),
    st.integers(3, 8),
    st.integers(0, 6),
    st.sampled_from([300, 40]),
)
def test_a_plant_is_built_as_the_paper_says(seed: int, k: int, low: int, wide: int, nodes: int) -> None:
    network = NETWORK if nodes == 300 else power_law(40, 90, 3)
    targets = min(4, k)
    try:
        made = plant(network, k, low, low + wide, targets, np.random.default_rng(seed))
    except BadParameter as refused:
        assert "; " in str(refused) and (k < 6 or nodes == 40)
        return
    sought, members = made.sought, made.members
    assert members.tolist() == list(range(network.nodes, network.nodes + k))
    assert pairs_of(network) == {pair for pair in pairs_of(made.graph) if max(pair) < network.nodes}
    assert all(sought.joined[i, i + 1] for i in range(k - 1))
    outside = sought.degrees - sought.joined.sum(axis=0)
    assert low <= outside.min() and outside.max() <= low + wide
    known = known_by(made.graph, members)
    assert len(set(made.codes)) == len(made.codes) == targets == len(set(made.targets.tolist()))
    for target, code in zip(made.targets.tolist(), made.codes, strict=True):
        assert known[target] == code and len(bits(code)) == 3
        assert [node for node, other in known.items() if other == code] == [target]
    assert is_asymmetric(sought.joined, sought.degrees)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**15 - 1))
def test_nobody_can_change_places_if_no_order_but_one_fits(size: int, edges: int) -> None:
    joined = np.zeros((size, size), np.bool_)
    for place, (one, other) in enumerate(combinations(range(size), 2)):
        joined[one, other] = joined[other, one] = edges >> place & 1
    ways = sum((joined[np.ix_(way, way)] == joined).all() for way in permutations(range(size)))
    assert is_asymmetric(joined, np.zeros(size, np.int64)) == (ways == 1)


def test_what_cannot_be_planted_is_refused() -> None:
    chance = np.random.default_rng(1)
    with pytest.raises(BadParameter, match="need 30 people, and the graph has 5"):
        plant(graph_of(5, (0, 1)), 7, 10, 20, 10, chance)
    with pytest.raises(BadParameter, match="cannot be told apart"):
        plant(NETWORK, 2, 3, 3, 1, chance)
    with pytest.raises(BadParameter, match="have sets of their own for"):
        plant(NETWORK, 7, 1, 2, 20, chance)
