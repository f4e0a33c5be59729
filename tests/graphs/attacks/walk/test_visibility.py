"""How far planted accounts stand out."""

import numpy as np

from graphs.drawn import power_law
from shoal.graphs.attacks.walk.plant import plant
from shoal.graphs.attacks.walk.visibility import visibility
from shoal.graphs.graph import Graph

NETWORK = power_law(300, 1500, 2)


def test_accounts_are_set_beside_people_with_as_many_friends() -> None:
    made = plant(NETWORK, 7, 5, 10, 5, np.random.default_rng(1))
    told = visibility(made, NETWORK, np.random.default_rng(1))
    low, high = made.sought.degrees.min(), made.sought.degrees.max()
    alike = (made.graph.degrees[:300] >= low) & (made.graph.degrees[:300] <= high)
    assert told["share_of_people_with_as_many_friends"] == alike.mean()
    assert 0 < told["clustering_of_accounts"] < 1 and 0 <= told["clustering_of_people_alike"] <= 1  # type: ignore[operator]
    assert "people_alike_without_arrows_in" not in told


def test_where_edges_have_a_direction_nobody_links_back() -> None:
    ends = NETWORK.edge_list()
    arrows = Graph.of_edges(300, ends.sources, ends.targets, directed=True)
    made = plant(arrows.undirected(), 7, 5, 10, 5, np.random.default_rng(1))
    told = visibility(made, arrows, np.random.default_rng(1))
    assert told["arrows_to_an_account_from_outside"] == 0
    assert isinstance(told["people_alike_without_arrows_in"], int)
