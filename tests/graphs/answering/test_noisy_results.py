"""Answers become JSON and text, with cost and what is public."""

import json
from fractions import Fraction
from typing import Any

import numpy as np

from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.edge_count import EdgeCount
from shoal.graphs.mechanisms.triangles.triangles import Triangles

ONE = Fraction(1)
GRAPH = Graph.of_edges(30, np.arange(29), np.arange(1, 30))


def test_every_answer_is_an_outcome_that_says_its_cost_and_what_is_public() -> None:
    mechanisms = [
        EdgeCount(ONE),
        EdgeCount(ONE, neighbours="node", bound=3),
        DegreeSequence(ONE),
        DegreeHistogram(ONE),
        DegreeHistogram(ONE, neighbours="node", bound=3),
        Triangles(ONE, k=2),
    ]
    for mechanism in mechanisms:
        told: Any = mechanism.release(GRAPH)
        document = told.to_json()
        assert json.loads(json.dumps(document, allow_nan=False)) == document
        assert document["mechanism"] and "public" in document
        assert document["cost"]["epsilon"] == 1
        rows = told.to_tables()["answer"]
        assert any(row[0] == "cost" and "ε = 1" in row[1] for row in rows)


def test_an_error_that_would_tell_of_the_graph_is_null() -> None:
    document = Triangles(ONE).release(GRAPH).to_json()
    assert document["error"] is None and document["interval"] is None
    assert ["expected error", "–"] in Triangles(ONE).release(GRAPH).to_tables()["answer"]
    counted = EdgeCount(ONE).release(GRAPH)
    assert counted.low is not None and counted.high is not None
    assert counted.low <= counted.value <= counted.high


def test_a_long_histogram_is_cut_in_text_and_whole_in_json() -> None:
    sizes = np.repeat(np.arange(1, 31), 2)
    ends = np.repeat(np.arange(60), sizes)
    graph = Graph.of_edges(60 + len(ends), ends, 60 + np.arange(len(ends)))
    told = DegreeHistogram(Fraction(1000), bound=40).release(graph)
    rows = told.to_tables()["people by degree"]
    assert len(rows) == 22 and rows[-1][0] == "…"
    assert len(told.to_json()["counts"]) == 41  # type: ignore[arg-type]
    assert DegreeSequence(ONE).release(Graph.of_edges(0, [], [])).to_tables()["answer"]
