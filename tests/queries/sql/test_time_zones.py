"""Moments with a zone are the moments in UTC that plain DuckDB has when it is set to UTC."""

from __future__ import annotations

import duckdb
import pytest
import sqlglot

from queries import clinic
from shoal.core.errors import NotAllowed
from shoal.queries.sql.planner import plan
from shoal.queries.sql.time_zones import in_universal_time

STORE = clinic.store([], [], [])


def rewritten(text: str) -> str:
    found = in_universal_time(sqlglot.parse_one(text, dialect="duckdb"))
    assert found is not None
    return found.sql(dialect="duckdb")


@pytest.mark.parametrize(
    "written",
    [
        "2024-02-29 23:59:59+00",
        "2024-02-29 23:59:59.25-11:30",
        "2024-02-29T23:59:59Z",
        "2024-02-29 00:30:00+02:00",
        "2024-02-29 10:00:00",
        "2024-02-29",
    ],
)
@pytest.mark.parametrize(
    "form", ["TIMESTAMPTZ '{}'", "CAST('{}' AS TIMESTAMP WITH TIME ZONE)", "'{}'::TIMESTAMPTZ"]
)
def test_a_written_moment_is_the_same_in_utc(written: str, form: str) -> None:
    text = form.format(written)
    with duckdb.connect() as plain:
        plain.execute("SET TimeZone = 'UTC'")
        found = plain.execute(f"SELECT {text} AT TIME ZONE 'UTC', {rewritten(text)}").fetchone()
    assert found is not None and found[0] == found[1]


def test_what_has_no_zone_is_in_utc_already() -> None:
    assert rewritten("x AT TIME ZONE 'utc'") == "(x)"
    assert rewritten("x::TIMESTAMPTZ") == "CAST(x AS TIMESTAMP)"
    assert rewritten("TRY_CAST(x AS TIMESTAMPTZ)") == "TRY_CAST(x AS TIMESTAMP)"


@pytest.mark.parametrize(
    "text", ["x AT TIME ZONE 'Europe/Berlin'", "x AT TIME ZONE y", "x::TIMESTAMP", "x::DATE"]
)
def test_all_else_stays_as_it_is(text: str) -> None:
    assert in_universal_time(sqlglot.parse_one(text, dialect="duckdb")) is None


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        ("born::timestamp AT TIME ZONE 'Europe/Berlin' > '2000-01-01'", "INTERVAL"),
        ("born::timestamp > TIMESTAMPTZ '2000-13-01 00:00:00+02'", "no moment"),
        ("born::timestamp > TIMESTAMPTZ '0001-01-01 00:00:00+02'", "no moment"),
        ("born::timestamp > '2000-01-01 00:00:00+02'", "no moment"),
    ],
)
def test_what_cannot_be_told_in_utc_is_refused_with_the_cure(condition: str, word: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        plan(f"SELECT COUNT(*) FROM people WHERE {condition}", clinic.dataset(), STORE)
    assert word in str(refusal.value)


@pytest.mark.parametrize(
    "written", ["2000-01-01T00:00:00Z", "2000-01-01 00:00+00:00", "2000-01-01 00:00:00 +00"]
)
def test_utc_may_stand_behind_any_moment(written: str) -> None:
    plan(f"SELECT COUNT(*) FROM people WHERE born::timestamp > '{written}'", clinic.dataset(), STORE)
