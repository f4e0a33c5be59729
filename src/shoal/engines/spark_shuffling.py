"""Random order in Spark, which nobody can replay: of all rows, or of counts where few rows differ."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shoal.engines.sql_engine import column, fresh_name

if TYPE_CHECKING:
    from sqlglot import exp

TOGETHER = 1024  # equal rows that stay side by side, at most
PER_PART = 1_000_000  # rows that one task writes
# Types whose equal values look the same; of others, as of 0.0 and -0.0, one would be written as the other.
_EXACT = {"string", "tinyint", "smallint", "int", "bigint", "boolean", "date", "timestamp", "timestamp_ntz"}


def are_exact(types: Iterable[str]) -> bool:
    """Whether equal values of all these types are the same value."""
    return all(each in _EXACT or each.startswith("decimal(") for each in types)


def shuffled_rows(tree: exp.Select) -> exp.Select:
    """Every row to a random place, and in random order there."""
    from sqlglot import exp

    # A sort of the whole would read everything twice; Spark's own seeds follow the clock, so can be guessed.
    tree = tree.copy()
    tree.set("distribute", exp.Distribute(expressions=[_random()]))
    tree.set("sort", exp.Sort(expressions=[_random()]))
    return tree


def shuffled_counts(tree: exp.Select, parts: int) -> exp.Select:
    """Equal rows are counted, the counts spread and sorted by a secret hash, and written out as rows again.

    The order follows from what the rows are and from the secret, so that it tells nothing of the order
    before; and a task that is run again gives the same rows again.
    """
    from sqlglot import exp

    names = tree.named_selects
    number, chunk, place = fresh_name(), fresh_name(), fresh_name()
    counted = exp.select(*map(column, names), exp.alias_(exp.Count(this=exp.Star()), number, quoted=True))
    counted = counted.from_(tree.subquery(fresh_name())).group_by(*map(column, names))
    last = _call("SHIFTRIGHT", column(number) - 1, exp.Literal.number(TOGETHER.bit_length() - 1))
    chunks = exp.select(
        *map(column, [*names, number]),
        exp.alias_(exp.Explode(this=_call("SEQUENCE", exp.cast("0", "BIGINT"), last)), chunk, quoted=True),
    ).from_(counted.subquery(fresh_name()))
    secret = exp.Literal.number(secrets.randbits(63))
    placed = exp.select(
        *map(column, [*names, number, chunk]),
        exp.alias_(_call("XXHASH64", secret, *map(column, [*names, chunk])), place, quoted=True),
    ).from_(chunks.subquery(fresh_name()))
    spread = exp.select("*").from_(placed.subquery(fresh_name()))
    spread.set("hint", exp.Hint(expressions=[_call("REPARTITION", exp.Literal.number(parts), column(place))]))
    spread.set("sort", exp.Sort(expressions=[column(place)]))
    rest = exp.Least(
        this=exp.Literal.number(TOGETHER), expressions=[column(number) - column(chunk) * TOGETHER]
    )
    again = exp.Explode(this=_call("ARRAY_REPEAT", exp.true(), exp.cast(rest, "INT")))
    rows = exp.select(*map(column, names), exp.alias_(again, fresh_name(), quoted=True))
    return exp.select(*map(column, names)).from_(
        rows.from_(spread.subquery(fresh_name())).subquery(fresh_name())
    )


def _call(name: str, *given: exp.Expr) -> exp.Anonymous:
    from sqlglot import exp

    return exp.Anonymous(this=name, expressions=list(given))


def _random() -> exp.Expr:
    from sqlglot import exp

    return _call("RAND", exp.Literal.number(secrets.randbits(63)))
