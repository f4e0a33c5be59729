"""The shape of a question, judged by its tokens alone: what would keep the parser busy is refused before it.

sqlglot tries one reading after the other. Most texts take it as long as they are, but a name of a type with a
bracket inside another (`DATE(DATE(…`) or a join without a condition after another double the time with every
one more, and indexes and method calls in a row make it quadratic. None of these is ever answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from sqlglot import Dialect, Token, TokenType

from shoal.core.errors import NotAllowed

DEEPEST = 100  # open brackets; deeper ones are no questions but attempts
MOST_TOKENS = 5_000  # words and signs of a question
_CALLS = 20  # indexes such as [1] and calls such as .f(), of which none is answered
_TYPES = 4  # names of types with brackets, one inside the other
_BARE = 4  # joins in a row before a condition comes
_PLAIN_TOKENS = 400  # so many are read at once, if nothing about them is unusual
_PLAIN_DEPTH = 8
_ONCE = frozenset((TokenType.LIMIT, TokenType.OFFSET))
_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)
_TYPE_NAMES = frozenset(cast(Any, Dialect.get_or_raise("duckdb").parser_class).TYPE_TOKENS)
_WORDS = """
    ALIAS ALL AND ASC BETWEEN CARET CASE COMMA CROSS DASH DCOLON DESC DISTINCT DIV DOT DPIPE DSTAR ELSE END EQ
    FALSE FILTER FROM FULL GROUP_BY GT GTE HAVING IDENTIFIER ILIKE IN INNER IS JOIN LEFT LIKE LIMIT LT LTE
    L_PAREN MOD NEQ NOT NULL NUMBER OFFSET ON OR ORDER_BY OUTER PLUS RIGHT R_PAREN SELECT SEMICOLON SLASH STAR
    STRING THEN TRUE USING VAR WHEN WHERE WITH
"""
_ORDINARY = _TYPE_NAMES - {TokenType.UNION, TokenType.INTERVAL} | {
    getattr(TokenType, name) for name in _WORDS.split()
}
_TWICE = (*_OPENING, *_CLOSING, TokenType.VAR, TokenType.IDENTIFIER)  # what may stand beside its like


def plain(tokens: Sequence[Token]) -> bool:
    """Whether a question is short and made of ordinary parts; refuses one that is no question at all."""
    if len(tokens) > MOST_TOKENS:
        raise NotAllowed(
            f"the question has {len(tokens):,} words and signs; at most {MOST_TOKENS:,} are read, so ask less"
        )
    calls = types = bare = deepest = 0
    opened: list[tuple[bool, int]] = []  # per open bracket: after the name of a type; bare joins outside
    before: TokenType | None = None
    once = 0
    ordinary = len(tokens) <= _PLAIN_TOKENS
    for token in tokens:
        kind = token.token_type
        if kind in _OPENING:
            typed = kind == TokenType.L_PAREN and before in _TYPE_NAMES
            types += typed
            opened.append((typed, bare))
            bare = 0
            calls += kind == TokenType.L_BRACKET
        elif kind in _CLOSING and opened:
            typed, bare = opened.pop()
            types -= typed
        elif kind == TokenType.DOT:
            calls += before in _CLOSING
        elif kind == TokenType.JOIN:
            bare += 1
        elif kind in (TokenType.ON, TokenType.USING, TokenType.SELECT):
            bare = 0
        deepest = max(deepest, len(opened))
        if deepest > DEEPEST or types > _TYPES:
            raise NotAllowed(f"the question is nested more than {DEEPEST} deep; ask in several steps")
        if calls > _CALLS:
            raise NotAllowed("indexes and calls such as a[1] and a.f() are not answered; name columns")
        if bare > _BARE:
            raise NotAllowed("a join stands without its condition; write JOIN … ON a.id = b.id for each")
        once += kind in _ONCE
        stutters = kind == before and kind not in _TWICE
        ordinary = ordinary and kind in _ORDINARY and not stutters and not calls
        ordinary = ordinary and types <= 1 and bare <= 1 and once <= 2
        before = kind
    return ordinary and deepest <= _PLAIN_DEPTH
