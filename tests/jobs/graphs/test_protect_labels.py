"""What nodes are called in a release."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.naive import Naive
from shoal.graphs.methods.supergraph import Supergraph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.protect import (
    GONE,
    GUESSED,
    KEPT,
    check_labels,
    label_nodes,
)
from shoal.jobs.graphs.requests import ProtectGraph

NAMES = pl.Series("label", [f"person {node}" for node in range(50)])
RING = Graph.of_edges(50, list(range(50)), [*range(1, 50), 0], labels=NAMES)
NUMBERS = Graph.of_edges(3, [0, 1], [1, 2], labels=pl.Series("label", [30, 10, 20]))


def made(graph: Graph | Grouping, **more: Any) -> GraphRelease:
    return GraphRelease(graph, 2, "supergraph", 0, 0, **more)


def job(**given: Any) -> ProtectGraph:
    return ProtectGraph(data="g.csv", **given)


def test_names_give_way_to_random_numbers() -> None:
    release = label_nodes(made(RING), job())
    assert isinstance(release.graph, Graph) and release.graph.labels is None and release.notes == (GONE,)
    assert release.mapping is not None and release.mapping["original"].to_list() == NAMES.to_list()
    assert release.mapping["label"].to_list() != list(range(50)), "1 in 50! that this is chance"
    assert release.mapping["label"].sort().to_list() == list(range(50))


@pytest.mark.parametrize("labels", [NUMBERS.labels, None])
def test_whole_numbers_give_way_too(labels: pl.Series | None) -> None:
    """A number may be one that another file has, and nobody can see which it is."""
    release = label_nodes(made(replace(NUMBERS, labels=labels)), job())
    assert isinstance(release.graph, Graph) and release.graph.labels is None and release.notes == (GONE,)
    assert release.mapping is not None and release.mapping["original"].to_list() == [
        *(labels if labels is not None else range(3))
    ]


def test_the_owner_decides() -> None:
    kept = label_nodes(made(RING), job(labels="keep"))
    assert isinstance(kept.graph, Graph) and kept.graph.names().sort().to_list() == NAMES.sort().to_list()
    assert kept.notes == (KEPT,) and kept.mapping is None and kept.graph.names().is_sorted()
    numbers = label_nodes(made(NUMBERS), job(labels="keep"))
    assert isinstance(numbers.graph, Graph) and numbers.graph.names().to_list() == [10, 20, 30]
    random = label_nodes(made(NUMBERS), job(labels="random"))
    assert random.mapping is not None and random.notes == ()


def test_a_seed_repeats_the_labels_and_is_told_to_be_a_risk() -> None:
    one, again, other = (label_nodes(made(RING), job(seed=seed)) for seed in (1, 1, 2))
    assert one.mapping is not None and again.mapping is not None and other.mapping is not None
    assert one.mapping.equals(again.mapping) and not one.mapping.equals(other.mapping)
    assert one.notes == (GONE, GUESSED)
    unseeded = label_nodes(made(RING), job()), label_nodes(made(RING), job())
    assert not unseeded[0].mapping.equals(unseeded[1].mapping)  # type: ignore[union-attr,arg-type]


def test_a_method_that_relabels_by_itself_is_left_alone() -> None:
    relabelled = Naive(seed=1).protect(RING, [], None)
    release = label_nodes(relabelled, job(seed=1, mapping="m.csv", output="o.csv"))
    assert release.mapping is relabelled.mapping and release.graph is relabelled.graph
    assert release.notes[0] == GUESSED and "keep it apart" in release.notes[1]


def test_made_up_people_have_no_names_and_groups_none_either() -> None:
    release = label_nodes(made(RING, paired=False), job(labels="keep"))
    assert isinstance(release.graph, Graph) and release.graph.labels is None
    assert "no use for --labels" in release.notes[0]
    with pytest.raises(BadParameter, match="there is no mapping"):
        label_nodes(made(RING, paired=False), job(mapping="m.csv", output="o.csv"))


def test_labels_that_cannot_be_had_are_refused_before_any_work() -> None:
    with pytest.raises(BadParameter, match="leave out --labels keep"):
        check_labels(job(labels="keep"), Naive())
    check_labels(job(mapping="m.csv", output="o.csv"), Naive())
    check_labels(job(labels="keep"), Supergraph())
