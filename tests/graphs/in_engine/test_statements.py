"""Our SELECTs with tables put in, for every dialect."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from shoal.engines.sql_engine import named
from shoal.graphs.in_engine.statements import statement


@pytest.mark.parametrize(
    ("dialect", "digest"),
    [
        ("duckdb", "SHA256(x)"),
        ("spark", "SHA2(x, 256)"),
        ("postgres", """(ENCODE(SHA256(CONVERT_TO(x, 'UTF8')), 'hex') COLLATE "C")"""),
    ],
)
def test_tables_and_digests_are_those_of_the_engine(dialect: str, digest: str) -> None:
    engine: Any = SimpleNamespace(dialect=dialect)
    tree = statement("SELECT DIGEST(x) AS d FROM t JOIN s ON t.a = s.a", engine, t=named("db", "one"))
    quote = "`" if dialect == "spark" else '"'
    text = tree.sql(dialect)
    assert f"SELECT {digest} AS d FROM {quote}db{quote}.{quote}one{quote} AS {quote}t{quote}" in text
    assert "JOIN s ON" in text
