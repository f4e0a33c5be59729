"""Values in a question are read, checked and written anew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from queries.sql.rows_scene import DIALECTS, Engines, People, rebuilt
from shoal.core.errors import NotAllowed
from shoal.queries.sql.expressions import type_expression


@pytest.mark.parametrize(
    ("sql", "kind", "value"),
    [
        ("12", "integer", 12),
        ("1_000", "integer", 1000),
        ("9223372036854775807", "integer", 2**63 - 1),
        ("-9223372036854775807", "integer", -(2**63) + 1),
        ("0.1", "number", 0.1),
        (".5", "number", 0.5),
        ("5.", "number", 5.0),
        ("1e3", "number", 1000.0),
        ("1e-400", "number", 0.0),
        ("-2.5", "number", -2.5),
        ("9223372036854775808.0", "number", 2.0**63),
        ("'O''Neil'", "text", "O'Neil"),
        ("'日本語 🐟'", "text", "日本語 🐟"),
        ("''", "text", ""),
        ("TRUE", "boolean", True),
        ("FALSE", "boolean", False),
        ("NULL", "text", None),
    ],
)
def test_a_value_is_the_same_in_both_engines(sql: str, kind: str, value: object, nasty: Engines) -> None:
    found = rebuilt(sql)
    assert found.kind == kind and found.domain == (value,)
    for dialect in DIALECTS:
        values = nasty.values(sql, dialect)
        assert set(values) == {value} and type(values[0]) is type(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_read_and_written_exactly(value: float) -> None:
    written = repr(abs(value))
    found = type_expression(exp.Literal.number(written), People(), "duckdb")
    assert found.low == found.high == abs(value)
    assert found.sql.this.this == written


@given(st.text(max_size=30))
def test_any_text_is_quoted_or_refused(text: str) -> None:
    node = exp.Literal.string(text)
    try:
        found = type_expression(node, People(), "postgres")
    except NotAllowed:
        assert any(not letter.isprintable() or letter == "\\" for letter in text)
        return
    quoted = found.sql.sql(dialect="postgres")
    assert quoted == "CAST('" + text.replace("'", "''") + "' AS TEXT)"
    assert found.sql.this is not node


@pytest.mark.parametrize(
    "text", ["1e400", "1" * 41 + ".5", "12abc", "0x1f", "1e", "∞", "٣", "NaN", "1 2", ""]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed):
        type_expression(exp.Literal.number(text), People(), "duckdb")


@pytest.mark.parametrize(
    "day",
    ["2023-02-29", "2024-13-01", "0000-01-01", "10000-01-01", "20240131", "2024-W05-3", "infinity", "now"],
)
def test_a_day_that_is_not_in_the_calendar_is_refused(day: str) -> None:
    with pytest.raises(NotAllowed, match="no day of the calendar"):
        rebuilt(f"DATE '{day}'")


def test_days_are_days() -> None:
    found = rebuilt("DATE '2024-02-29'")
    assert found.kind == "date" and found.domain == ("2024-02-29",)
    assert found.sql.sql(dialect="postgres") == "CAST('2024-02-29' AS DATE)"
