"""Functions of texts: any text, however long or strange, and no raise."""

import duckdb
import pytest
from sqlglot import exp

from queries.sql.rows_injections import TEXTS
from queries.sql.rows_scene import DIALECTS, SEEN, Engines, People, check, rebuilt
from shoal.core.errors import NotAllowed
from shoal.queries.sql.expressions import type_expression

ALLOWED = (
    "LOWER(colour)", "UPPER(colour)", "LOWER(name)", "UPPER(name)", "TRIM(colour)", "LTRIM(name)",
    "RTRIM(name)", "LENGTH(name)", "LENGTH(colour)", "LEN(name)", "SUBSTRING(name, 2, 3)",
    "SUBSTR(name, 2)", "LEFT(colour, 2)", "LEFT(name, 0)", "name || '-' || colour",
    "UPPER(name) || UPPER(name)", "name LIKE '%e%'", "name ILIKE 'O%'", "name NOT LIKE '_'",
    "colour ILIKE '%BLUE%'", "name LIKE ''", "LENGTH(name || name)", "NULL || name", "LOWER(NULL)",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_run_on_nasty_texts_and_keep_their_promises(dialect: str, nasty: Engines) -> None:
    for sql in ALLOWED:
        check(rebuilt(sql, dialect), nasty.values(sql, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_trim_takes_spaces_only_in_both_engines(dialect: str, nasty: Engines) -> None:
    for value, row in zip(nasty.values("TRIM(name)", dialect), SEEN, strict=True):
        assert value == (None if row["name"] is None else str(row["name"]).strip(" "))


def test_keys_stay_keys_through_functions() -> None:
    assert rebuilt("LOWER(TRIM(colour))").domain == ("12", "blue", "green", "o'neil", "red", None)
    assert rebuilt("LENGTH(colour)").domain == (2, 3, 5, 6, None)
    assert rebuilt("LEFT(colour, 1) || '!'").domain == (" !", "1!", "O!", "g!", "r!", None)
    assert rebuilt("LOWER(name)").domain is None


def test_a_text_in_a_question_is_itself_or_refused(nasty: Engines) -> None:
    taken = 0
    for text in TEXTS:
        node = exp.EQ(this=exp.column("name"), expression=exp.Literal.string(text))
        for dialect in DIALECTS:
            try:
                found = type_expression(node, People(), dialect).sql
            except NotAllowed as refusal:
                assert str(refusal).isprintable()
                continue
            taken += 1
            literal = found.expression.this
            assert isinstance(literal, exp.Literal) and literal.this == text
            echo = exp.cast(exp.Literal.string(text), "text")
            rows = nasty.run(dialect, [echo, found])
            assert {row[0] for row in rows} == {text}
            assert [row[1] for row in rows] == [
                None if row["name"] is None else row["name"] == text for row in SEEN
            ]
    assert taken > 80


def test_a_huge_text_is_cut_before_it_grows() -> None:
    for sql in ("name || name", "UPPER(name)", "name ILIKE '%a%'", "CAST(name AS DOUBLE)"):
        assert "LEFT(" in rebuilt(sql, "postgres").sql.sql(dialect="postgres"), sql
    long = " || ".join(["name"] * 12)
    with pytest.raises(NotAllowed, match="LEFT"):
        rebuilt(long)
    with duckdb.connect() as engine:
        engine.execute("CREATE TABLE t0 AS SELECT repeat('a', 1000000) AS \"name\"")
        joined = rebuilt("name || name || name || name || name || name").sql.sql(dialect="duckdb")
        assert engine.execute(f"SELECT LENGTH({joined}) FROM t0").fetchall() == [(6000,)]


@pytest.mark.parametrize(
    ("sql", "cure"),
    [
        ("name LIKE name", "written pattern"),
        ("name LIKE 'a\\%'", "backslash"),
        ("name LIKE '%a%b%c%d%e%'", "several LIKE"),
        ("name LIKE '_%a%b%'", "several LIKE"),
        ("SUBSTRING(name, 0, 2)", "from 1"),
        ("SUBSTRING(name, -1)", "from 1"),
        ("SUBSTRING(name, 1, -1)", "from 0"),
        ("LEFT(name, age)", "written numbers"),
        ("LEFT(name, 1.5)", "written numbers"),
        ("LENGTH(age)", "CAST it to VARCHAR"),
        ("name || age", "CAST it to VARCHAR"),
        ("TRIM(BOTH 'x' FROM name)", "leave it out"),
    ],
)
def test_the_rest_is_refused_with_the_cure(sql: str, cure: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        rebuilt(sql)
    assert cure in str(refusal.value), refusal.value
