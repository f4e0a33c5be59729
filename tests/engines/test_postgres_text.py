"""Values by COPY and back: every type of Polars that has one in PostgreSQL, and the rest as text."""

from __future__ import annotations

import io
from types import SimpleNamespace

import polars as pl
from polars.testing import assert_frame_equal

from engine_places import ODD
from shoal.engines.postgres_text import csv, parts, sql_type, type_of, typed


def test_what_is_sent_comes_back_as_it_was() -> None:
    names = ["whole", "text", "real", "day", "exact"]
    rows = ODD.select(names)
    sent = csv(rows, "MARK").replace(b"MARK", b"MARK")
    assert b"MARK" in sent
    assert_frame_equal(typed(sent, dict(rows.schema), "MARK"), rows)


def test_truth_and_moments_are_read_as_postgresql_writes_them() -> None:
    schema = {"b": pl.Boolean(), "m": pl.Datetime("us"), "z": pl.Datetime("us", "UTC"), "t": pl.Time()}
    frame = typed(b"t,2020-01-01 00:00:00.5,2020-01-01 00:00:00+00,01:02:03\n?,?,?,?\n", schema, "?")
    assert [str(value) for value in frame.row(0)] == [
        "True",
        "2020-01-01 00:00:00.500000",
        "2020-01-01 00:00:00+00:00",
        "01:02:03",
    ]
    assert frame.row(1) == (None,) * 4


def test_free_numbers_have_no_type_and_what_is_unknown_is_text() -> None:
    def described(code: int, precision: int | None = None, scale: int | None = None) -> SimpleNamespace:
        return SimpleNamespace(type_code=code, precision=precision, scale=scale)

    assert type_of(described(1700)) is None
    assert type_of(described(1700, 10, 2)) == pl.Decimal(10, 2)
    assert type_of(described(1700, 1000, 2)) is None
    assert type_of(described(869)) == pl.String
    assert [sql_type(kind) for kind in (pl.UInt32(), pl.Float32(), pl.Boolean(), pl.Date())] == [
        "BIGINT",
        "DOUBLE PRECISION",
        "BOOLEAN",
        "TEXT",
    ]


def test_parts_are_whole_rows() -> None:
    assert list(parts(iter(io.BytesIO(b"1\n2\n").readlines()))) == [b"1\n2\n"]
    assert not list(parts(iter(())))
