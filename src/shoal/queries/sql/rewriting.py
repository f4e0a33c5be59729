"""A question as people write it, in the words that are checked: schemas, comma joins, IN and EXISTS.

Only the text and the declaration are looked at, and what comes out is checked like any other question:
nothing that is done here can make an answer less private.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shoal.queries.declaration.declaration import Dataset
from shoal.queries.sql.allow_list import conjuncts
from shoal.queries.sql.function_names import REWRITTEN, plain_function
from shoal.queries.sql.group_by import aggregates
from shoal.queries.sql.planning_time import go_on

# The columns of everything in FROM, by the name that it has there; None where they are not known.
Relations = Mapping[str, frozenset[str] | None]


def rewritten(tree: exp.Query, dataset: Dataset) -> exp.Query:
    """The same question; what cannot be put into known words stays as it is, and is refused by name."""
    tree = tree.copy()
    named = {part.alias.lower() for part in tree.find_all(exp.CTE)}
    for node in list(tree.find_all(exp.Table, exp.Column)):
        go_on()
        if node.name.lower() not in named or isinstance(node, exp.Column):
            node.set("db", None)
            node.set("catalog", None)
    for part in reversed([*tree.find_all(*REWRITTEN)]):  # the innermost first
        part.replace(plain_function(part))
    number = 0
    for select in reversed(list(tree.find_all(exp.Select))):  # the innermost first
        number = _with_subqueries_joined(select, dataset, number)
        _with_commas_joined(select, dataset)
        _turned_round(select)
        _named_natural(select, dataset)
        _all_ordered(select)
        _first_limited(select)
    if isinstance(tree, exp.Select):
        distinct_grouped(tree)
    return tree


def distinct_grouped(tree: exp.Select) -> None:
    """SELECT DISTINCT of what is no aggregate: one row for every group."""
    if not tree.args.get("distinct") or tree.args["distinct"].args.get("on") or tree.args.get("group"):
        return
    if tree.expressions and not any(aggregates(part) or part.find(exp.Window) for part in tree.expressions):
        tree.set("distinct", None)
        places = [exp.Literal.number(index + 1) for index in range(len(tree.expressions))]
        tree.set("group", exp.Group(expressions=places))


def _with_subqueries_joined(select: exp.Select, dataset: Dataset, number: int) -> int:
    """IN and EXISTS that every row must pass become joins with one row for every match.

    What is joined has each match once, so that no row of the question comes twice.
    """
    where = select.args.get("where")
    if where is None or not any(where.find_all(exp.Exists, exp.In)):
        return number
    rest, joins = [], []
    for part in conjuncts(where.this):
        denied = isinstance(part, exp.Not)
        test = part.this.unnest() if denied else part
        matched = _matched(test, _relations(select, dataset), dataset)
        if matched is None:
            rest.append(part)
            continue
        inner, outer = matched
        name = f"sub-query {number}"
        places = [f"match {number}.{index}" for index in range(len(outer))]
        number += 1
        for index, place in enumerate(places):
            inner.expressions[index].replace(exp.alias_(inner.expressions[index].copy(), place, quoted=True))
        columns = [exp.column(place, table=name, quoted=True) for place in places]
        pairs = zip(outer, columns, strict=True)
        on = exp.and_(*(exp.EQ(this=ours.copy(), expression=theirs) for ours, theirs in pairs), copy=False)
        alias = exp.TableAlias(this=exp.to_identifier(name, quoted=True))
        joins.append(exp.Join(this=exp.Subquery(this=inner, alias=alias), on=on))
        if denied:
            joins[-1].set("side", "LEFT")
            rest.append(exp.Is(this=columns[0].copy(), expression=exp.Null()))
    select.set("joins", [*(select.args.get("joins") or ()), *joins])
    select.set("where", exp.Where(this=exp.and_(*rest, copy=False)) if rest else None)
    return number


def _matched(
    test: exp.Expression, outside: Relations, dataset: Dataset
) -> tuple[exp.Select, list[exp.Expression]] | None:
    """The select of IN or EXISTS with what is compared as its columns, and what those are compared with."""
    if isinstance(test, exp.In) and isinstance(test.args.get("query"), exp.Subquery):
        inner = test.args["query"].this
        if not isinstance(inner, exp.Select) or len(inner.expressions) != 1 or inner.args.get("limit"):
            return None
        if isinstance(inner.expressions[0], exp.Alias):
            inner.expressions[0].replace(inner.expressions[0].this)
        return _once(inner), [test.this]
    if isinstance(test, exp.Exists) and isinstance(test.this, exp.Select):
        return _correlated(test.this, outside, dataset)
    return None


def _correlated(
    inner: exp.Select, outside: Relations, dataset: Dataset
) -> tuple[exp.Select, list[exp.Expression]] | None:
    """EXISTS whose only ties to the question around it are columns of both being equal."""
    where = inner.args.get("where")
    if where is None or inner.args.get("group") or any(aggregates(part) for part in inner.expressions):
        return None
    inside = _relations(inner, dataset)
    rest, own, others = [], [], []
    for part in conjuncts(where.this):
        away = [column for column in part.find_all(exp.Column) if _owner(column, inside) is None]
        if not away:
            rest.append(part)
            continue
        if not isinstance(part, exp.EQ) or len(away) != 1 or _owner(away[0], outside) is None:
            return None
        sides = [part.this, part.expression]
        if away[0] not in sides:
            return None
        others.append(away[0])
        own.append(sides[1 - sides.index(away[0])])
    if not own:
        return None
    inner.set("expressions", own)
    inner.set("where", exp.Where(this=exp.and_(*rest, copy=False)) if rest else None)
    return _once(inner), list(others)


def _once(inner: exp.Select) -> exp.Select:
    """Each row once; a select that groups does so already."""
    if not inner.args.get("group") and not any(aggregates(part) for part in inner.expressions):
        inner.set("distinct", exp.Distinct())
    return inner


def _with_commas_joined(select: exp.Select, dataset: Dataset) -> None:
    """FROM a, b WHERE a.x = b.x becomes FROM a JOIN b ON a.x = b.x, a private table first."""
    joins: list[exp.Join] = list(select.args.get("joins") or ())
    loose = [join for join in joins if _is_loose(join)]
    where = select.args.get("where")
    if not loose or where is None:
        return
    relations = _relations(select, dataset)
    tables = [select.args["from_"].this, *(join.this for join in loose)]
    private = [table for table in tables if not _is_public(table, dataset)]
    first = private[0] if private else tables[0]
    remaining, placed = [table for table in tables if table is not first], {_called(first)}
    rest, made = conjuncts(where.this), []
    while remaining:
        ties = {id(table): _ties(rest, _called(table), placed, relations) for table in remaining}
        chosen = next((table for table in remaining if ties[id(table)]), remaining[0])
        found = ties[id(chosen)]
        rest = [part for part in rest if not any(part is tie for tie in found)]
        made.append(
            exp.Join(this=chosen, on=exp.and_(*found, copy=False)) if found else exp.Join(this=chosen)
        )
        placed.add(_called(chosen))
        remaining = [table for table in remaining if table is not chosen]
    select.args["from_"].set("this", first)
    select.set("joins", [*made, *(join for join in joins if not any(join is one for one in loose))])
    select.set("where", exp.Where(this=exp.and_(*rest, copy=False)) if rest else None)


def _turned_round(select: exp.Select) -> None:
    """FROM a RIGHT JOIN b is FROM b LEFT JOIN a."""
    joins: list[exp.Join] = list(select.args.get("joins") or ())
    if len(joins) == 1 and joins[0].side == "RIGHT" and not joins[0].args.get("using"):
        start = select.args["from_"]
        first, second = start.this, joins[0].this
        start.set("this", second)
        joins[0].set("this", first)
        joins[0].set("side", "LEFT")


def _named_natural(select: exp.Select, dataset: Dataset) -> None:
    """A NATURAL JOIN is one USING the columns that both sides have, where these are known."""
    relations = list(_relations(select, dataset).values())
    for place, join in enumerate(select.args.get("joins") or (), 1):
        if join.args.get("method") != "NATURAL" or len(relations) <= place:
            continue
        left, right = relations[:place], relations[place]
        known = right is not None and all(columns is not None for columns in left)
        common = [name for name in right or () if any(name in (columns or ()) for columns in left)]
        if known and common:
            join.set("method", None)
            join.set("using", [exp.to_identifier(name, quoted=True) for name in sorted(common)])


def _all_ordered(select: exp.Select) -> None:
    """ORDER BY ALL is by every column, from the left."""
    order = select.args.get("order")
    terms = [] if order is None else order.expressions
    if (
        order is not None
        and len(terms) == 1
        and isinstance(terms[0].this, exp.Var)
        and terms[0].this.name.upper() == "ALL"
    ):
        rest = {name: value for name, value in terms[0].args.items() if name != "this"}
        places = [exp.Literal.number(index + 1) for index in range(len(select.expressions))]
        order.set("expressions", [exp.Ordered(this=place, **rest) for place in places])


def _first_limited(select: exp.Select) -> None:
    """FETCH FIRST 3 ROWS ONLY is LIMIT 3; a share of the rows, or ties, it is not."""
    fetch = select.args.get("limit")
    if not isinstance(fetch, exp.Fetch) or fetch.args.get("count") is None:
        return
    options = fetch.args.get("limit_options")
    if options is None or not (options.args.get("percent") or options.args.get("with_ties")):
        select.set("limit", exp.Limit(expression=fetch.args["count"]))


def _is_loose(join: exp.Join) -> bool:
    named = any(value for name, value in join.args.items() if name not in ("this", "kind"))
    return not named and join.kind in ("", "CROSS")


def _ties(
    parts: list[exp.Expression], name: str, placed: set[str], relations: Relations
) -> list[exp.Expression]:
    """The conditions that tie a table to those before it: something of both is equal."""
    found: list[exp.Expression] = []
    for part in parts:
        owners = {_owner(column, relations) for column in part.find_all(exp.Column)}
        if isinstance(part, exp.EQ) and len(owners) > 1 and name in owners and owners <= {*placed, name}:
            found.append(part)
    return found


def _owner(column: exp.Column, relations: Relations) -> str | None:
    """Whose column it is; None where that is not sure."""
    if column.table:
        return column.table.lower() if column.table.lower() in relations else None
    if any(columns is None for columns in relations.values()):
        return None
    owners = [name for name, columns in relations.items() if column.name.lower() in (columns or ())]
    return owners[0] if len(owners) == 1 else None


def _relations(select: exp.Select, dataset: Dataset) -> Relations:
    start = select.args.get("from_")
    tables = [start.this] if start is not None else []
    tables += [join.this for join in select.args.get("joins") or ()]
    return {_called(table): _columns(table, dataset) for table in tables}


def _columns(table: exp.Expression, dataset: Dataset) -> frozenset[str] | None:
    if isinstance(table, exp.Subquery) and isinstance(table.this, exp.Select):
        names = [part.alias_or_name.lower() for part in table.this.expressions]
        return frozenset(names) if all(names) and "*" not in names else None
    return next(
        (
            frozenset(column.name.lower() for column in one.columns)
            for one in dataset.tables
            if isinstance(table, exp.Table) and one.name.lower() == table.name.lower()
        ),
        None,
    )


def _called(table: exp.Expression) -> str:
    return table.alias_or_name.lower()


def _is_public(table: exp.Expression, dataset: Dataset) -> bool:
    return isinstance(table, exp.Table) and any(
        one.unit is None and one.name.lower() == table.name.lower() for one in dataset.tables
    )
