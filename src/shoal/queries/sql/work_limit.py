"""How much work one person's rows can make at most.

It follows from the text and the declaration alone. Without a limit an analyst could write a question that is
quick unless a certain row is there, and read from the clock, or from memory running out, whether it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.query import Query

MOST_ROWS = 10_000  # of one person after joins, unless the owner declared more in one table
MOST_WORK = 200_000  # steps on the rows of one person: some hundredths of a second at most, in PostgreSQL
PER_ROW = 6_000  # steps on every row that the owner declared, whatever the number
TEXT = 400  # steps of a quick function of a thousand characters: 1 µs in DuckDB, up to 80 µs in PostgreSQL
_OF_TEXTS = (exp.Like, exp.ILike, exp.DPipe, exp.MD5, exp.RegexpLike)
_NAMED = frozenset(
    [
        "LOWER",
        "UPPER",
        "LTRIM",
        "RTRIM",
        "SUBSTRING",
        "LEFT",
        "RIGHT",
        "LENGTH",
        "TO_CHAR",
        "STRFTIME",
        "REPLACE",
        "SPLIT_PART",
        "STRPOS",
        "REGEXP_EXTRACT",
        "REGEXP_MATCHES",
        "REGEXP_REPLACE",
    ]
)
LOOKED_UP = 150  # steps until a value is found among others
TIMES = "times"  # marks what takes so many times the steps: a slow function, a long pattern or text
LONGEST = 1_000  # characters of a text as a store holds it
CLEANING = "facts"  # what a store marks its own sub-queries with: they run for all rows alike


def check_rows(rows: int, declared: int) -> None:
    """Refuses a join after which one person could have too many rows."""
    most = max(MOST_ROWS, declared)
    if rows > most:
        raise NotAllowed(
            f"after the join one person could have {rows:,} rows; at most {most:,} can be answered"
        )


def check_work(query: Query, rows: int, declared: int) -> int:
    """The steps on one person's rows, of which `rows` is the most on the way; too many are refused."""
    source = weight([query.source])
    arguments = [column.argument for column in query.columns if column.argument is not None]
    others = weight([*(key.sql for key in query.keys), *arguments, *(part.sql for part in query.quantiles)])
    choices = len(query.quantiles)
    # What is grouped by, counted once each or sorted into steps goes through a table of what was seen before.
    found = sum("distinct" in column.function for column in query.columns) + choices
    found += len(query.keys) * (1 + choices)
    work = rows * (source * (1 + choices) + others + LOOKED_UP * found)
    check_steps(work, rows, declared)
    return work


def check_steps(work: int, rows: int, declared: int) -> None:
    """Refuses so many steps on the rows of one person."""
    most = MOST_WORK + PER_ROW * declared
    if work > most:
        raise NotAllowed(
            f"the question takes up to {work:,} steps for one person, who can have {rows:,} rows in it; "
            f"at most {most:,} are done, so ask for less at a time, or join fewer rows"
        )


def times(thousand: int, length: int | None) -> int:
    """How many times the steps of a quick function another takes, given that for a thousand characters."""
    return max(1, -(-thousand * (LONGEST if length is None else length) // LONGEST))


def weight(trees: Iterable[exp.Expression]) -> int:
    """The steps on one row."""
    return sum(
        _steps(node) for tree in trees for node in tree.walk(prune=_is_cleaning) if not _is_cleaning(node)
    )


def _is_cleaning(node: exp.Expr) -> bool:
    return CLEANING in (node.meta if node._meta else ())


def _steps(node: exp.Expr) -> int:
    if isinstance(node, exp.Identifier | exp.DataType | exp.Literal | exp.Paren):
        return 0
    named = isinstance(node, exp.Anonymous) and str(node.this).upper() in _NAMED
    if not named and not isinstance(node, _OF_TEXTS):
        return 1
    return TEXT * (node.meta.get(TIMES, 1) if node._meta else 1)
