"""Questions as SQL."""

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.endpoints.question import Question, both, either, literal, name, negated


def test_a_question_is_plain_sql() -> None:
    assert Question().sql("t") == "SELECT COUNT(*) AS answer FROM t"
    asked = Question("id <> 'P1'", "count", "ill", "'flu'")
    assert asked.sql("t") == "SELECT COUNT(*) AS answer FROM t WHERE (id <> 'P1') AND (ill = 'flu')"
    assert Question("a = 1", "sum", "pay").sql("t") == "SELECT SUM(pay) AS answer FROM t WHERE (a = 1)"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    assert duckdb.execute(f"SELECT {literal(text)}").fetchall() == [(text,)]


def test_everybody_else_includes_those_of_whom_nobody_knows() -> None:
    found = duckdb.execute(
        f"SELECT {negated('NULL = 1')}, {both('TRUE', '', 'FALSE')}, {either('TRUE', 'FALSE')}"
    )
    assert found.fetchall() == [(True, False, True)]


def test_names_stand_in_quotes_where_they_must() -> None:
    assert (name("age"), name("post code"), name('a"b')) == ("age", '"post code"', '"a""b"')
