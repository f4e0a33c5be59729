"""The allow-list's one rule: what is not known is refused, and the refusal never depends on the rows."""

from __future__ import annotations

from typing import cast

from sqlglot import ErrorLevel, exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.planning_time import go_on

SHOWN = 60
_CURES = {"pivots": "write a column for each, as in SUM(CASE WHEN status = 'paid' THEN amount END)"}


def excerpt(node: exp.Expression) -> str:
    """A part of the question, short enough for one sentence."""
    try:
        text = node.sql(dialect="duckdb", comments=False, unsupported_level=ErrorLevel.IGNORE)
    except Exception:  # sqlglot reads calls that it cannot write
        text = type(node).__name__
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def only(node: exp.Expression, *known: str) -> None:
    """Refuses a node that carries anything but these: sqlglot knows the clauses of many dialects."""
    go_on()
    for name, value in node.args.items():
        if name not in known and value not in (None, False, []):
            said = value if isinstance(value, str) else name.rstrip("_").replace("_", " ")
            clause = said.upper()
            cure = _CURES.get(name, "leave it out")
            raise NotAllowed(f"{clause} in '{excerpt(node)}' cannot be answered with privacy; {cure}")


def place(node: exp.Expression, number: int, clause: str) -> int:
    """Which of so many columns a written number names, counted from 0."""
    written = str(node.this)
    if written.isascii() and written.isdigit() and len(written) < 9 and 1 <= int(written) <= number:
        return int(written) - 1
    raise NotAllowed(f"{clause} {written[:20]} names no column of the answer")


def conjuncts(condition: exp.Expression) -> list[exp.Expression]:
    """The parts of a condition that must all hold."""
    bare = cast(exp.Expression, condition.unnest())
    if isinstance(bare, exp.And):
        return [*conjuncts(bare.this), *conjuncts(bare.expression)]
    return [bare]
