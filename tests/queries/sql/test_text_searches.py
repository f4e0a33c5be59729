"""Texts are searched and cut as Python does it, in both engines, on any text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

TWINS: dict[str, Callable[[str], object]] = {
    "RIGHT(name, 3)": lambda a: a[-3:],
    "RIGHT(name, 0)": lambda _: "",
    "RIGHT(name, 5000)": lambda a: a,
    "REPLACE(name, 'e', 'xy')": lambda a: a[:1000].replace("e", "xy"),
    "REPLACE(name, 'x', '')": lambda a: a[:1000].replace("x", ""),
    "REPLACE(name, 'é', 'e')": lambda a: a[:1000].replace("é", "e"),
    "SPLIT_PART(name, '-', 2)": lambda a: [*a.split("-"), "", ""][1],
    "SPLIT_PART(name, 'é', 1)": lambda a: a.split("é")[0],
    "SPLIT_PART(name, 'x', 3000)": lambda a: (a.split("x") + [""] * 4000)[2999],
    "STRPOS(name, 'e')": lambda a: a.find("e") + 1,
    "POSITION('🐟' IN name)": lambda a: a.find("🐟") + 1,
    "INSTR(name, '本')": lambda a: a.find("本") + 1,
    "CONTAINS(name, '%')": lambda a: "%" in a,
    "STARTS_WITH(name, 'O''')": lambda a: a.startswith("O'"),
    "STARTS_WITH(name, '日本')": lambda a: a.startswith("日本"),
    "STARTS_WITH(name, '')": lambda _: True,
    "ENDS_WITH(name, '語')": lambda a: a.endswith("語"),
    "ENDS_WITH(name, '9')": lambda a: a.endswith("9"),
}
PATTERNS = [
    "^[0-9]+$", "e", "^x*$", "(a|e|i)+", "[^0-9a-zA-Z]", "^.{2,4}$", "^(?:true|yes)$", "-[0-9]{1,3}",
    "^ ?$", "日.語", r"^\d{4}-\d\d-\d\d$", r"\s", r"^\W+$", r"\.", r"[\d.]+$", "(a+)+$", "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$", "[a-]", "'", "é", "(?:0|1){3,}", "x{50}x{50}", "A.", r"\(|\)",
    r"^\++3", "[]x]", "x+?$",
]  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_do_what_python_does(dialect: str, nasty: Engines) -> None:
    for sql, twin in TWINS.items():
        values = nasty.values(sql, dialect)
        check(rebuilt(sql, dialect), values)
        for value, row in zip(values, SEEN, strict=True):
            assert value == (None if row["name"] is None else twin(str(row["name"]))), (sql, row["name"])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_patterns_are_found_as_in_python(dialect: str, nasty: Engines) -> None:
    for pattern in PATTERNS:
        # Where Python would try all ways, the shortest text decides as well.
        simple = {"(a+)+$": "a$", "(x+x+)+y": "xxy", "^(([a-z])+.)+[A-Z]([a-z])+$": "^[a-z]+.[A-Z][a-z]+$"}
        twin = re.compile(simple.get(pattern, pattern).replace("$", r"\Z"), re.DOTALL | re.ASCII)
        quoted = pattern.replace("'", "''")
        for sql in (f"name ~ '{quoted}'", f"REGEXP_MATCHES(name, '{quoted}')", f"name !~ '{quoted}'"):
            values = nasty.values(sql, dialect)
            for value, row in zip(values, SEEN, strict=True):
                name = row["name"]
                found = None if name is None else bool(twin.search(str(name)[:1000])) != ("!" in sql)
                assert value == found, (sql, name)


def test_what_is_replaced_and_extracted_where_the_engine_is_linear(nasty: Engines) -> None:
    ways: dict[str, Callable[[str], str]] = {
        "REGEXP_REPLACE(name, '[0-9]', '#')": lambda a: re.sub("[0-9]", "#", a, count=1),
        "REGEXP_REPLACE(name, '[0-9]', '#', 'g')": lambda a: re.sub("[0-9]", "#", a),
        r"REGEXP_REPLACE(name, '^(..)(.*)$', '\2\1')": lambda a: re.sub(r"(?s)^(..)(.*)\Z", r"\2\1", a),
        "REGEXP_EXTRACT(name, '[0-9]+')": lambda a: (re.search("[0-9]+", a) or [""])[0],
        "REGEXP_EXTRACT(name, '([0-9]+)-([0-9]+)', 2)": lambda a: (
            re.search("([0-9]+)-([0-9]+)", a) or [""] * 3
        )[2],
        "REGEXP_EXTRACT(name, 'x+?')": lambda a: (re.search("x+?", a) or [""])[0],
    }
    for sql, twin in ways.items():
        values = nasty.values(sql, "duckdb")
        check(rebuilt(sql), values)
        for value, row in zip(values, SEEN, strict=True):
            assert value == (None if row["name"] is None else twin(str(row["name"])[:1000])), sql
        with pytest.raises(NotAllowed, match="PostgreSQL"):
            rebuilt(sql, "postgres")


def test_keys_stay_keys() -> None:
    assert rebuilt("RIGHT(colour, 1)").domain == (" ", "2", "d", "l", "n", None)
    assert rebuilt("SPLIT_PART(colour, 'e', 1)").domain == (" Blu", "12", "O'N", "gr", "r", None)
    assert rebuilt("REPLACE(colour, 'e', '')").domain == (" Blu ", "12", "O'Nil", "grn", "rd", None)
    assert rebuilt("STRPOS(colour, 'e')").domain == (0, 2, 3, 4, 5, None)


@pytest.mark.parametrize(
    "sql",
    [
        "name ~ name", "name ~ '('", "name ~ ')'", "name ~ '[a'", "name ~ '*'", "name ~ 'a**'",
        r"name ~ '(a)\1'", "name ~ '(?=a)'", "name ~ '(?i)a'", r"name ~ '\bA'", "name ~ ''", "name ~ 'a{51}'",
        "name ~ '((a{50}){50}){50}'", "name ~ 'a{5,2}'", "name ~ '[[:alpha:]]'", "name ~ '[z-a]'",
        "age ~ '1'", "name ~ '(|a)'", "name ~ 'a++'", r"name ~ 'a\'", "name SIMILAR TO 'x%'",
        "REPLACE(name, '', 'x')", "REPLACE(name, 'x', name)", "REPLACE(name, 'x', '0123456789ab')",
        "SPLIT_PART(name, '', 1)", "SPLIT_PART(name, ',', 0)", "SPLIT_PART(name, ',', age)",
        "STRPOS(name, colour)", "RIGHT(name, -1)", "REGEXP_REPLACE(name, 'a', 'b', 'i')",
        r"REGEXP_REPLACE(name, 'a', '\1')", "REGEXP_EXTRACT(name, 'a', 1)", "REGEXP_REPLACE(name, 'a', name)",
        "POSITION('' IN name)", "name LIKE 'a#%' ESCAPE '#'",
    ],
)  # fmt: skip
def test_the_rest_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
