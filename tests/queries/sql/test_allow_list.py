"""What is not known is refused."""

from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.allow_list import conjuncts, excerpt, only, place


def parse(text: str, read: str = "duckdb") -> Any:
    return sqlglot.parse_one(text, read=read)


def test_a_clause_nobody_named_is_refused_by_name() -> None:
    select = parse("SELECT a FROM t QUALIFY b", read="duckdb")
    with pytest.raises(NotAllowed, match="QUALIFY"):
        only(select, "expressions", "from_")
    only(select, "expressions", "from_", "qualify")


def test_a_long_part_is_shown_short_and_without_comments() -> None:
    node = parse(f"SELECT /* hidden */ '{'x' * 200}'")
    assert len(excerpt(node)) == 60
    assert "hidden" not in excerpt(node)


def test_conjuncts_see_through_parentheses_but_not_through_or() -> None:
    node = parse("(a = 1 AND (b = 2)) AND (c = 3 OR d = 4)")
    assert [type(part).__name__ for part in conjuncts(node)] == ["EQ", "EQ", "Or"]


@pytest.mark.parametrize("written", ["0", "3", "9" * 5_000, "1.5", "٣"])
def test_a_number_that_names_no_column_is_refused(written: str) -> None:
    with pytest.raises(NotAllowed, match="names no column"):
        place(exp.Literal.number(written), 2, "ORDER BY")
    assert place(exp.Literal.number("2"), 2, "ORDER BY") == 1
