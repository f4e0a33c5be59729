"""What the tokens tell before anybody parses them."""

import pytest

from queries.questions import ANSWERED
from shoal.core.errors import NotAllowed
from shoal.queries.sql.sqlglot_parser import tokens_of
from shoal.queries.sql.token_limits import MOST_TOKENS, plain


@pytest.mark.parametrize("question", ANSWERED)
def test_ordinary_questions_need_no_process_of_their_own(question: str) -> None:
    assert plain(tokens_of(question))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SELECT a" + ",a" * MOST_TOKENS, "words and signs"),
        ("SELECT " + "(" * 101, "nested"),
        ("SELECT " + "DATE(" * 5 + "1" + ")" * 5, "nested"),
        ("SELECT " + "DATE(f(" * 5 + "1" + "))" * 5, "nested"),
        ("SELECT a" + "[1]" * 21, "indexes"),
        ("SELECT a" + ".f()" * 22, "indexes"),
        ("SELECT 1 FROM t" + " JOIN u" * 5, "condition"),
        ("SELECT 1 FROM t" + " LEFT JOIN u" * 5 + " ON a" * 5, "condition"),
    ],
)
def test_what_would_keep_a_parser_busy_is_refused_by_its_tokens(text: str, word: str) -> None:
    with pytest.raises(NotAllowed, match=word):
        plain(tokens_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a[1]",
        "SELECT {'a': 1}",
        "SELECT a.f().g()",
        "SELECT 1 UNION SELECT 2",
        "SELECT f(x -> 1)",
        "SELECT DATE(DATE(1))",
        "SELECT 1 FROM t JOIN u JOIN v ON a ON b",
        "SELECT " + "(" * 9 + "1" + ")" * 9,
        "SELECT 1 FROM FROM t",
        "SELECT 1 FROM t LIMIT f(t LIMIT f(t LIMIT 1))",
        "SELECT a" + ",a" * 300,
    ],
)
def test_what_is_long_or_unusual_is_read_elsewhere(text: str) -> None:
    assert not plain(tokens_of(text))


def test_many_joins_with_their_conditions_and_names_like_types_are_ordinary() -> None:
    joins = " ".join(f"JOIN visits v{n} ON v{n}.id = p.id" for n in range(20))
    assert plain(tokens_of(f"SELECT COUNT(date), MAX(p.year), DATE(text) FROM people p {joins}"))
    nested = "SELECT 1 FROM t JOIN (SELECT id FROM a JOIN b ON a.id = b.id) x ON x.id = t.id"
    assert plain(tokens_of(nested))


def test_brackets_that_close_nothing_are_left_to_the_parser() -> None:
    assert plain(tokens_of("SELECT 1))) FROM t"))
