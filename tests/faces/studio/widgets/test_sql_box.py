"""Names are completed at the cursor, and quoted where SQL needs it."""

from __future__ import annotations

import pytest

from shoal.faces.studio.widgets.sql_box import completions, quoted

NAMES = ("patients", "age", "Income", "income per year")


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("SELECT AVG(inc", ["Income", "income per year"]),
        ("SELECT age", []),
        ("SELECT ", list(NAMES)),
        ("SELECT zip", []),
    ],
)
def test_names_that_begin_like_the_word_are_offered(before: str, offered: list[str]) -> None:
    assert completions(before, NAMES) == offered


def test_a_name_is_quoted_where_sql_needs_it() -> None:
    assert quoted("age") == "age"
    assert quoted("income per year") == '"income per year"'
    assert quoted('a"b') == '"a""b"'
