"""FROM and WHERE: which rows a question reads, and how many of them one person has.

Every relation carries its unit along, named by the analyst or not.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.sql.allow_list import conjuncts, excerpt, only
from shoal.queries.sql.full_joins import joined_rows
from shoal.queries.sql.joins import condition, join_rows, written_alike
from shoal.queries.sql.sources import (
    AliasedSource,
    Columns,
    Relation,
    Rows,
    Scope,
    Setting,
    Source,
    under_alias,
)
from shoal.queries.sql.typed_expression import TypedExpression


def rows_of(select: exp.Select, setting: Setting) -> Rows:
    """FROM, JOIN and WHERE of a select."""
    start = select.args.get("from_")
    if start is None:
        raise NotAllowed("the question has no FROM; name a table")
    only(start, "this")
    name, first = _open_relation(start.this, setting)
    if first.unit is None:
        raise NotAllowed(
            f"'{name}' is public; put the private table first in FROM and join the public one to it"
        )
    rows = Rows(
        exp.Select().from_(first.sql, copy=False),
        Scope({name: first.source}),
        first.unit,
        first.rows,
        first.groups,
        alike=written_alike(first),
    )
    for join in select.args.get("joins") or ():
        name, right = _open_relation(join.this, setting)
        rows = join_rows(rows, name, right, join, setting)
    where = select.args.get("where")
    if where is not None:
        only(where, "this")
    if rows.kept:
        parts = [] if where is None else conjuncts(where.this)
        asked = [condition(part, rows.scope, setting) for part in parts]
        return joined_rows(rows, asked, setting.store.dialect)
    return rows if where is None else filter_rows(rows, where.this, setting)


def filter_rows(rows: Rows, node: exp.Expression, setting: Setting) -> Rows:
    """Rows for which a condition holds; it looks at one row at a time, so nobody's share can grow."""
    kept = condition(node, rows.scope, setting)
    return replace(rows, select=rows.select.where(kept, copy=False))


def _open_relation(node: exp.Expression, setting: Setting) -> tuple[str, AliasedSource]:
    """What FROM or JOIN names, under an alias of ours; and the name that the analyst calls it by."""
    from shoal.queries.sql.subqueries import relation_of

    if isinstance(node, exp.Subquery):
        only(node, "this", "alias")
        if not node.alias:
            raise NotAllowed("a sub-query in FROM needs a name; write (SELECT …) AS s")
        return _alias(node), _named(relation_of(node.this, setting), setting)
    if not isinstance(node, exp.Table):
        raise NotAllowed(f"'{excerpt(node)}' is no table; name a table, a sub-query or one from WITH")
    only(node, "this", "alias")
    if not isinstance(node.this, exp.Identifier):
        raise NotAllowed(f"'{excerpt(node)}' is no table of the data set; functions cannot be asked")
    name = node.name.lower()
    if name in setting.named:
        found = setting.named[name]
        inside = replace(setting, named=found.known)
        return _alias(node) or name, _named(relation_of(found.select, inside), setting)
    try:
        table = setting.dataset.table(name)
    except BadParameter as error:
        raise NotAllowed(str(error)) from None
    alias = setting.draft.alias()
    setting.draft.widest = max(setting.draft.widest, table.rows)
    columns = Columns(table, alias, setting.ties_of(table))
    opened = AliasedSource(
        exp.alias_(setting.store.relation(table), alias, table=True),
        Source(columns, table, setting.alike_in(table)),
        columns[table.unit.lower()] if table.unit else None,
        table.rows,
        table.groups,
    )
    return _alias(node) or table.name.lower(), opened


def _alias(node: exp.Expression) -> str:
    alias = node.args.get("alias")
    if alias is not None:
        only(alias, "this")
    return node.alias.lower()


def _named(relation: Relation, setting: Setting) -> AliasedSource:
    alias = setting.draft.alias()
    columns = {name: under_alias(part, alias) for name, part in relation.columns.items()}
    unit = exp.column(relation.unit.copy(), table=exp.to_identifier(alias))
    kind = next(table.column(table.unit).kind for table in setting.dataset.tables if table.unit)
    return AliasedSource(
        exp.alias_(relation.sql, alias, table=True, copy=False),
        Source(columns, alike=relation.alike),
        TypedExpression(unit, kind, unit=True),
        relation.rows,
        relation.groups,
    )
