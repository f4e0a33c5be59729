"""Joins that read both sides: whoever is on one side does not decide how much is done of the other.

An engine stops early where one side of a join is empty: PostgreSQL does not read the other one, Spark does
not sort it, DuckDB ends after its first rows. So the clock told whether a person is in a sub-query: 90
milliseconds or seven seconds in PostgreSQL, 8 or 55 in DuckDB. A full join reads both, and what has no
partner is left out after.

DuckDB still passes over the work of looking up where nobody is to be found. So each side has one row more,
with nothing in it: no row is its partner, nobody's unit is missing, and it goes with all that has no partner.
Conditions about one side are asked before the join, within that side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from shoal.queries.sql.sources import AliasedSource, Rows
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.value_properties import in_parentheses

WITH_A_ROW_MORE = ("duckdb",)  # dialects in which an empty side still saves work on the other


def joined(kept: Sequence[exp.Expression]) -> exp.Expression:
    """The condition that leaves of full joins what a question asks for.

    CASE keeps the planner from seeing that half of it is thrown away.
    """
    test = exp.If(this=exp.and_(*(part.copy() for part in kept), copy=False), true=exp.true())
    return exp.Case(ifs=[test], default=exp.false())


def there(part: exp.Expression) -> exp.Expression:
    """That something is not missing."""
    return exp.Not(this=exp.Paren(this=exp.Is(this=in_parentheses(part.copy()), expression=exp.Null())))


def partner_of(
    right: AliasedSource, equal: Sequence[tuple[TypedExpression, TypedExpression]]
) -> exp.Expression:
    """A column of the right side that is missing only where there is no partner."""
    if right.unit is not None:
        return right.unit.sql
    own = {column.sql.sql() for column in right.source.columns.values()}
    return next(theirs.sql for _, theirs in equal if theirs.sql.sql() in own)


def hashed(
    conditions: list[exp.Expression], unit: exp.Expression, partner: exp.Expression
) -> list[exp.Expression]:
    """The conditions with one among them that says what of the left equals what of the right.

    Engines make a full join of nothing else, or a slow one. Nobody's unit is missing: where a column equals
    something written, that it does is compared with that. Rows without a unit, which have no partner in an
    earlier join, equal nothing.
    """
    (name,) = {column.table for column in partner.find_all(exp.Column)}

    def both_sides(part: exp.Expression) -> bool:
        if not isinstance(part, exp.EQ):
            return False
        sides = [
            {column.table for column in side.find_all(exp.Column)} for side in (part.this, part.expression)
        ]
        return any(one == {name} and other and name not in other for one, other in (sides, sides[::-1]))

    if any(both_sides(part) for part in conditions):
        return conditions
    alone = [part for part in conditions if {column.table for column in part.find_all(exp.Column)} <= {name}]
    fits = _true_if(exp.and_(*alone, copy=False))
    rest = [part for part in conditions if all(part is not one for one in alone)]
    return [exp.EQ(this=_true_if(there(unit)), expression=fits), *rest]


def _true_if(condition: exp.Expr) -> exp.Expression:
    """Missing where it does not hold, so that it equals nothing."""
    return exp.Case(ifs=[exp.If(this=condition, true=exp.true())])


def joined_rows(rows: Rows, where: Sequence[exp.Expression], dialect: str) -> Rows:
    """Rows of full joins for which all conditions hold; nothing more has to be asked of them."""
    select, rest = rows.select, list(where)
    if dialect in WITH_A_ROW_MORE:
        inside: dict[str, list[exp.Expression]] = {}
        rest = []
        for part in where:
            names = {column.table for column in part.find_all(exp.Column)}
            alone = len(names) == 1 and not names & rows.missing
            (inside.setdefault(names.pop(), []) if alone else rest).append(part)
        select = select.copy()
        for node in (select.args["from_"], *select.args["joins"]):
            node.set("this", _never_empty(node.this, inside.get(node.this.alias, []), rows))
    # All together, or the planner would see what a full join is for.
    kept = joined([*rows.kept, *(in_parentheses(part) for part in rest)])
    return replace(rows, select=select.where(kept, copy=False), kept=())


def _never_empty(side: exp.Expression, conditions: Sequence[exp.Expression], rows: Rows) -> exp.Expression:
    """One side of a join under its alias: the rows that are asked for, and one in which all is missing."""
    asked = exp.Select().from_(side.copy()).select(exp.Star()).where(*conditions, copy=False)
    nothing = exp.Select().select(*(exp.Null() for _ in range(_width(side, rows))))
    return exp.union(asked, nothing, distinct=False, copy=False).subquery(side.alias)


def _width(side: exp.Expression, rows: Rows) -> int:
    """How many columns one side has."""
    if isinstance(side, exp.Subquery):
        return len(side.this.expressions)
    for source in rows.scope.sources.values():
        if source.table is not None:
            column = next(iter(source.columns.values())).sql.find(exp.Column)
            if column is not None and column.table == side.alias:
                return len(source.table.columns)
    raise AssertionError(f"nobody opened {side.alias}")
