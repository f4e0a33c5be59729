"""Sub-queries that speak of the row around them become joins: IN, EXISTS, and one value for every row.

`(SELECT COUNT(*) FROM visits v WHERE v.id = p.id)` is a left join with visits counted by id. Whether these
are one person's rows is for the planner to say, as with any other join: nothing here decides about privacy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from sqlglot import exp

from shoal.queries.declaration.declaration import Dataset
from shoal.queries.sql.allow_list import conjuncts, excerpt
from shoal.queries.sql.group_by import AGGREGATES, aggregates, combines
from shoal.queries.sql.visible_columns import Relations, owner_of, relations_in, relations_of

_PARTS = ("expressions", "where", "group", "order")  # where every row has a value of its own
_PLAIN = ("expressions", "from_", "joins", "where")  # of a sub-query that tells one value


def with_subqueries_joined(select: exp.Select, dataset: Dataset, number: int) -> int:
    """All of one select; how many sub-queries have a name by now.

    What is joined has each match once, so that no row of the question comes twice.
    """
    number = _conditions_joined(select, dataset, number)
    seen: dict[str, exp.Expression] = {}
    for part in _among_expressions(select):
        text = part.sql(dialect="duckdb", comments=False)
        if text not in seen:
            made = _as_value(part.copy(), select, dataset, number)
            if made is None:
                continue
            select.append("joins", made.join)
            seen[text] = made.value
            number += 1
        _keep_name(part, select)
        part.replace(seen[text].copy())
    return number


def _conditions_joined(select: exp.Select, dataset: Dataset, number: int) -> int:
    """IN and EXISTS that every row must pass: rows without a match need not be kept."""
    where = select.args.get("where")
    if where is None or not any(where.find_all(exp.Exists, exp.In)):
        return number
    rest: list[exp.Expression] = []
    joins = []
    for part in conjuncts(where.this):
        denied = isinstance(part, exp.Not)
        test = cast(exp.Expression, part.this.unnest()) if denied else part
        matched = _matched(test, relations_in(select, dataset), dataset)
        if matched is None:
            rest.append(part)
            continue
        made = _joined(matched, number)
        number += 1
        joins.append(made.join)
        if denied:
            rest.append(exp.Is(this=made.places[0].copy(), expression=exp.Null()))
        else:
            made.join.set("side", None)
    select.set("joins", [*(select.args.get("joins") or ()), *joins])
    select.set("where", exp.Where(this=exp.and_(*rest, copy=False)) if rest else None)
    return number


@dataclass(frozen=True)
class _Match:
    """A select whose first columns are compared with something outside of it."""

    inner: exp.Select
    outer: list[exp.Expression]


@dataclass(frozen=True)
class _Ties:
    """Where a sub-query speaks of the row around it."""

    own: list[exp.Expression]
    others: list[exp.Expression]
    rest: list[exp.Expression]


@dataclass(frozen=True)
class _Joined:
    """A left join, and the columns of it that are compared."""

    join: exp.Join
    places: list[exp.Column]


@dataclass(frozen=True)
class _Value:
    """A left join, and what stands for the sub-query in every row of it."""

    join: exp.Join
    value: exp.Expression


def _joined(match: _Match, number: int) -> _Joined:
    name = _name(number)
    places = []
    for index, theirs in enumerate(match.inner.expressions[: len(match.outer)]):
        place = f"match {number}.{index}"
        theirs.replace(exp.alias_(theirs.copy(), place, quoted=True))
        places.append(exp.column(place, table=name, quoted=True))
    pairs = zip(match.outer, places, strict=True)
    on = exp.and_(*(exp.EQ(this=ours.copy(), expression=theirs.copy()) for ours, theirs in pairs), copy=False)
    alias = exp.TableAlias(this=exp.to_identifier(name, quoted=True))
    inner = exp.Subquery(this=match.inner, alias=alias)
    return _Joined(exp.Join(this=inner, on=on, side="LEFT"), places)


def _name(number: int) -> str:
    return f"sub-query {number}"


def _matched(test: exp.Expression, outside: Relations, dataset: Dataset) -> _Match | None:
    """The select of IN or EXISTS with what is compared as its columns, and what those are compared with."""
    if isinstance(test, exp.In) and isinstance(test.args.get("query"), exp.Subquery):
        inner = test.args["query"].this
        if not isinstance(inner, exp.Select) or len(inner.expressions) != 1 or inner.args.get("limit"):
            return None
        if isinstance(inner.expressions[0], exp.Alias):
            inner.expressions[0].replace(inner.expressions[0].this)
        return _Match(_once(inner), [test.this])
    if isinstance(test, exp.Exists) and isinstance(test.this, exp.Select):
        inner = test.this
        if inner.args.get("group") or any(aggregates(part) for part in inner.expressions):
            return None
        ties = _ties(inner, outside, dataset)
        if ties is None:
            return None
        inner.set("expressions", ties.own)
        _keep(inner, ties.rest)
        return _Match(_once(inner), ties.others)
    return None


def _ties(inner: exp.Select, outside: Relations, dataset: Dataset) -> _Ties | None:
    """Columns of the row around a sub-query that something of its own equals, if these are its only ties."""
    where = inner.args.get("where")
    if where is None:
        return None
    inside = relations_in(inner, dataset)
    ties = _Ties([], [], [])
    for part in conjuncts(where.this):
        away = [column for column in part.find_all(exp.Column) if owner_of(column, inside) is None]
        if not away:
            ties.rest.append(part)
            continue
        column, sides = away[0], [part.this, part.args.get("expression")]
        unsure = not column.table and None in inside.values()
        if not isinstance(part, exp.EQ) or len(away) != 1 or column not in sides or unsure:
            return None
        if owner_of(column, outside) is None:
            return None
        ties.others.append(column)
        ties.own.append(sides[1 - sides.index(column)])
    return ties if ties.own else None


def _keep(inner: exp.Select, rest: list[exp.Expression]) -> None:
    inner.set("where", exp.Where(this=exp.and_(*rest, copy=False)) if rest else None)


def _once(inner: exp.Select) -> exp.Select:
    """Each row once; a select that groups does so already."""
    if not inner.args.get("group") and not any(aggregates(part) for part in inner.expressions):
        inner.set("distinct", exp.Distinct())
    return inner


def _among_expressions(select: exp.Select) -> Iterator[exp.Expression]:
    """Sub-queries with what they are tested by, wherever every row has a value: the outermost of them."""
    for name in _PARTS:
        value = select.args.get(name)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, exp.Expression):
                yield from list(_outermost(part))


def _outermost(part: exp.Expression) -> Iterator[exp.Expression]:
    for node in part.walk(prune=_has_query):
        if _has_query(node) and not isinstance(node.parent, exp.Any | exp.All):
            yield cast(exp.Expression, node)


def _has_query(node: exp.Expr) -> bool:
    return isinstance(node, exp.Exists | exp.Query) or (
        isinstance(node, exp.In) and node.args.get("query") is not None
    )


def _as_value(part: exp.Expression, select: exp.Select, dataset: Dataset, number: int) -> _Value | None:
    """What a sub-query is in one row, if it speaks of this row's person or key."""
    outside = relations_in(select, dataset)
    if isinstance(part, exp.Exists | exp.In):
        named = _tables(part) if isinstance(part, exp.Exists) else _row_tables(select)
        if not any(_is_private(name, dataset) for name in named):
            return None  # noisy numbers are compared in an engine that knows all of SQL
        matched = _matched(part, outside, dataset)
        if matched is None:
            return None
        made = _joined(matched, number)
        missing = exp.Is(this=made.places[0].copy(), expression=exp.Null())
        return _Value(made.join, exp.Paren(this=exp.Not(this=missing)))
    inner = part.this if isinstance(part, exp.Subquery) else None
    if not isinstance(inner, exp.Select) or len(inner.expressions) != 1:
        return None
    if any(value for name, value in inner.args.items() if name not in _PLAIN):
        return None
    if not any(_is_private(name, dataset) for name in _tables(inner)):
        return None
    ties = _ties(inner, outside, dataset)
    return None if ties is None else _one_value(inner, ties, dataset, number)


def _one_value(inner: exp.Select, ties: _Ties, dataset: Dataset, number: int) -> _Value | None:
    """A sub-query grouped by what it is tied with; a count of nothing is 0, all else is missing."""
    told = inner.expressions[0].unalias().copy()
    inside = relations_in(inner, dataset)
    grouped = aggregates(told)
    if not grouped and not _one_row_each(inner, ties, dataset):
        return None
    found: list[exp.Expression] = []
    strange: list[exp.Expr] = []

    def changed(part: exp.Expr) -> exp.Expr:
        own = isinstance(part, exp.Column) and owner_of(part, inside) is not None
        if isinstance(part, AGGREGATES) or (own and not grouped):
            strange.extend(column for column in part.find_all(exp.Column) if owner_of(column, inside) is None)
            place = exp.column(f"value {number}.{len(found)}", table=_name(number), quoted=True)
            found.append(cast(exp.Expression, part.copy()))
            head = part.this if isinstance(part, exp.Filter) else part
            if isinstance(head, exp.Count | exp.CountIf):
                return exp.Coalesce(this=place, expressions=[exp.Literal.number(0)])
            return place
        if own or isinstance(part, exp.Query | exp.Window | exp.Star):
            strange.append(part)
        return part

    value = cast(exp.Expression, told.transform(changed))
    if strange:
        return None
    columns = [exp.alias_(part, f"value {number}.{index}", quoted=True) for index, part in enumerate(found)]
    inner.set("expressions", [*ties.own, *columns])
    _keep(inner, ties.rest)
    if grouped:
        places = [exp.Literal.number(index + 1) for index in range(len(ties.own))]
        inner.set("group", exp.Group(expressions=places))
    made = _joined(_Match(inner, ties.others), number)
    return _Value(made.join, exp.Paren(this=value))


def _one_row_each(inner: exp.Select, ties: _Ties, dataset: Dataset) -> bool:
    """Whether everybody has one row at most in the only table, by which the rows are tied."""
    names = list(relations_in(inner, dataset))
    table = inner.args["from_"].this
    if len(names) != 1 or not isinstance(table, exp.Table) or not _is_private(table.name, dataset):
        return False
    declared = dataset.table(table.name)
    unit = (declared.unit or "").lower()
    named = any(isinstance(own, exp.Column) and own.name.lower() == unit for own in ties.own)
    return declared.link is None and declared.rows == 1 and named


def _tables(part: exp.Expression) -> list[str]:
    return [table.name for table in part.find_all(exp.Table)]


def _row_tables(select: exp.Select) -> list[str]:
    """Tables whose rows a select has one by one."""
    found: list[str] = []
    for one in relations_of(select):
        if isinstance(one, exp.Table):
            found.append(one.name)
        elif isinstance(one.this, exp.Select) and not combines(one.this):
            found += _row_tables(one.this)
    return found


def _is_private(name: str, dataset: Dataset) -> bool:
    return any(table.private and table.name.lower() == name.lower() for table in dataset.tables)


def _keep_name(part: exp.Expression, select: exp.Select) -> None:
    """A column of the answer is called as it was written."""
    top: exp.Expr = part
    while top.parent is not None and top.parent is not select:
        top = top.parent
    if top.arg_key == "expressions" and isinstance(top, exp.Expression) and not isinstance(top, exp.Alias):
        named = exp.Alias(alias=exp.to_identifier(excerpt(top).lower(), quoted=True))
        top.replace(named)
        named.set("this", top)
