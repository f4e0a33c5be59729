"""A text as tokens, and tokens as the tree of one SELECT: sqlglot's part, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import Dialect, Token, exp

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
        found = Dialect.get_or_raise("duckdb").parser().parse(list(tokens), text)
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
