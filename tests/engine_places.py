"""The same rows in every engine, for tests that hold the engines to one another."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.engines.address import Address, address_of, output_address

ENGINES = ("duckdb", "folder", "postgresql", "spark")

ODD = pl.DataFrame(
    {
        "whole": [1, 2, None, 1, -(2**62)],
        "text": ["a", "", None, 'q"\n,;x', "Ä\\N"],
        "real": [0.1, float("nan"), None, float("inf"), -1e-300],
        "day": [date(2020, 2, 29), None, date(1, 1, 1), date(9999, 12, 31), date(1969, 12, 31)],
        "truth": [True, False, None, True, False],
        "moment": [datetime(2020, 1, 1, 1, 2, 3, 4), None, datetime(1969, 1, 1), datetime(2020, 1, 1), None],
        "exact": pl.Series(
            [Decimal("1.50"), None, Decimal("2.00"), Decimal("-3.25"), Decimal("0.00")],
            dtype=pl.Decimal(10, 2),
        ),
        'odd "name.': ["x", "y", "z", "x", None],
    }
)
_POSTGRES = {
    pl.Int64: "bigint",
    pl.Int32: "integer",
    pl.Float64: "double precision",
    pl.Date: "date",
    pl.Boolean: "boolean",
    pl.Datetime: "timestamp",
    pl.Decimal: "numeric(10,2)",
    pl.String: "text",
}


@dataclass(frozen=True)
class Place:
    """An engine with room for tables; `put` brings a frame there, `new` is where nothing is yet."""

    kind: str
    put: Callable[[pl.DataFrame], str]
    new: Callable[[], str]

    def source(self, frame: pl.DataFrame) -> Address:
        """The address of a frame that was brought there."""
        address = address_of(self.put(frame))
        assert address is not None
        return address

    def target(self) -> Address:
        """An address where nothing is yet."""
        address = output_address(self.new())
        assert address is not None
        return address


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Every engine in turn."""
    return place_of(request.param, request, tmp_path)


def place_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> Place:
    """One engine by its name."""
    if kind == "duckdb":
        file = folder / "people.duckdb"
        return Place(kind, lambda frame: _put_duckdb(file, frame), lambda: f"duckdb:///{file}#{_fresh()}")
    if kind == "folder":
        return Place(kind, lambda frame: _put_folder(folder, frame), lambda: f"{folder / _fresh()}/")
    if kind == "postgresql":
        url = request.getfixturevalue("postgres")
        return Place(kind, lambda frame: _put_postgres(url, frame), lambda: f"{url}#{_fresh()}")
    session = request.getfixturevalue("spark")
    return Place(kind, lambda frame: _put_spark(session, folder, frame), lambda: f"spark://#{_fresh()}")


def _fresh() -> str:
    return f"t{secrets.token_hex(6)}"


def _put_duckdb(file: Path, frame: pl.DataFrame) -> str:
    import duckdb

    name = _fresh()
    with duckdb.connect(str(file)) as connection:
        connection.register("lent", frame.to_arrow())
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM lent")
    return f"duckdb:///{file}#{name}"


def _put_folder(folder: Path, frame: pl.DataFrame) -> str:
    place = folder / _fresh()
    place.mkdir()
    half = (frame.height + 1) // 2
    for number, part in enumerate((frame[:half], frame[half:])):
        part.write_parquet(place / f"{number}.parquet")
    return str(place)


def _put_postgres(url: str, frame: pl.DataFrame) -> str:
    import psycopg
    from psycopg import sql

    name = _fresh()
    columns = [
        sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(_POSTGRES[kind.base_type()]))
        for column, kind in frame.schema.items()
    ]
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE TABLE {} ({})").format(sql.Identifier(name), sql.SQL(", ").join(columns))
        )
        with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))) as copy:
            for row in frame.iter_rows():
                copy.write_row(row)
    return f"{url}#{name}"


def _put_spark(session: Any, folder: Path, frame: pl.DataFrame) -> str:
    name = _fresh()
    session.read.parquet(_put_folder(folder, frame)).write.format("parquet").saveAsTable(name)
    return f"spark://#{name}"
