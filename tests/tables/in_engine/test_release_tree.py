"""Rows become what their distinct row became; those left out are left out, and so is who came later."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from engine_places import Place
from shoal.engines.sql_engine import connect
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.in_engine.distinct_rows import distinct_rows
from shoal.tables.in_engine.release_tree import release_tree
from shoal.tables.table import Table

FRAME = pl.DataFrame({"age": [1, 1, 2, None], "zip": ["a", "a", "b", None], "ill": ["x", "y", "z", "w"]})


def hierarchy(values: pl.Series) -> Hierarchy:
    return suggest(values, values.name).hierarchy


def test_rows_get_the_labels_of_their_distinct_row(place: Place) -> None:
    source = place.source(FRAME)
    labels = {1: "young", None: None}
    with connect([source]) as engine:
        rows = engine.table(source)
        found = distinct_rows(engine, rows, ["age", "zip"], [], hierarchy)
        kept = found.frame.filter(pl.col("age").is_null() | (pl.col("age") == 1))
        told = kept.with_columns(pl.Series("age", [labels[age] for age in kept["age"]], dtype=pl.String))
        weights = np.ones(kept.height, np.int64)
        released = replace(Table(told, quasi=("age", "zip")), weights=weights, sources=kept)
        out = engine.frame(release_tree(engine, rows, found, released, ["zip", "age", "ill"], FRAME))
    assert out.columns == ["zip", "age", "ill"]
    assert sorted(out.rows(), key=str) == sorted(
        [("a", "young", "x"), ("a", "young", "y"), (None, None, "w")], key=str
    )
