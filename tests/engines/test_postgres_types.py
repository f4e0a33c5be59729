"""A release in PostgreSQL has types that list nothing, and no word about its columns from before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import psycopg
import pytest

from shoal import protect, verify

SAID = "of one alone"
MADE = f"""
DROP SCHEMA IF EXISTS listed CASCADE; CREATE SCHEMA listed; SET search_path TO listed;
CREATE TYPE illness AS ENUM ('ill0', 'ill1', '{SAID}');
CREATE DOMAIN known AS varchar(20) DEFAULT '{SAID}' CHECK (VALUE IN ('ill0', 'ill1', '{SAID}'));
CREATE DOMAIN better AS known;
CREATE DOMAIN chosen AS illness;
CREATE DOMAIN price AS numeric(6,2) CHECK (VALUE <> 47.11);
CREATE TYPE pair AS (one illness, other int);
CREATE TYPE stretch AS RANGE (subtype = illness);
CREATE TABLE people (
  age int, ill text, an_enum illness DEFAULT '{SAID}', a_domain known, of_domains better, of_enums chosen,
  enums illness[], domains known[], a_row pair, rows_of pair[], a_range stretch, a_price price,
  prices price[],
  checked text CHECK (checked <> 'not {SAID}'), "odd ""name." illness,
  plain numeric(5,1), words text[], made text GENERATED ALWAYS AS ('{SAID}' || ' or not') STORED
);
COMMENT ON COLUMN people.an_enum IS '{SAID}';
INSERT INTO people SELECT age, ill, ill::illness, ill, ill, ill::illness, ARRAY[ill::illness],
  ARRAY[ill::known], ROW(ill::illness, 1)::pair, ARRAY[ROW(ill::illness, 1)::pair],
  stretch(ill::illness, NULL), 1.5, ARRAY[1.5::price], ill, ill::illness, 1.5, ARRAY[ill]
FROM (SELECT i % 3 AS age, 'ill' || i % 2 AS ill FROM generate_series(0, 59) i
      UNION ALL SELECT 99, '{SAID}') AS raw
"""
KINDS = {
    "an_enum": "text",
    "a_domain": "character varying(20)",
    "of_domains": "character varying(20)",
    "of_enums": "text",
    "enums": "text[]",
    "domains": "character varying(20)[]",
    "a_row": "text",
    "rows_of": "text[]",
    "a_range": "text",
    "a_price": "numeric(6,2)",
    "prices": "numeric(6,2)[]",
    "checked": "text",
    'odd "name.': "text",
    "plain": "numeric(5,1)",
    "words": "text[]",
}
SHOWN = """
SELECT attname, format_type(atttypid, atttypmod), col_description(attrelid, attnum), atthasdef, attgenerated
FROM pg_attribute WHERE attrelid = 'listed.release'::regclass AND attnum > 0 ORDER BY attnum
"""


@pytest.fixture
def people(postgres: str) -> str:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(MADE)
    return f"{postgres}#listed.people"


@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
@pytest.mark.parametrize("some", [tuple(KINDS), ("made",), ("plain", "words")])
def test_types_of_a_release_list_no_value_that_only_suppressed_people_had(
    postgres: str, people: str, tmp_path: Path, role: str, some: tuple[str, ...]
) -> None:
    roles: dict[str, Any] = {"quasi": ["age"], "sensitive": ["ill"], "insensitive": []}
    if role == "quasi":  # the server itself cannot compare a domain of an enumeration
        some = tuple(name for name in some if name != "of_enums")
    roles[role] = [*roles[role], *some]
    record, output = tmp_path / "record.json", f"{postgres}#listed.release"
    models = ["k-anonymity(k=5)"]
    protect(people, output=output, model=models, suppress=0.1, levels="age=0", method="optimal",
            manifest=record, **roles)  # fmt: skip
    assert verify(output, manifest=record).holds
    with psycopg.connect(postgres) as connection:
        found = connection.execute(SHOWN).fetchall()
        checks = connection.execute(
            "SELECT count(*) FROM pg_constraint WHERE conrelid = 'listed.release'::regclass"
        ).fetchone()
        assert connection.execute("SELECT count(*) FROM listed.release").fetchone() == (60,)
    assert checks == (0,)
    wanted = {"age": "integer", "ill": "text", "made": "text", **KINDS}
    for name, kind, said, default, generated in found:
        assert (kind, said, default, generated) == (wanted[name], None, False, ""), name
    assert {row[0] for row in found} == {"age", "ill", *some}


def test_nor_do_parquet_files(people: str, tmp_path: Path) -> None:
    output, record = f"{tmp_path}/new/", tmp_path / "record.json"
    protect(people, output=output, k=5, suppress=0.1, levels="age=0", method="optimal", manifest=record,
            quasi=["age"], sensitive=["ill"], insensitive=["an_enum", "a_row", "domains"])  # fmt: skip
    assert pl.read_parquet(f"{output}*.parquet").height == 60
    for one in (tmp_path / "new").iterdir():
        assert SAID.encode() not in one.read_bytes()
