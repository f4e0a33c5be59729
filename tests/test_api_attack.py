"""What a Python user calls to attack a table or a graph."""

from pathlib import Path

import polars as pl
import pytest

import shoal

FRAME = pl.DataFrame({"age": [20, 21, 22, 40, 41, 42], "ill": ["flu", "hiv"] * 3})
STAR = shoal.Graph.of_edges(4, [0, 0, 0], [1, 2, 3])


def test_every_word_of_an_attack_is_heard() -> None:
    found = shoal.attack(FRAME, "linkage", target="age=20", quasi="age", hierarchy=None)
    assert found.rate.hits == 1


def test_the_attack_tells_what_is_attacked() -> None:
    assert shoal.attack(STAR, "degree", original=STAR, show=1, seed=3).rate.hits == 1
    assert shoal.attack(STAR, "pooled-knowledge(size=1)", seed=1).rate.targets
    with pytest.raises(shoal.BadInput, match="for graphs there is"):
        shoal.attack(STAR, "linkage")
    with pytest.raises(shoal.BadInput, match=r"a graph knows no 'truht' \(did you mean 'truth'\?\)"):
        shoal.attack(STAR, "degree", truht="who.csv")  # type: ignore[call-overload]


def test_a_path_is_a_graph_where_the_attack_is_one_on_graphs(tmp_path: Path) -> None:
    place = tmp_path / "edges.csv"
    place.write_text("source,target\n1,2\n1,3\n1,4\n", "utf-8")
    assert shoal.attack(place, "degree").rate.hits == 1
