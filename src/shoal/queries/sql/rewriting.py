"""A question as people write it, in the words that are checked: schemas, comma joins, IN and EXISTS.

Only the text and the declaration are looked at, and what comes out is checked like any other question:
nothing that is done here can make an answer less private.
"""

from __future__ import annotations

from sqlglot import exp

from shoal.queries.declaration.declaration import Dataset
from shoal.queries.sql.allow_list import conjuncts
from shoal.queries.sql.function_names import REWRITTEN, plain_function
from shoal.queries.sql.group_by import aggregates
from shoal.queries.sql.planning_time import go_on
from shoal.queries.sql.subquery_joins import with_subqueries_joined
from shoal.queries.sql.visible_columns import Relations, called, owner_of, relations_in


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
        _turned_round(select)
        number = with_subqueries_joined(select, dataset, number)
        _with_commas_joined(select, dataset)
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


def _with_commas_joined(select: exp.Select, dataset: Dataset) -> None:
    """FROM a, b WHERE a.x = b.x becomes FROM a JOIN b ON a.x = b.x, a private table first."""
    joins: list[exp.Join] = list(select.args.get("joins") or ())
    loose = [join for join in joins if _is_loose(join)]
    where = select.args.get("where")
    if not loose or where is None:
        return
    relations = relations_in(select, dataset)
    tables = [select.args["from_"].this, *(join.this for join in loose)]
    private = [table for table in tables if not _is_public(table, dataset)]
    first = private[0] if private else tables[0]
    remaining, placed = [table for table in tables if table is not first], {called(first)}
    rest, made = conjuncts(where.this), []
    while remaining:
        ties = {id(table): _ties(rest, called(table), placed, relations) for table in remaining}
        chosen = next((table for table in remaining if ties[id(table)]), remaining[0])
        found = ties[id(chosen)]
        rest = [part for part in rest if not any(part is tie for tie in found)]
        made.append(
            exp.Join(this=chosen, on=exp.and_(*found, copy=False)) if found else exp.Join(this=chosen)
        )
        placed.add(called(chosen))
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
    relations = list(relations_in(select, dataset).values())
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
        owners = {owner_of(column, relations) for column in part.find_all(exp.Column)}
        if isinstance(part, exp.EQ) and len(owners) > 1 and name in owners and owners <= {*placed, name}:
            found.append(part)
    return found


def _is_public(table: exp.Expression, dataset: Dataset) -> bool:
    return isinstance(table, exp.Table) and any(
        one.unit is None and one.name.lower() == table.name.lower() for one in dataset.tables
    )
