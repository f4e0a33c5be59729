"""Tables of Spark, by address, as the private rows of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter
from shoal.engines.address import Address, address_of
from shoal.engines.spark_engine import SparkEngine
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.stores.spark_store import SparkStore


def spark_tables(sources: Mapping[str, Any]) -> dict[str, Address]:
    """The addresses of tables in Spark: of all sources, or none; other engines are refused in a sentence."""
    found = {name: address_of(source) for name, source in sources.items()}
    there = {name: address for name, address in found.items() if address is not None}
    for name, address in there.items():
        if address.kind == "postgresql":
            raise BadParameter(
                f"the table '{name}' is in PostgreSQL; ask it through a project file, with postgres = true "
                "in its table"
            )
        if address.kind != "spark":
            raise BadParameter(f"{address} cannot be asked as it is; give '{name}' as a file, or in Spark")
        if address.frame is not None:
            raise BadParameter(
                f"'{name}' is a frame of Spark, whose rows may be another at every question; save it as a "
                "table and name that"
            )
    if there and len(there) < len(found):
        others = ", ".join(name for name in found if name not in there)
        raise BadParameter(f"{', '.join(there)} is in Spark and {others} is not; bring them into one place")
    return there


class SparkSource:
    """A connection to Spark that stays open as long as somebody asks it."""

    def __init__(self, tables: Mapping[str, Address]) -> None:
        self._tables = dict(tables)
        self._engine: SparkEngine | None = None
        self._open = 0

    def frames(self) -> dict[str, pl.DataFrame]:
        """Names and types of the columns, and no rows."""
        engine = self._connected()
        return {
            name: pl.DataFrame(schema=dict(engine.schema(engine.table(address))))
            for name, address in self._tables.items()
        }

    def store(self, dataset: Dataset) -> SparkRows:
        """The rows as questions may see them."""
        engine = self._connected()
        names = {name: _name_of(address, engine) for name, address in self._tables.items()}
        self._open += 1
        return SparkRows(self, dataset, engine.session, names)

    def close(self) -> None:
        """One asks no more; the last one closes the connection."""
        self._open -= 1
        if self._open <= 0 and self._engine is not None:
            self._engine.close()
            self._engine = None

    def _connected(self) -> SparkEngine:
        if self._engine is None:
            self._engine = SparkEngine(list(self._tables.values()))
        return self._engine


class SparkRows(SparkStore):
    """The rows of a source; whoever closes the last of them closes the connection."""

    def __init__(self, source: SparkSource, *given: Any) -> None:
        super().__init__(*given)
        self._source: SparkSource | None = source

    def append(self, name: str, rows: Any) -> None:
        """Refused: nothing is written there."""
        raise BadParameter(f"the rows of '{name}' are in Spark; add to them there")

    def close(self) -> None:
        super().close()
        if self._source is not None:
            self._source.close()
            self._source = None


def _name_of(address: Address, engine: SparkEngine) -> str:
    """The table as SQL names it in any session; files by their path."""
    if address.path:
        path = address.path.replace("`", "``")
        return f"parquet.`{path}`"
    return engine.sql(engine.table(address))
