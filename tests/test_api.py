"""What a Python user calls."""

from pathlib import Path

import networkx
import polars as pl
import pytest

import shoal
from shoal.core.progress import Progress
from shoal.graphs.release import GraphRelease
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity

FRAME = pl.DataFrame(
    {"age": [20, 21, 22, 40, 41, 42], "sex": ["M"] * 3 + ["F"] * 3, "ill": ["flu", "hiv"] * 3}
)


def test_five_lines_of_python() -> None:
    release = shoal.protect(FRAME, quasi="age,sex", sensitive="ill", k=3)
    assert release.released == 6 and release.optimal is True
    assert shoal.verify(release.table, k=3).holds
    assert shoal.measure(release, original=FRAME).prosecutor.highest == 1 / 3
    assert shoal.attack(FRAME, "linkage", external=FRAME, quasi="age,sex").rate.hits == 6


def test_a_table_with_roles_goes_through_every_verb() -> None:
    table = shoal.read_table(FRAME, quasi=["age", "sex"], sensitive="ill")
    assert (table.quasi, table.sensitive) == (("age", "sex"), ("ill",))
    release = shoal.protect(table, k=2)
    assert shoal.verify(release.table, model=KAnonymity(2)).holds
    assert shoal.measure(table).classes == 6
    assert list(shoal.inspect(table).columns) == ["age", "sex", "ill"]


def test_models_methods_and_hierarchies_may_be_objects() -> None:
    hierarchy = shoal.Hierarchy.of_levels([["20", "21", "22", "40", "41", "42"]])
    release = shoal.protect(
        FRAME,
        quasi=("age", "sex"),
        insensitive=["ill"],
        model=[KAnonymity(3), "k-anonymity(k=2)"],
        method=Optimal("precision", seed=3),
        hierarchy={"age": hierarchy, "sex": {"any": ["M", "F"]}},
    )
    assert release.levels == {"age": 1, "sex": 0}
    assert [promise.model for promise in release.promises] == ["k-anonymity(k=3)", "k-anonymity(k=2)"]


def test_a_long_search_can_be_watched() -> None:
    seen: list[Progress] = []
    shoal.protect(FRAME, quasi="age,sex", insensitive="ill", k=2, watch=seen.append)
    assert all(state.open >= 0 for state in seen)


def test_failures_are_one_family() -> None:
    with pytest.raises(shoal.BadInput, match="no column 'zip'"):
        shoal.protect(FRAME, quasi="zip", k=2)
    with pytest.raises(shoal.Unreachable):
        shoal.protect(FRAME, quasi="age", sensitive="ill", model="l-diversity(l=3)")
    assert issubclass(shoal.Unreachable, shoal.ShoalError)


def test_input_frames_are_never_altered() -> None:
    before = FRAME.clone()
    release = shoal.protect(FRAME, quasi="age", sensitive="ill", k=2, seed=1)
    shoal.measure(release, original=FRAME, population=FRAME)
    shoal.attack(release, "linkage", external=FRAME)
    shoal.inspect(FRAME)
    assert FRAME.equals(before) and FRAME.schema == before.schema


RING = shoal.Graph.of_edges(6, list(range(6)), [1, 2, 3, 4, 5, 0])


def test_a_graph_goes_through_the_same_verbs(tmp_path: Path) -> None:
    release = shoal.protect(RING, k=3)
    assert release.nodes == 6 and release.promises[0].level == 6
    assert shoal.verify(release, k=3).holds and shoal.verify(RING, model="k-degree(k=6)").holds
    assert shoal.measure(release, original=RING).changes is not None
    assert shoal.ask_graph(RING, "edge-count(epsilon=1)").spent["epsilon"] == 1
    place = tmp_path / "ring.txt"
    place.write_text("".join(f"{one} {(one + 1) % 6}\n" for one in range(6)), "utf-8")
    assert shoal.read_graph(place).edges == 6
    written = shoal.protect(place, model="k-degree(k=3)", output=tmp_path / "out.txt")
    assert isinstance(written, GraphRelease)
    assert shoal.verify(tmp_path / "out.txt").holds, "the manifest tells that it is a graph"
    assert (
        shoal.measure(tmp_path / "out.txt", original=place, mapping=written.mapping).to_json()["removed"] == 0
    )


def test_a_networkx_graph_goes_in_and_comes_out() -> None:
    people = networkx.Graph([("ann", "bob"), ("bob", "cyd"), ("cyd", "ann")])
    release = shoal.protect(people, k=3)
    assert set(release.to_networkx().nodes) == {0, 1, 2}, "names do not go out unless told"
    kept = shoal.protect(people, k=3, labels="keep").to_networkx()
    assert set(kept.nodes) == {"ann", "bob", "cyd"}
    assert shoal.verify(people, k=3).holds and shoal.measure(people).to_json()["edges"] == 3
    assert set(people.edges) == {("ann", "bob"), ("ann", "cyd"), ("bob", "cyd")}


def test_words_of_tables_mean_nothing_to_graphs() -> None:
    with pytest.raises(shoal.BadInput, match=r"a graph knows no 'quasi'; protect takes .*labels"):
        shoal.protect(RING, quasi="zip", k=3)
    with pytest.raises(shoal.BadInput, match="a graph knows no 'threshold'"):
        shoal.measure(RING, threshold=0.5)
    with pytest.raises(shoal.BadInput, match="'k-degree' is a model for graphs"):
        shoal.verify(shoal.read_table(FRAME, quasi="age"), model=["k-anonymity(k=1)", "k-degree(k=2)"])
