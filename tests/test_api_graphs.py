"""What a Python user calls for graphs alone."""

from pathlib import Path

import pytest

import shoal

RING = shoal.Graph.of_edges(6, list(range(6)), [1, 2, 3, 4, 5, 0])


def test_groups_are_read_again_and_graphs_drawn_from_them(tmp_path: Path) -> None:
    place = tmp_path / "groups.csv"
    release = shoal.protect(RING, model="k-grouping(k=3)", output=place, seed=1)
    groups = shoal.read_groups(place)
    assert groups.nodes == 6 and groups.edges == release.edges == 6
    assert groups.sample(seed=1).edges == 6
    with pytest.raises(shoal.BadInput, match="groups, not people"):
        shoal.read_graph(place)
    with pytest.raises(shoal.BadInput, match="people, not groups"):
        shoal.read_groups(RING)


def test_a_question_about_a_graph_costs_what_it_says() -> None:
    answer = shoal.ask_graph(RING, "edge-count(epsilon=0.5)", directed=False)
    assert answer.spent["epsilon"] == 0.5
    with pytest.raises(shoal.BadInput, match=r"no 'leger' \(did you mean 'ledger'\?\); ask takes"):
        shoal.ask_graph(RING, "edge-count(epsilon=0.5)", leger="x")  # type: ignore[call-arg]
