"""The entrance: a text becomes the tree of one SELECT in bounded time, or is refused in one sentence."""

from __future__ import annotations

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.apart import Apart
from shoal.queries.sql.shape import plain
from shoal.queries.sql.syntax import tokens_of, tree_of
from shoal.queries.sql.texts import unreadable

LONGEST = 20_000  # characters of a question
_BLANKS = str.maketrans("\t\r\n", "   ")
_apart = Apart()


def parsed(text: str) -> exp.Select:
    """The syntax tree of one SELECT."""
    if len(text) > LONGEST:
        raise NotAllowed(f"the question has {len(text):,} characters; at most {LONGEST:,} are read")
    if unreadable(text.translate(_BLANKS)):
        raise NotAllowed("the question holds a control character; write plain text")
    tokens = tokens_of(text)
    # A short and ordinary one is read here, within some milliseconds; all others where they block nobody.
    return tree_of(text, tokens) if plain(tokens) else _apart.tree(text)
