from __future__ import annotations

import numpy as np
import pytest

from graphs.matching.networks import hidden_pair
from graphs.matching.test_profile_seeds import with_hubs
from shoal.graphs.graph import Graph
from shoal.graphs.matching.cosine_seeds import cosine_seeds, cosines


def test_figure_10_1_of_the_thesis() -> None:
    """A is followed by 1, 2 and 3 and B by 2, 3 and 4: two of three each."""
    a, b = 0, 5
    graph = Graph.of_edges(6, [1, 2, 3, 2, 3, 4], [a, a, a, b, b, b], directed=True)
    assert cosines(graph, np.array([a, b]))[0, 1] == pytest.approx(2 / 3)
    assert cosines(graph.undirected(), np.array([a, b]))[0, 1] == pytest.approx(2 / 3)


def test_circles_of_friends_tell_who_is_who() -> None:
    left, right, places = hidden_pair(with_hubs(), 0.95)
    found = cosine_seeds(left, right, top=30)
    told = np.flatnonzero(found >= 0)
    assert len(told) == 7
    assert (found[told] == places[told]).mean() >= 0.5
