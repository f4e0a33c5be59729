"""The scene of an attack on a graph, from files and objects."""

from pathlib import Path
from typing import Any

import networkx
import polars as pl
import pytest

import shoal
from graphs.drawn import power_law
from shoal.core.errors import BadInput
from shoal.graphs.graph import Graph
from shoal.jobs.graphs.attack import scene_of
from shoal.jobs.graphs.requests import AttackGraph

NETWORK = power_law(60, 200, 3)
PEOPLE = Graph.of_edges(4, [0, 0, 0, 1], [1, 2, 3, 2], labels=pl.Series(["Ann", "Bob", "Cid", "Dee"]))


def scene(data: Any, **words: Any) -> Any:
    return scene_of(AttackGraph(data=data, attack="degree", **words))


def test_a_release_in_memory_knows_who_is_who() -> None:
    release = shoal.protect(PEOPLE, method="naive", seed=1)
    found = scene(release, original=PEOPLE)
    assert not found.adds and not found.removes
    assert set(found.truth["original"]) == {"Ann", "Bob", "Cid", "Dee"}


def test_a_file_with_random_labels_needs_the_truth(tmp_path: Path) -> None:
    place, who = tmp_path / "out.csv", tmp_path / "who.csv"
    shoal.protect(PEOPLE, method="naive", output=place, mapping=who, seed=1)
    blind = shoal.attack(place, "degree", original=PEOPLE)
    assert blind.wrong is None and all("node" in told["who"] for told in blind.findings)  # type: ignore[operator]
    told = shoal.attack(place, "degree", original=PEOPLE, truth=who)
    assert told.wrong == 0 and [one["who"] for one in told.findings] == [{"name": "Ann"}, {"name": "Dee"}]


def test_labels_that_were_kept_tell_who_is_who(tmp_path: Path) -> None:
    place = tmp_path / "out.csv"
    shoal.protect(NETWORK, k=5, output=place, labels="keep", seed=1)
    found = scene(place, original=NETWORK)
    assert found.adds and not found.removes and found.truth.height == 60
    assert shoal.attack(place, "degree", original=NETWORK).rate.hits == 0


def test_nodes_that_stand_for_nobody_are_nobody() -> None:
    release = shoal.protect(NETWORK, model="edge-differential-privacy(epsilon=1)")
    found = shoal.attack(release, "degree", original=NETWORK)
    assert found.rate.hits == 0 and found.rate.targets == 60


def test_what_cannot_be_attacked_is_told_in_a_sentence() -> None:
    groups = shoal.protect(NETWORK, model="k-grouping(k=5)", seed=1)
    other = Graph.of_edges(2, [0], [1], labels=pl.Series(["Zoe", "Yan"]))
    seeds = {"original": ["Ann", "Ann"], "label": ["1", "2"]}
    mapping = pl.DataFrame({"original": ["Ann"], "label": ["1"]})
    for words, cause in (
        ({"data": groups}, "groups, not people"),
        ({"truth": mapping, "auxiliary": other}, "names nobody of the graph, such as 'Zoe'"),
        ({"truth": mapping.with_columns(label=pl.lit("x"))}, "no label of the graph"),
        ({"auxiliary": PEOPLE, "seeds": pl.DataFrame(seeds)}, "contradict each other: 'Ann'"),
        ({"auxiliary": PEOPLE, "seeds": mapping.with_columns(original=pl.lit("Zoe"))}, "'Zoe' is not in"),
        ({"auxiliary": PEOPLE, "seeds": mapping.with_columns(label=pl.lit("-7"))}, "'-7' is not in"),
        ({"auxiliary": PEOPLE, "seeds": pl.DataFrame({"a": [1]})}, "no column 'original'"),
        ({"seeds": mapping}, "give that, too"),
        ({"attack": "linkage"}, "for graphs there is coalition, degree"),
        ({"attack": None}, "no attack named"),
        ({"show": -1}, "not -1"),
    ):
        given: dict[str, Any] = {"data": NETWORK, "attack": "degree", **words}
        with pytest.raises(BadInput, match=cause):
            shoal.attack(given.pop("data"), given.pop("attack"), **given)


def test_a_release_can_be_made_again_of_another_network(tmp_path: Path) -> None:
    place = tmp_path / "out.csv"
    shoal.protect(NETWORK, k=5, output=place, labels="random", seed=1)
    found = scene(place, original=NETWORK)
    assert found.protected_by == "supergraph k-degree(k=5)"
    again = found.protect(power_law(50, 150, 1), 3)
    assert again.graph.nodes == 50 and again.places.tolist() == list(range(50))
    assert scene(NETWORK).protected_by == "naive"
    naive = scene(NETWORK).protect(PEOPLE, 3)
    moved = [naive.graph.degrees[place] for place in naive.places]
    assert moved == PEOPLE.degrees.tolist()
    drawn = scene(NETWORK, model="k-grouping(k=5)").protect(NETWORK, 3)
    assert drawn.graph.edges == NETWORK.edges and sorted(drawn.places.tolist()) == list(range(60))


def test_an_object_of_a_library_is_attacked_as_it_is() -> None:
    found = shoal.attack(networkx.star_graph(4), "degree")
    assert found.rate.hits == 1
