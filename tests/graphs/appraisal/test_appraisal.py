"""All figures about a graph at once."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

from graphs.measures.builders import all_graphs, graph_of, random_graph, skewed_graph
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome
from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.graph import Edges, Graph


def strict(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


def changed(graph: Graph) -> Graph:
    """With one edge less and one more."""
    edges = graph.edge_list()
    taken = Edges(edges.sources[:1], edges.targets[:1])
    missing = next((0, other) for other in range(1, graph.nodes) if not graph.has(0, other))
    added = Edges(np.array([missing[0]], np.int32), np.array([missing[1]], np.int32))
    return graph.with_edges(added, taken)


def test_every_graph_of_four_has_figures_and_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for graph in all_graphs(4):
            found = appraise(graph, graph)
            assert isinstance(found, Outcome)
            document = json.loads(json.dumps(found.to_json()), parse_constant=strict)
            before = document["before"]
            assert {name: document[name] for name in before} == before
            assert document["overlap"] == 1 and document["added"] == document["removed"] == 0
            for rows in found.to_tables().values():
                assert len({len(row) for row in rows}) == 1


def test_nobody_one_person_and_strangers_have_defined_figures() -> None:
    for nodes in (0, 1, 7):
        document = appraise(graph_of(nodes, [])).to_json()
        assert (document["nodes"], document["edges"], document["density"]) == (nodes, 0, 0)
        assert document["clustering"] == {"cc": 0, "cc1": 0, "cc2": 0}
        assert document["average_path_length"] == document["average_path_length_reachable"] == 0
        assert document["diameter"] == 0 and document["power_law_exponent"] is None
        assert document["anonymity"] == {"degree": nodes, "neighbourhood": nodes, "refinement": nodes}
        assert document["notes"] == []


def test_the_original_stands_beside_the_release() -> None:
    original = skewed_graph(60, 150, 1)
    found = appraise(changed(original), original)
    document = found.to_json()
    assert (document["added"], document["removed"]) == (1, 1)
    assert document["overlap"] == pytest.approx(1 - 1 / original.edges)
    assert found.before == appraise(original).figures
    rows = {row[0]: row[1:] for row in found.to_tables()["figures"]}
    assert rows["edges"] == [str(original.edges), str(original.edges), "0"]
    assert rows["clustering, all people (cc)"][2].startswith(("+", "-"))
    assert {row[0]: row[1] for row in found.to_tables()["what was changed"]}["edges added"] == "1"


def test_without_an_original_nothing_is_compared() -> None:
    found = appraise(graph_of(3, [(0, 1)]))
    assert "before" not in found.to_json() and "added" not in found.to_json()
    assert found.to_tables()["figures"][0] == ["figure", "value"]


def test_a_sample_gives_ends_and_says_what_they_are() -> None:
    graph = random_graph(300, 900, 1)
    found = appraise(graph, sample=20, seed=1)
    document = found.to_json()
    assert set(document["average_path_length"]) == {"value", "low", "high"}  # type: ignore[arg-type]
    assert set(document["clustering"]["cc1"]) == {"value", "low", "high"}  # type: ignore[arg-type, call-overload, index]
    assert any("95 % interval" in note for note in found.notes)
    assert appraise(graph, sample=20, seed=1) == found
    assert appraise(graph, exact=True).notes == ()


def test_bounds_of_a_diameter_are_told_from_intervals() -> None:
    circle = graph_of(400, [(at, (at + 1) % 400) for at in range(400)])
    found = appraise(circle, sample=3)
    assert any("for certain" in note for note in found.notes)
    assert not found.figures.diameter.exact


def test_direction_is_left_aside_and_said_so() -> None:
    graph = Graph.of_edges(3, [0, 1, 1], [1, 0, 2], directed=True)
    found = appraise(graph)
    assert found.figures.edges == 2
    assert any("direction was left aside" in note for note in found.notes)
    assert graph.directed


def test_people_on_one_side_only_are_said() -> None:
    found = appraise(graph_of(5, [(0, 1)]), graph_of(3, [(0, 1)]))
    assert any("2 people are only in the release" in note for note in found.notes)


def test_progress_ends_before_the_last_part_and_names_each() -> None:
    heard: list[tuple[int, int, str]] = []
    appraise(
        graph_of(3, [(0, 1)]),
        graph_of(3, []),
        follow=lambda done, steps, part: heard.append((done, steps, part)),
    )
    assert [done for done, _, _ in heard] == list(range(15))
    assert {steps for _, steps, _ in heard} == {15}


def test_nothing_is_altered() -> None:
    graph = skewed_graph(60, 150, 1)
    offsets, targets = graph.offsets.copy(), graph.targets.copy()
    appraise(graph, changed(graph))
    assert (graph.offsets == offsets).all() and (graph.targets == targets).all()


@pytest.mark.parametrize("given", [{"exact": True, "sample": 9}, {"sample": 1}, {"x_min": -2}, {"seed": -1}])
def test_nonsense_is_refused_before_any_work(given: dict[str, int]) -> None:
    heard: list[str] = []
    with pytest.raises(BadParameter):
        appraise(graph_of(3, []), follow=lambda *told: heard.append(told[2]), **given)  # type: ignore[arg-type]
    assert not heard


def test_the_degrees_are_drawn() -> None:
    assert appraise(graph_of(3, [(0, 1)])).to_chart()["mark"]["type"] == "line"
