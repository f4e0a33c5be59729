"""JOIN: the unit is kept with a public table on equal columns, or with a private one on the unit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.query import Check
from shoal.queries.sql.allow_list import conjuncts, excerpt, only
from shoal.queries.sql.expressions import type_condition, type_expression
from shoal.queries.sql.full_joins import hashed, partner_of, there
from shoal.queries.sql.sources import AliasedSource, Alike, Rows, Scope, Setting, Source
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.work_limit import check_rows

MOST_PARTS = 50  # conditions of one join
FACTS = 30.0  # seconds to look into a public table, while a question is understood
FACTS_ON_SPARK = 300.0  # where a job alone may wait for half a minute until it begins


_KINDS = (("", ""), ("", "INNER"), ("LEFT", ""), ("LEFT", "OUTER"))


def condition(node: exp.Expression, scope: Scope, setting: Setting) -> exp.Expression:
    """A condition over one row."""
    found = type_condition(node, scope, setting.store.dialect)
    if found.kind != "boolean":
        raise NotAllowed(f"'{excerpt(node)}' is {found.kind}, not a condition; compare it with something")
    return found.sql


def join_rows(left: Rows, name: str, right: AliasedSource, join: exp.Join, setting: Setting) -> Rows:
    """Rows paired with those of another table, and how many of the pairs one person has."""
    only(join, "this", "side", "kind", "on", "using")
    if (join.side, join.kind) not in _KINDS:
        raise NotAllowed(
            f"a {join.side or join.kind} join cannot be answered with privacy; use JOIN or LEFT JOIN"
        )
    if name in left.scope.sources:
        raise NotAllowed(f"two tables are called '{name}' in FROM; give one of them another name with AS")
    both = Scope({**left.scope.sources, name: right.source}, left.scope.merged)
    merged = dict(left.scope.merged)
    conditions: list[exp.Expression] = []
    equal: list[tuple[TypedExpression, TypedExpression]] = []
    for identifier in join.args.get("using") or ():
        pair = left.scope.column(identifier.name, None), both.column(identifier.name, name)
        if pair[0].kind != pair[1].kind and not (pair[0].numeric and pair[1].numeric):
            # An engine would read the texts as numbers, and stumble over those that are none.
            raise NotAllowed(
                f"'{identifier.name}' is {pair[0].kind} in one table and {pair[1].kind} in '{name}'; "
                "join ON a CAST of one of them"
            )
        merged[identifier.name.lower()] = replace(pair[0], total=None)
        equal.append(pair)
        conditions.append(exp.EQ(this=pair[0].sql.copy(), expression=pair[1].sql.copy()))
    parts = conjuncts(join.args["on"]) if join.args.get("on") is not None else []
    if len(parts) + len(equal) > MOST_PARTS:
        raise NotAllowed(f"a join has at most {MOST_PARTS} conditions; put others into WHERE")
    for part in parts:
        conditions.append(condition(part, both, setting))
        if isinstance(part, exp.EQ):
            sides = [
                type_expression(side, both, setting.store.dialect) for side in (part.this, part.expression)
            ]
            equal += [(sides[0], sides[1]), (sides[1], sides[0])]
    outer = join.side == "LEFT"
    if right.unit is None:
        matches, back = _matches_public(equal, right, name, setting), left.rows
        rows = left.rows * matches
    else:
        if not _on_unit(right, equal):
            # Keys that tie tables together are somebody's: whose is written beside them.
            _check_tied(right, equal, name)
            conditions.append(exp.EQ(this=left.whose.sql.copy(), expression=right.unit.sql.copy()))
        matches, back = _matches_private(left, right, equal)
        rows = left.rows * matches if outer else min(left.rows * matches, right.rows * back)
    check_rows(rows, setting.declared)
    setting.draft.widest = max(setting.draft.widest, rows)
    both = replace(
        both,
        sources={
            key: source if (back if key == name else matches) == 1 else _repeated(source)
            for key, source in both.sources.items()
        },
    )
    if outer:  # a person without a partner has no second unit
        columns = {
            key: replace(part, unit=False, key=None) for key, part in both.sources[name].columns.items()
        }
        both = replace(both, sources={**both.sources, name: Source(columns, right.source.table)})
    partner = partner_of(right, equal)
    conditions = hashed(conditions, left.whose.sql, partner)
    kept = (*left.kept, *(there(part) for part in (left.whose.sql, *(() if outer else (partner,)))))
    select = left.select.join(right.sql, on=exp.and_(*conditions, copy=False), join_type="FULL", copy=True)
    missing = left.missing | {right.sql.alias} if outer else left.missing
    groups = left.groups if right.unit is None else None
    alike = tuple(replace(part, most=part.most * max(matches, 1)) for part in left.alike)
    if right.unit is not None and not outer:
        alike += tuple(replace(part, most=part.most * back) for part in written_alike(right))
    return Rows(select, replace(both, merged=merged), left.unit, rows, groups, kept, alike, missing)


def _repeated(source: Source) -> Source:
    """A source whose rows may come several times: what they are together is no longer known."""
    if source.table is not None:
        return source
    columns = {name: replace(part, total=None) for name, part in source.columns.items()}
    return replace(source, columns=columns)


def written_alike(source: AliasedSource) -> tuple[Alike, ...]:
    """What is known of rows that are alike, with columns as they are written in a select."""
    columns = source.source.columns
    return tuple(
        Alike(frozenset(columns[name].sql.sql() for name in part.columns), part.most)
        for part in source.source.alike
    )


Pairs = Sequence[tuple[TypedExpression, TypedExpression]]


def _on_unit(right: AliasedSource, equal: Pairs) -> bool:
    theirs = {column.sql.sql() for column in right.source.columns.values() if column.unit}
    return any(
        ours.unit and other.unit and other.sql.sql() in theirs and ours.sql.sql() not in theirs
        for ours, other in equal
    )


def _check_tied(right: AliasedSource, equal: Pairs, name: str) -> None:
    """Refuses private tables that neither the unit nor a key joins."""
    theirs = {column.sql.sql() for column in right.source.columns.values() if column.key is not None}
    if not any(
        ours.key is not None
        and other.key is not None
        and ours.key.table == other.key.table
        and other.sql.sql() in theirs
        and ours.sql.sql() not in theirs
        for ours, other in equal
    ):
        raise NotAllowed(
            f"a private table can be joined on the unit only, or on a key that ties it to another; "
            f"join '{name}' ON both units being equal"
        )


def _matches_private(left: Rows, right: AliasedSource, equal: Pairs) -> tuple[int, int]:
    """With how many rows of the right one of the left is paired, and the other way round, within a person."""
    own = {column.sql.sql() for column in right.source.columns.values()}
    ours, theirs = set(), set()
    for one, other in equal:
        # Like kinds alone: two whole numbers above 2^53 can be equal to one double.
        if one.kind != other.kind or one.kind == "number" or other.sql.sql() not in own:
            continue
        if not _reads_any(one.sql, own):
            ours.add(one.sql.sql())
            theirs.add(other.sql.sql())
    found = [part.most for part in written_alike(right) if part.columns <= theirs]
    back = [part.most for part in left.alike if part.columns <= ours]
    return min([right.rows, *found]), min([left.rows, *back])


def _reads_any(sql: exp.Expression, columns: Collection[str]) -> bool:
    """Whether an expression looks at some of these columns; then it does not pin the others down."""
    return any(column.sql() in columns for column in sql.find_all(exp.Column))


def _matches_public(
    equal: Sequence[tuple[TypedExpression, TypedExpression]],
    right: AliasedSource,
    name: str,
    setting: Setting,
) -> int:
    """With how many public rows one row can be paired: what is equal decides, whatever else is asked."""
    table = right.source.table
    own = {(column.code or column.sql).sql(): key for key, column in right.source.columns.items()}
    columns = []
    for ours, theirs in equal:
        if theirs.sql.sql() not in own or _reads_any(ours.sql, own):
            continue
        # Two whole numbers above 2^53 can be equal to one double: only like kinds are counted by value.
        if ours.kind != theirs.kind or ours.kind == "number":
            raise NotAllowed(
                f"'{name}' is joined on {ours.kind} = {theirs.kind}; join on whole numbers, texts or dates"
            )
        columns.append(own[theirs.sql.sql()])
    if table is None or not columns:
        raise NotAllowed(
            f"the public table '{name}' must be joined ON a column of it being equal to something"
        )
    names = [table.column(name).name for name in dict.fromkeys(columns)]
    check = Check(_most_alike(setting.store.relation(table), names), 1)
    within = FACTS_ON_SPARK if setting.store.dialect == "spark" else FACTS
    most = check.found(setting.store.run([check.select], within)[0])
    setting.draft.checks.append(replace(check, most=max(most, 1)))
    return max(most, 1)


def _most_alike(relation: exp.Expression, names: Sequence[str]) -> exp.Select:
    """How many rows of a public table share the same values at most; a null is equal to nothing."""
    columns = [exp.column(name, table="p", quoted=True) for name in names]
    inner = exp.Select().from_(exp.alias_(relation, "p", table=True))
    inner = inner.select(exp.alias_(exp.Count(this=exp.Star()), "number", copy=False), copy=False)
    for column in columns:
        inner = inner.where(exp.Not(this=exp.Is(this=column.copy(), expression=exp.Null())), copy=False)
    inner = inner.group_by(*columns, copy=False)
    return (
        exp.Select()
        .from_(inner.subquery("q"))
        .select(exp.alias_(exp.Max(this=exp.column("number", table="q")), "number", copy=False), copy=False)
    )
