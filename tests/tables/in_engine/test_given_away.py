"""What gives a coarsened column away is found in the engine as it is found in rows that are here."""

from __future__ import annotations

import numpy as np
import polars as pl

from engine_places import Place
from shoal.engines.sql_engine import connect
from shoal.tables.discovery.dependencies import dependencies
from shoal.tables.in_engine.given_away import find_given_away_in_engine


def test_the_engine_finds_what_is_found_here(place: Place) -> None:
    chance = np.random.default_rng(0)
    rows = 2_000
    zips, half = chance.integers(0, 20, rows), chance.integers(0, 2, rows)
    frame = pl.DataFrame(
        {
            "zip": zips,
            "town": [f"t{at}" for at in zips],
            "first": (zips + 7 * half) % 20,
            "half": half,
            "noise": chance.integers(0, 20, rows),
        }
    )
    telling = ["town", "first", "half", "noise"]
    source = place.source(frame)
    with connect([source]) as engine:
        found = find_given_away_in_engine(engine, engine.table(source), ["zip"], telling, rows)
        assert not find_given_away_in_engine(engine, engine.table(source), [], telling, rows)
    here = [one for one in dependencies(frame) if one.determined == "zip" and one.determining != ("zip",)]
    assert {(one.determining, one.share) for one in found} >= {(("town",), 1.0), (("first", "half"), 1.0)}
    assert {one.determining for one in here} <= {one.determining for one in found}
    assert all("noise" not in one.determining for one in found)
