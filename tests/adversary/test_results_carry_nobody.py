"""Whoever gets a result object, or only its print or its pickle, learns nothing beyond what is released."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import catalog
from shoal.graphs.release import GraphRelease
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.release import TableRelease

NOISE = {
    "noisy-counts": ("noisy-counts(epsilon=4)", "differential-privacy(epsilon=4)"),
    "sampled-generalisation": (
        "sampled-generalisation(beta=0.4,k=2,epsilon=1)",
        "differential-privacy(epsilon=1,delta=0.9)",
    ),
    "synthetic": ("synthetic", "differential-privacy(epsilon=4)"),
    "retention": ("retention(rho=0.2)", "d-gamma-privacy(d=0.0001,gamma=0.9)"),
}
TABLE_METHODS = [
    name for name in catalog.names("method") if "tables" in catalog.find("method", name).__module__
]
GRAPH_METHODS = [
    name for name in catalog.names("method") if "graphs" in catalog.find("method", name).__module__
]
LEAVES = [f"original-value-of-somebody-{letter}" for letter in "abcdefgh"]
HIERARCHY = Hierarchy.of_levels([LEAVES, [f"group-{place // 2}" for place in range(8)]])
AGES = [str(age) for age in range(20, 28)]


def shown(result: Any) -> str:
    """All that a result tells by itself: printed, pickled, in a notebook, copied, taken apart."""
    parts = [repr(result), str(result), f"{result!s:>5}"]
    for state in (result, copy.copy(result), copy.deepcopy(result)):
        parts.append(pickle.dumps(state).decode("latin-1"))
    parts.append(pickle.dumps(result, protocol=0).decode("latin-1"))
    if hasattr(result, "_repr_html_"):
        parts.append(result._repr_html_())
    parts += texts(asdict(result))
    parts += texts(result)
    return "\n".join(parts)


def texts(value: Any, seen: set[int] | None = None) -> Iterable[str]:
    """Every text that can be reached through attributes and items."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, str):
        yield value
    elif isinstance(value, pl.DataFrame | pl.Series):
        frame = value if isinstance(value, pl.DataFrame) else value.to_frame()
        yield " ".join([*frame.columns, *map(str, frame.schema.values())])
        yield repr(frame.rows())
    elif isinstance(value, np.ndarray):
        yield repr(value.tolist())
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts(key, seen)
            yield from texts(inner, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from texts(inner, seen)
    elif hasattr(value, "__dict__"):
        yield from texts(vars(value), seen)
        if is_dataclass(value):
            for field in fields(value):
                yield from texts(getattr(value, field.name), seen)


@st.composite
def people(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(12, 30))
    few = st.sampled_from(range(8))
    places = draw(st.lists(few, min_size=rows, max_size=rows))
    ages = draw(st.lists(few, min_size=rows, max_size=rows))
    ills = draw(st.lists(st.sampled_from(["flu", "gout", "none"]), min_size=rows, max_size=rows))
    return pl.DataFrame(
        {
            "name": [f"identifier-of-person-number-{row:03}" for row in range(rows)],
            "place": [LEAVES[place] for place in places],
            "age": [AGES[age] for age in ages],
            # One person has an illness that nobody else has, and everybody an insensitive note.
            "ill": [*ills[1:], "illness-that-one-person-alone-has"],
            "note": [f"a-note-that-is-one-persons-{row:03}" for row in range(rows)],
        }
    )


def markers(frame: pl.DataFrame) -> set[str]:
    return {str(value) for column in frame for value in column.unique() if len(str(value)) > 12}


def protected(frame: pl.DataFrame, method: str, **more: Any) -> TableRelease:
    spelling, model = NOISE.get(method, (method, "k-anonymity(k=2)"))
    asked: dict[str, Any] = {"model": model, "suppress": 0.4, **more}
    if method in NOISE:
        del asked["suppress"]
        ill = Hierarchy.of_levels([[*sorted({"flu", "gout", "none"}), "illness-that-one-person-alone-has"]])
        asked["hierarchy"] = {"place": HIERARCHY, "age": _years(), "ill": ill}
    return shoal.protect(
        frame,
        **{
            "identifier": "name",
            "quasi": "place,age",
            "sensitive": "ill",
            "insensitive": "note",
            "hierarchy": {"place": HIERARCHY},
            "method": spelling,
            **asked,
        },
    )


def _years() -> Hierarchy:
    return Hierarchy.of_levels([AGES, ["20-23"] * 4 + ["24-27"] * 4])


@pytest.mark.parametrize("method", TABLE_METHODS)
@settings(max_examples=12)
@given(frame=people())
def test_a_release_of_a_table_holds_what_is_released_and_nothing_else(
    method: str, frame: pl.DataFrame
) -> None:
    try:
        release = protected(frame, method)
    except shoal.Unreachable:
        return
    told = shown(release)
    for secret in markers(frame) - markers(release.table.frame):
        assert secret not in told
    assert "identifier-of-person" not in told


def crowd() -> pl.DataFrame:
    rows = 24
    return pl.DataFrame(
        {
            "name": [f"identifier-of-person-number-{row // 2:03}" for row in range(rows)],
            "place": [LEAVES[row % 7] for row in range(rows)],
            "age": [AGES[row % 3] for row in range(rows)],
            "ill": [*(["flu", "gout"] * (rows // 2))[:-1], "illness-that-one-person-alone-has"],
            "note": [f"a-note-that-is-one-persons-{row:03}" for row in range(rows)],
        }
    )


def test_columns_that_models_count_and_populations_stay_in_the_process() -> None:
    frame = crowd()
    everybody = pl.concat(
        [frame, frame.with_columns(name=pl.lit("identifier-of-somebody-else-entirely"))], how="vertical"
    )
    release = protected(
        frame,
        "optimal",
        model=["multir-k-anonymity(k=2,person=name)", "delta-presence(low=0,high=0.9)"],
        population=everybody.select("name", "place", "age"),
    )
    told = shown(release)
    assert "identifier-of" not in told
    for secret in markers(frame) - markers(release.table.frame):
        assert secret not in told
    # In this process both can still be checked; elsewhere the one that counts people cannot.
    here = shoal.verify(release)
    assert here.holds and [promise.holds for promise in here.promises] == [True, True]
    there = pickle.loads(pickle.dumps(release))
    verdict = shoal.verify(there, model="multir-k-anonymity(k=2,person=name)")
    assert [promise.holds for promise in verdict.promises] == [None]
    assert "cannot be checked" in verdict.notes[0]


def test_the_distribution_that_t_closeness_compares_with_is_public_and_no_other_is() -> None:
    frame = crowd()
    unsure = protected(frame, "optimal", model="l-diversity(l=2)", suppress=0.5)
    assert not unsure.domains
    close = protected(frame, "optimal", model="t-closeness(t=0.9)", suppress=0.5)
    assert set(close.domains) == {"ill"} and close.domains["ill"].totals.sum() == frame.height


def test_a_column_of_categories_does_not_bring_along_those_of_suppressed_rows() -> None:
    frame = crowd().with_columns(pl.col("note").cast(pl.Enum(crowd()["note"])))
    table = shoal.Table(frame, ("name",), ("place", "age"), ("ill",), {"place": HIERARCHY, "age": _years()})
    release = shoal.protect(table, k=2, suppress=0.5, insensitive="note")
    told = shown(release)
    for secret in markers(crowd()) - markers(release.table.frame):
        assert secret not in told


@pytest.mark.parametrize("ending", ["arrow", "parquet", "csv"])
def test_a_file_of_a_release_has_no_text_of_a_suppressed_row_in_any_corner(
    ending: str, tmp_path: Path
) -> None:
    frame = crowd()
    release = protected(frame, "optimal", suppress=0.5, output=tmp_path / f"out.{ending}")
    assert release.suppressed, "the test needs somebody to look for"
    written = (tmp_path / f"out.{ending}").read_bytes().decode("latin-1")
    for secret in markers(frame) - markers(release.table.frame):
        assert secret not in written


def test_a_release_that_was_pickled_can_be_checked_measured_attacked_and_written(tmp_path: Path) -> None:
    frame = crowd()
    release = protected(frame, "optimal", model=["k-anonymity(k=2)", "t-closeness(t=0.9)"])
    back: TableRelease = pickle.loads(pickle.dumps(release))
    assert back.table.frame.equals(release.table.frame) and back.promises == release.promises
    assert shoal.verify(back).to_json() == shoal.verify(release).to_json()
    assert shoal.measure(back).to_json() == shoal.measure(release).to_json()
    found = shoal.attack(back, "linkage", external=frame.select("name", "age"), quasi="age")
    assert found.rate.targets == frame.height
    document, told = back.to_json(), release.to_json()
    # An exact loss confirms a guess at the original, so a pickle has those alone that follow from the rows.
    assert set(document.pop("losses")) == {"discernibility", "average_class_size"}  # type: ignore[arg-type]
    for figure in ("losses", "notes", "seconds", "tried"):
        told.pop(figure), document.pop(figure, None)
    assert document == told and json.dumps(document)
    assert back.to_tables()["promises"] == release.to_tables()["promises"]
    back.table.frame.write_csv(tmp_path / "out.csv")
    assert shoal.verify(tmp_path / "out.csv", quasi="place,age", k=2).holds


def test_neither_a_notebook_nor_a_pickle_has_a_figure_that_confirms_a_guess() -> None:
    """Of the losses those go along that follow from the rows; a remark may count what nobody else has."""
    release = protected(crowd(), "auto", step=["noise(column=age)"], hierarchy={"place": HIERARCHY})
    assert release.tried and any("changed" in note for note in release.notes)
    page, back = release._repr_html_(), pickle.loads(pickle.dumps(release))
    for name in ("loss", "precision", "entropy"):
        assert f"{release.losses[name]:,.6g}" not in page
    assert "tried by auto" not in page and "release.losses" in page
    assert not back.notes and not back.tried and not back.seconds


def test_neither_a_notebook_nor_a_pickle_of_a_graph_tells_of_its_degrees_or_columns(tmp_path: Path) -> None:
    lines = [f"{one},{two},7" for one, two in friends(False).edges]
    (tmp_path / "graph.csv").write_text("\n".join(["source,target,salary", *lines]))
    release: GraphRelease = shoal.protect(shoal.read_graph(tmp_path / "graph.csv"), model="k-degree(k=4)")
    assert release.details["least_degree_change"] and release.bound
    told = pickle.dumps(release).decode("latin-1") + release._repr_html_()
    assert "least" not in told and "fewest edges" not in told and "salary" not in told


def test_a_release_made_from_another_keeps_what_is_apart_and_other_rows_do_not_get_it() -> None:
    from dataclasses import replace

    release = protected(crowd(), "optimal")
    assert release.noted(["a remark"]).known_here().hierarchies["place"] is HIERARCHY
    fewer = replace(release, table=release.table.with_frame(release.table.frame[:5]))
    assert fewer.known_here() is fewer.table and not fewer.table.hierarchies


def friends(labels: bool) -> networkx.Graph:
    graph = networkx.gnm_random_graph(24, 50, seed=3)
    return (
        networkx.relabel_nodes(graph, {n: f"name-of-friend-number-{n:03}" for n in graph})
        if labels
        else graph
    )


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_a_release_of_a_graph_holds_no_name_and_no_mapping(method: str) -> None:
    model = {
        "neighbourhood": "k-neighbourhood(k=2)",
        "grouping": "k-grouping(k=2)",
        "noisy-degrees": "edge-differential-privacy(epsilon=4)",
    }.get(method, "k-degree(k=2)")
    asked: dict[str, Any] = {"model": "k-degree(k=1)" if method == "naive" else model}
    release: GraphRelease = shoal.protect(shoal.read_graph(friends(True)), method=method, **asked)
    assert "name-of-friend" not in shown(release)
    back = pickle.loads(pickle.dumps(release))
    assert back.mapping is None and back.bound is None
    assert (back.nodes, back.edges) == (release.nodes, release.edges)
    assert back.added is None and back.removed is None
    inside = dict.fromkeys(("added", "removed", "bound", "details", "notes", "seconds"), 0)
    assert {**back.to_json(), **inside} == {**release.to_json(), **inside}
    assert (
        shoal.verify(back, **asked).to_json()["models"] == shoal.verify(release, **asked).to_json()["models"]
    )


def test_who_is_who_is_still_told_to_the_owner_in_the_process() -> None:
    release = shoal.protect(shoal.read_graph(friends(True)), k=2)
    assert release.mapping is not None
    assert set(release.mapping["original"]) == set(friends(True))
    assert shoal.measure(release, original=friends(True)).to_json()


def test_a_finding_names_people_only_where_it_is_asked_to() -> None:
    frame = crowd()
    found = shoal.attack(
        frame, "linkage", external=frame.select("name", "place", "age"), quasi="place,age", show=0
    )
    assert len(found.findings) > 0 and "identifier-of-person" in json.dumps(found.to_json())
    assert "identifier-of-person" not in repr(found) and f"{found.rate.hits:,}" in repr(found)


def test_an_inspection_tells_of_columns_and_no_value() -> None:
    told = shown(shoal.inspect(crowd()))
    for secret in markers(crowd()):
        assert secret not in told
