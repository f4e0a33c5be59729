"""Which of some people others know."""

import numpy as np

from graphs.drawn import graph_of
from shoal.graphs.attacker_reasoning.known_members import bits, known_by


def test_others_are_told_apart_by_the_members_whom_they_know() -> None:
    graph = graph_of(5, (0, 1), (0, 2), (1, 2), (1, 3), (3, 4))
    assert known_by(graph, np.array([0, 1])) == {2: 3, 3: 2}
    assert known_by(graph, np.array([1, 0])) == {2: 3, 3: 1}


def test_a_code_is_its_places() -> None:
    assert bits(0) == [] and bits(0b10110) == [1, 2, 4]
