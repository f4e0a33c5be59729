"""What a table offers is counted from the table, whatever is in it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.engines.address import Address
from shoal.engines.sql_engine import connect
from shoal.graphs.in_engine.written_degrees import WrittenDegrees
from shoal.graphs.models.k_degree import KDegree


def counted(frame: pl.DataFrame, folder: Path) -> WrittenDegrees:
    frame.write_parquet(folder / "a.parquet")
    source = Address("folder", str(folder))
    with connect([source]) as engine:
        return WrittenDegrees.of(engine, engine.table(source), frame.columns)


def test_loops_repeated_edges_and_people_alone_are_seen(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1, 2, 1, 3, 4, 5], "y": [2, 1, 3, 3, None, 5]})
    found = counted(frame, tmp_path)
    assert (found.nodes, found.edges, found.repeated) == (5, 2, 3)
    assert dict(zip(found.degrees, found.counts, strict=True)) == {0: 2, 1: 2, 2: 1}


@pytest.mark.parametrize("numbers", [(3, 4), (2, 40), (1, 1)])
def test_models_see_as_many_alike_as_there_are(numbers: tuple[int, int]) -> None:
    found = WrittenDegrees(sum(numbers), 0, 0, (1, 2), numbers)
    for k in (1, 2, 3, 5):
        view = found.view(k)
        assert KDegree(k).level(view) == min(numbers)
        assert bool(KDegree(k).holds(view).all()) == (min(numbers) >= k)


def test_ends_of_two_kinds_are_compared_as_text(tmp_path: Path) -> None:
    found = counted(pl.DataFrame({"x": [1, 2], "y": ["2", "3"]}), tmp_path)
    assert (found.nodes, found.edges) == (3, 2)
