"""Verify and measure a graph in an engine: what degrees tell, and a sentence for the rest."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.graphs.engine_figures import EngineFigures
from shoal.jobs.graphs.measure import measure_graph
from shoal.jobs.graphs.requests import MeasureGraph, VerifyGraph
from shoal.jobs.graphs.verify import verify_graph


@pytest.fixture
def ring(tmp_path: Path) -> str:
    """Six people in a ring, one of them also alone with a loop."""
    folder = tmp_path / "ring"
    folder.mkdir()
    rows = {"source": [0, 1, 2, 3, 4, 5, 5], "target": [1, 2, 3, 4, 5, 0, 5], "weight": [1] * 7}
    pl.DataFrame(rows).write_parquet(folder / "a.parquet")
    return str(folder)


def test_a_promise_is_checked_by_flags(ring: str) -> None:
    verdict = verify_graph(VerifyGraph(data=ring, k=6))
    assert verdict.holds and verdict.promises[0].level == 6
    assert [note.split(":")[0].split(" '")[0] for note in verdict.notes] == [
        "no record",
        "1 rows are loops or repeated edges, and do not count",
        "further columns were not looked at",
    ]
    assert not verify_graph(VerifyGraph(data=ring, k=7)).holds
    with pytest.raises(BadParameter, match="no promise to verify"):
        verify_graph(VerifyGraph(data=ring))
    with pytest.raises(BadParameter, match="k-neighbourhood is not checked in an engine"):
        verify_graph(VerifyGraph(data=ring, model=["k-neighbourhood(k=2)"]))


def test_degrees_are_measured_and_the_rest_is_null(ring: str) -> None:
    found = measure_graph(MeasureGraph(data=ring))
    assert isinstance(found, EngineFigures)
    told = found.to_json()
    assert told["density"] == pytest.approx(6 / 15)
    assert told["degrees"] == {"least": 2, "most": 2, "mean": 2.0, "distinct": 1}
    assert told["clustering"] is None and told["diameter"] is None
    assert ["people who share the rarest degree", "6"] in found.to_tables()["figures"]
    for asked in ({"only": ("diameter",)}, {"original": ring}, {"sample": 5}):
        with pytest.raises(BadParameter, match="needs the whole graph here"):
            measure_graph(MeasureGraph(data=ring, **asked))
    with pytest.raises(BadParameter, match="direction and kinds"):
        measure_graph(MeasureGraph(data=ring, directed=True))
