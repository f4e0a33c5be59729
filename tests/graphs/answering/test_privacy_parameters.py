"""Parameters that all mechanisms share: refused in one sentence, told in words."""

from fractions import Fraction

import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.answering.privacy_parameters import Cost, people, public_people
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.edge_count import EdgeCount

ONE = Fraction(1)


def test_a_cost_is_told_in_words_and_as_guarantees() -> None:
    assert Cost(ONE / 2).in_words == "ε = 0.5 for one edge more or less"
    assert Cost(ONE, 3).in_words == "ε = 1 for any 3 edges more or less"
    assert Cost(ONE, 1, "node").in_words == "ε = 1 for one person with all edges more or less"
    assert Cost(ONE, 2, "node").in_words == "ε = 1 for any 2 people with all edges more or less"
    assert Cost(ONE, 3).guarantees == {"epsilon": 1, "delta": 0, "edges": 3}
    assert Cost(ONE, 2, "node").guarantees == {"node_epsilon": 1, "delta": 0, "nodes": 2}
    assert Cost(ONE).to_json() == {"epsilon": 1, "delta": 0, "neighbours": "edge", "k": 1}


def test_bad_parameters_get_a_sentence() -> None:
    with pytest.raises(BadParameter, match="epsilon above 0, not 0"):
        EdgeCount(Fraction(0))
    with pytest.raises(BadParameter, match="needs k as a whole number of at least 1, not 0"):
        DegreeSequence(ONE, k=0)
    with pytest.raises(BadParameter, match="neighbours=edge and neighbours=node, not 'row'"):
        EdgeCount(ONE, neighbours="row")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match=r"needs a bound.*declare it without looking"):
        DegreeHistogram(ONE, neighbours="node")
    with pytest.raises(BadParameter, match="bound up to 10,000,000"):
        EdgeCount(ONE, bound=10**8)
    with pytest.raises(BadParameter, match="nodes as a whole number of at least 1"):
        DegreeSequence(ONE, nodes=0)
    with pytest.raises(BadParameter, match="nodes up to"):
        DegreeSequence(ONE, nodes=2**40)
    with pytest.raises(BadParameter, match="noise scale"):
        DegreeSequence(Fraction(1, 2**60))


def test_a_declared_number_of_people_is_the_number_whoever_is_there() -> None:
    graph = Graph.of_edges(3, [0], [1])
    assert people(graph, None) == 3 and people(graph, 5) == 5 and people(graph, 2) == 2
    assert "declare nodes=" in public_people(None) and public_people(50) == "nodes=50, as declared"
