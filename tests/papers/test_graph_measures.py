"""Figures about graphs that were published, to their digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.appraisal.degrees import Degrees
from shoal.graphs.graph import Graph
from shoal.graphs.measures.edge_disclosure import EdgeDisclosure
from shoal.graphs.measures.identity_disclosure import IdentityDisclosure
from shoal.graphs.measures.refinement_anonymity import RefinementAnonymity

DATA = Path(__file__).parents[3] / "shared" / "data" / "graphs"

# Zachary, "An information flow model for conflict and fission in small groups", 1977: who met whom.
KARATE = """0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-10 0-11 0-12 0-13 0-17 0-19 0-21 0-31 1-2 1-3 1-7 1-13 1-17 1-19
1-21 1-30 2-3 2-7 2-8 2-9 2-13 2-27 2-28 2-32 3-7 3-12 3-13 4-6 4-10 5-6 5-10 5-16 6-16 8-30 8-32 8-33 9-33
13-33 14-32 14-33 15-32 15-33 18-32 18-33 19-33 20-32 20-33 22-32 22-33 23-25 23-27 23-29 23-32 23-33 24-25
24-27 24-31 25-31 26-29 26-33 27-33 28-31 28-33 29-32 29-33 30-32 30-33 31-32 31-33 32-33"""


def drawn(text: str, names: str | None = None) -> Graph:
    pairs = [pair.split("-") for pair in text.split()]
    place = {name: at for at, name in enumerate(names or "")}
    ends = np.array([[place[end] if names else int(end) for end in pair] for pair in pairs])
    return Graph.of_edges(int(ends.max()) + 1, ends[:, 0], ends[:, 1])


def stored(name: str) -> Graph:
    if not (DATA / f"{name}.csv").exists():
        pytest.skip(f"the graph {name} is not on this machine")
    edges = pl.read_csv(DATA / f"{name}.csv", has_header=False).to_numpy()
    labels, places = np.unique(edges, return_inverse=True)
    places = places.reshape(edges.shape)
    return Graph.of_edges(len(labels), places[:, 0], places[:, 1])


def test_figure_7_2_three_candidates_and_one_sure_edge() -> None:
    # A, B and D have two friends each, C has three, and all three know C.
    graph = drawn("A-C B-C D-C A-B D-E", "ABCDE")
    assert graph.degrees.tolist() == [2, 2, 3, 2, 1]
    found = EdgeDisclosure().measure(graph)
    assert found.highest == 1.0
    assert (found.certain, found.hidden, found.edges) == (1, 1, 3)
    # Whoever looks for Alice by her two friends is still left with three people.
    assert np.bincount(graph.degrees)[2] == 3
    assert IdentityDisclosure().measure(graph).mean == 3 / 5


def test_figure_7_3_the_degrees_of_four_people() -> None:
    graph = drawn("A-B A-C A-D B-D", "ABCD")
    assert graph.degrees.tolist() == [3, 2, 1, 2]
    assert Degrees.of(graph).values == (1, 2, 3)


def test_hay_2008_vertex_refinement_of_the_example_graph() -> None:
    # Figure 1 of the paper, Alice to Harry: H1 leaves {A, C}, {B, D, E, G} and {F, H}; H2 parts Bob and Greg
    # from Dave and Ed, and no further question tells more.
    graph = drawn("A-B B-C B-D B-E D-E D-F D-G E-G E-H F-G G-H", "ABCDEFGH")
    assert graph.degrees.tolist() == [1, 4, 1, 4, 4, 2, 4, 2]
    found = RefinementAnonymity().measure(graph)
    assert [one.classes for one in found.queries] == [1, 3, 5]
    assert [one.level for one in found.queries] == [8, 2, 1]
    assert found.last.alone == 2 / 8 and found.settled


def test_the_karate_club() -> None:
    found = appraise(drawn(KARATE)).figures
    assert (found.nodes, found.edges) == (34, 78)
    assert found.clustering.cc.value == pytest.approx(0.5706, abs=5e-5)
    assert found.clustering.cc1.value == pytest.approx(0.2557, abs=5e-5)
    assert found.diameter.value == 5
    assert found.paths.average.value == pytest.approx(2.4082, abs=5e-5)
    assert found.density == pytest.approx(0.139, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "diameter", "path", "cc"),
    [
        ("power", 46, 18.99, 0.0801),  # Watts & Strogatz 1998 give 18.7 and 0.08
        ("facebook_combined", 8, 3.6925, 0.6055),
        ("wiki-Vote", 7, 3.2475, 0.1409),
        ("ca-GrQc", 17, 6.0485, 0.5297),
    ],
)
def test_published_networks(name: str, diameter: int, path: float, cc: float) -> None:
    found = appraise(stored(name)).figures
    assert found.diameter.value == diameter
    assert found.paths.reachable.value == pytest.approx(path, abs=5e-3)
    assert found.clustering.cc.value == pytest.approx(cc, abs=2e-4)
