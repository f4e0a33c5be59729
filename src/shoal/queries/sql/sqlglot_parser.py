"""A text as tokens, and tokens as the tree of one SELECT: sqlglot's part, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import Dialect, Token, TokenType, exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.token_limits import DEEPEST


def tokens_of(text: str) -> list[Token]:
    """Words and signs."""
    try:
        return list(Dialect.get_or_raise("duckdb").tokenize(text))
    except Exception as error:  # whatever its tokenizer stumbles over is no question
        raise NotAllowed(_unreadable(error)) from None


def tree_of(text: str, tokens: Sequence[Token]) -> exp.Query:
    """The tree of one question, no deeper than allowed."""
    try:
        found = Dialect.get_or_raise("duckdb").parser().parse(_top_last(list(tokens)), text)
        trees = [tree for tree in found if tree is not None]
    except Exception as error:  # whatever its parser stumbles over is no question
        raise NotAllowed(_unreadable(error)) from None
    if len(trees) != 1:
        raise NotAllowed(f"one question at a time, not {len(trees)}; write one SELECT")
    tree = trees[0]
    if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery):
        raise NotAllowed(f"only SELECT is answered, not {type(tree).__name__.upper()}")
    if _depth(tree) > DEEPEST:
        raise NotAllowed(f"the question is nested more than {DEEPEST} deep; ask in several steps")
    return tree


def _top_last(tokens: list[Token]) -> list[Token]:
    """SELECT TOP 5 … as other dialects have it is SELECT … LIMIT 5."""
    first = [token.token_type for token in tokens[:3]]
    if first != [TokenType.SELECT, TokenType.VAR, TokenType.NUMBER] or tokens[1].text.upper() != "TOP":
        return tokens
    rest = tokens[3:]
    while rest and rest[-1].token_type == TokenType.SEMICOLON:
        rest.pop()
    return [tokens[0], *rest, Token(TokenType.LIMIT, "LIMIT"), tokens[2]]


def _unreadable(error: Exception) -> str:
    found = getattr(error, "errors", None)
    if found and found[0].get("line"):
        return (
            f"cannot read the question at line {found[0]['line']}, near '{str(found[0]['highlight'])[:40]}'"
        )
    return "cannot read the question; write one SELECT"


def _depth(tree: exp.Expression) -> int:
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(child, depth + 1) for child in node.iter_expressions()]
    return deepest
