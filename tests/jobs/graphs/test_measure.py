"""Who is who when a release is measured against its original."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadGraph, BadParameter
from shoal.graphs.appraisal.appraisal import GraphAppraisal
from shoal.graphs.graph import Graph
from shoal.graphs.methods.naive import Naive
from shoal.jobs.graphs.measure import match_labels, measure_graph
from shoal.jobs.graphs.requests import MeasureGraph

NAMES = pl.Series("label", ["ann", "bob", "cyd", "dan"])
PATH = Graph.of_edges(4, [0, 1, 2], [1, 2, 3], labels=NAMES)
WHO = pl.DataFrame({"original": ["dan", "ann", "bob", "cyd"], "label": [0, 3, 1, 2]})
OTHER = Graph.of_edges(4, [3, 1, 2], [1, 2, 0])  # the same path under these numbers


def measured(graph: Any, **given: Any) -> Any:
    return measure_graph(MeasureGraph(data=graph, **given))


def test_the_mapping_tells_who_is_who() -> None:
    found = measured(OTHER, original=PATH, mapping=WHO).changes
    assert (found.kept, found.added, found.removed, found.nodes_added) == (3, 0, 0, 0)
    assert match_labels(OTHER, PATH, WHO).names().to_list() == [3, 1, 2, 0]


def test_a_mapping_on_disk_does_the_same(tmp_path: Path) -> None:
    WHO.write_csv(tmp_path / "who.csv")
    found = measured(OTHER, original=PATH, mapping=tmp_path / "who.csv").changes
    assert (found.kept, found.added, found.removed) == (3, 0, 0)


def test_a_release_in_memory_brings_its_mapping() -> None:
    release = Naive().protect(PATH, [], None)
    found = measured(release, original=PATH).changes
    assert (found.kept, found.added, found.removed) == (3, 0, 0)
    assert shoal.measure(release, original=PATH).changes == found


def test_labels_tell_it_when_they_were_kept() -> None:
    more = Graph.of_edges(5, [0, 1], [1, 4], labels=pl.Series("label", ["ann", "bob", "cyd", "dan", "eve"]))
    found = measured(more, original=PATH).changes
    assert (found.kept, found.added, found.removed, found.nodes_added) == (1, 1, 2, 1)


@pytest.mark.parametrize(
    ("mapping", "cause"),
    [
        (WHO.head(3), "does not tell who 'cyd' of the original is, and 1 nodes in all"),
        (pl.concat([WHO, WHO.head(1)]), "names somebody twice"),
        (WHO.rename({"label": "number"}), "no column 'label'; it has original, number"),
        (WHO.with_columns(label=pl.lit(None)), "or nobody"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(mapping: pl.DataFrame, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        measured(OTHER, original=PATH, mapping=mapping)


def test_graphs_that_have_nobody_in_common_are_not_compared() -> None:
    with pytest.raises(BadGraph, match="no label in common"):
        measured(OTHER, original=PATH)


def test_a_graph_alone_is_measured_too() -> None:
    seen: list[str] = []
    job = MeasureGraph(data=PATH, x_min=1)
    found = measure_graph(job, lambda _done, _whole, part: seen.append(part))
    assert isinstance(found, GraphAppraisal)
    assert found.changes is None and found.to_json()["nodes"] == 4 and seen
