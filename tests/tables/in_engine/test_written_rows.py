"""What a table offers is counted from the table, whatever was planned."""

from __future__ import annotations

import polars as pl

from engine_places import Place
from shoal.engines.sql_engine import connect
from shoal.tables.in_engine.written_rows import counted_frame

FRAME = pl.DataFrame({"age": [1, 1, 2, None], "zip": ["a", "a", "b", None]})


def test_a_written_table_is_grouped_anew(place: Place) -> None:
    source = place.source(FRAME)
    with connect([source]) as engine:
        frame, weights = counted_frame(engine, engine.table(source), ["age", "zip"])
    found = dict(zip(frame.rows(), weights.to_list(), strict=True))
    assert found == {(1, "a"): 2, (2, "b"): 1, (None, None): 1}
