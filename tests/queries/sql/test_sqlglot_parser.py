"""Tokens and trees."""

import pytest

from shoal.core.errors import NotAllowed
from shoal.queries.sql.sqlglot_parser import tokens_of, tree_of


def _tree(text: str) -> str:
    return tree_of(text, tokens_of(text)).sql(dialect="duckdb")


def test_a_select_becomes_a_tree() -> None:
    assert _tree("select a from t where b=1") == "SELECT a FROM t WHERE b = 1"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SELECT 'a", "cannot read"),
        ("SELECT FROM WHERE", "cannot read the question at line 1"),
        ("SELECT 1; SELECT 2", "not 2"),
        ("", "not 0"),
        ("DROP TABLE t", "not DROP"),
        ("SELECT 1" + "+1" * 120, "nested"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text: str, word: str) -> None:
    with pytest.raises(NotAllowed, match=word):
        _tree(text)
