"""Every figure about one graph."""

from __future__ import annotations

import pytest

from graphs.measures.builders import graph_of, skewed_graph
from shoal.graphs.appraisal import figures_of_one_graph
from shoal.graphs.appraisal.figures_of_one_graph import PARTS, Figures, figures_of
from shoal.graphs.appraisal.sampled_measure import SampledMeasure
from shoal.graphs.graph import Graph
from shoal.graphs.measures.power_law import PowerLaw


def found(graph: Graph, effort: SampledMeasure | None = None, told: list[str] | None = None) -> Figures:
    heard = [] if told is None else told
    return figures_of(graph, effort or SampledMeasure(), PowerLaw(), heard.append)


def test_every_part_is_told_in_its_turn() -> None:
    told: list[str] = []
    found(skewed_graph(50, 120, 1), told=told)
    assert told == list(PARTS)


def test_the_document_has_the_names_of_the_contract() -> None:
    document = found(skewed_graph(50, 120, 1)).to_json()
    assert {"nodes", "edges", "density", "clustering", "average_path_length", "diameter"} <= set(document)
    assert {"average_path_length_reachable", "power_law_exponent", "anonymity"} <= set(document)
    assert set(document["clustering"]) == {"cc", "cc1", "cc2"}  # type: ignore[arg-type]
    assert isinstance(document["anonymity"]["degree"], int)  # type: ignore[call-overload, index]


def test_one_number_has_one_name_in_plain_words() -> None:
    numbers = found(graph_of(3, [(0, 1), (1, 2)])).numbers()
    assert numbers["diameter"] is not None and numbers["diameter"].value == 2
    assert numbers["power-law exponent"] is None


def test_large_graphs_go_without_neighbourhoods_unless_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures_of_one_graph, "LIMIT", 10)
    graph = skewed_graph(50, 120, 1)
    left_out = found(graph)
    assert left_out.neighbourhood is None
    assert left_out.to_json()["anonymity"]["neighbourhood"] is None  # type: ignore[call-overload, index]
    assert not any(row[0] == "neighbourhood" for row in left_out.anonymity_rows())
    assert found(graph, SampledMeasure(exact=True)).neighbourhood is not None


def test_a_long_refinement_is_shown_by_its_first_questions_and_the_last() -> None:
    path = graph_of(40, [(at, at + 1) for at in range(39)])
    rows = [row[0] for row in found(path).anonymity_rows()]
    assert rows[-6:] == [*(f"refinement H{depth}" for depth in range(5)), "refinement H19"]
