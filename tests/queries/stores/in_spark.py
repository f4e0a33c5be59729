"""Frames as tables of Spark, for tests."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NUMBERS = itertools.count()


def as_tables(session: SparkSession, folder: Path, frames: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Every frame as a Parquet table in a database of its own; their names in Spark, by name."""
    database = f"made_{next(_NUMBERS)}"
    session.sql(f"CREATE DATABASE {database}")
    return {name: add(session, folder, database, name, frame) for name, frame in frames.items()}


def add(session: SparkSession, folder: Path, database: str, name: str, frame: pl.DataFrame) -> str:
    """One frame as a Parquet table, in the place of what was there; its name."""
    place = folder / database / name
    place.mkdir(parents=True, exist_ok=True)
    for old in place.iterdir():
        old.unlink()
    frame.write_parquet(place / f"part-{next(_NUMBERS)}.parquet")
    session.sql(f"CREATE TABLE IF NOT EXISTS {database}.`{name}` USING parquet LOCATION '{place}'")
    return f"{database}.`{name}`"
