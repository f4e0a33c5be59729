"""What is settled about a graph before anything is computed."""

from typing import Any, ClassVar

import networkx
import numpy as np
import pytest

from shoal.core.errors import BadGraph, BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.naive import Naive
from shoal.graphs.models.edge_differential_privacy import EdgeDifferentialPrivacy
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_grouping import KGrouping
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import GraphRequest, ProtectGraph, VerifyGraph
from shoal.jobs.graphs.source import (
    manifest_of,
    method_of,
    models_of,
    name_of,
    people,
    read,
    spell_without_seed,
)
from shoal.verbs import check_size

PAIR = Graph.of_edges(2, [0], [1])
GROUPS = Grouping(np.array([2]), np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([1]))


def job(**given: Any) -> ProtectGraph:
    return ProtectGraph(data="g.csv", **given)


def test_a_graph_comes_from_whatever_holds_one() -> None:
    asked = GraphRequest(data="g.csv")
    assert read(PAIR, asked).graph is PAIR and read(GraphRelease(PAIR, 1, "naive"), asked).graph is PAIR
    assert read(GROUPS, asked).graph is GROUPS
    found = read(networkx.path_graph(3), asked).graph
    assert isinstance(found, Graph) and found.edges == 2


def test_people_are_not_groups_and_somebody_must_be_there() -> None:
    assert people(PAIR, "'g.csv'") is PAIR
    with pytest.raises(BadGraph, match=r"'g.csv' has groups, not people"):
        people(GROUPS, "'g.csv'")
    with pytest.raises(BadGraph, match="the graph has no nodes"):
        people(Graph.of_edges(0, [], []), name_of(PAIR))
    assert (name_of("-"), name_of("a.csv")) == ("standard input", "'a.csv'")


def test_k_is_short_for_k_degree() -> None:
    assert models_of((), 3) == [KDegree(3)]
    assert models_of(["k-grouping(k=2)"], 3) == [KDegree(3), KGrouping(2)]
    with pytest.raises(BadParameter, match="for graphs there is"):
        models_of("l-diversity(l=2)", None)


class Odd(KDegree):
    """A model that no method is usual for."""

    name: ClassVar[str] = "odd"
    usual_method: ClassVar[str | None] = None
    rank: ClassVar[int] = 9


@pytest.mark.parametrize(
    ("models", "method"),
    [
        ([KGrouping(2)], "grouping"),
        ([EdgeDifferentialPrivacy("1")], "noisy-degrees"),  # type: ignore[arg-type]
        ([KDegree(2), KGrouping(2)], "grouping"),
        ([KDegree(2)], "supergraph"),
    ],
)
def test_the_promise_chooses_the_method(models: list[Any], method: str) -> None:
    assert method_of(job(), models).name == method


def test_a_method_gets_the_seed_unless_it_has_its_own() -> None:
    assert method_of(job(method="naive", seed=3), []) == Naive(3)
    assert method_of(job(method="naive(seed=5)", seed=3), []) == Naive(5)
    assert method_of(job(method=Naive(7), seed=3), []) == Naive(7)
    assert spell_without_seed(Naive(7)) == "naive", "nobody else may know the seed"


@pytest.mark.parametrize(
    ("given", "models", "cause"),
    [
        ({}, [], "no promise asked for"),
        ({"method": "mondrian"}, [], "'mondrian' is a method for tables"),
        ({"method": "naive"}, [EdgeDifferentialPrivacy("1")], "use --method noisy-degrees"),  # type: ignore[arg-type]
        ({"method": "noisy-degrees(epsilon=1)", "seed": 1}, [], "noisy-degrees takes no seed"),
        ({}, [Odd(2)], "how should odd be reached"),
    ],
)
def test_a_method_that_cannot_be_is_refused(given: dict[str, Any], models: list[Any], cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        method_of(job(**given), models)


def test_no_k_is_larger_than_the_graph() -> None:
    check_size(KDegree(2), PAIR.nodes, "graph", "node")
    check_size(EdgeDifferentialPrivacy("1", k=9), PAIR.nodes, "graph", "node")  # type: ignore[arg-type]
    with pytest.raises(
        BadParameter, match="k=3 is larger than the graph, which has 2 nodes; choose a smaller k"
    ):
        check_size(KDegree(3), PAIR.nodes, "graph", "node")
    with pytest.raises(BadParameter, match="which has 1 node;"):
        check_size(KDegree(3), 1, "graph", "node")


def test_a_release_in_memory_has_a_record_and_an_object_none() -> None:
    release = GraphRelease(PAIR, 1, "naive", guarantees={"epsilon": 1.0})
    found = manifest_of(VerifyGraph(data=release))
    assert found is not None and found.guarantees == {"epsilon": 1.0}
    assert manifest_of(VerifyGraph(data=PAIR)) is None and manifest_of(VerifyGraph(data="-")) is None
