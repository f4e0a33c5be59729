"""Sub-queries that keep the unit: row by row, or one row for every person."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import UNIT as OWNER
from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.date_values import TEMPORAL
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.fixed_point import as_double, double, to_fixed_point, value_of_code
from shoal.queries.sql.from_where import filter_rows, rows_of
from shoal.queries.sql.group_by import Print, aggregates, fingerprint, group_of, lift_expression, strip_alias
from shoal.queries.sql.sources import (
    Alike,
    NamedSubquery,
    Relation,
    Rows,
    Scope,
    Setting,
    Source,
    under_alias,
)
from shoal.queries.sql.typed_expression import TypedExpression

UNIT = "u"
_CLAUSES = ("expressions", "from_", "joins", "where", "group", "having", "distinct", "with_")


def with_named(select: exp.Select, setting: Setting) -> Setting:
    """The sub-queries named WITH become known by their names."""
    clause = select.args.get("with_")
    if clause is None:
        return setting
    only(clause, "expressions")
    known = dict(setting.named)
    for part in clause.expressions:
        only(part, "this", "alias")
        only(part.args["alias"], "this")
        known[part.alias.lower()] = NamedSubquery(part.this, dict(known))
    return replace(setting, named=known)


def relation_of(node: exp.Expression, setting: Setting) -> Relation:
    """A sub-query rebuilt, its unit carried along."""
    if not isinstance(node, exp.Select):
        raise NotAllowed(
            f"'{excerpt(node)}' is no SELECT; a sub-query selects from one table, joined with others"
        )
    only(node, *_CLAUSES)
    setting = with_named(node, setting)
    rows = rows_of(node, setting)
    group = group_of(node, rows.scope)
    if node.args.get("distinct") is not None:
        if group or any(aggregates(part) for part in node.expressions):
            raise NotAllowed("DISTINCT beside GROUP BY in a sub-query; one of them is enough")
        only(node.args["distinct"])
        group = [strip_alias(part) for part in node.expressions]
    elif not group and not node.args.get("having") and not any(aggregates(part) for part in node.expressions):
        return _project(_outputs(node, rows, setting), rows, rows.whose.sql, setting.store.dialect)
    return _group(node, group, rows, setting)


def carry_column(part: TypedExpression, name: str) -> TypedExpression:
    """A value of a sub-query as a column of it."""
    place = exp.column(name)
    if part.code is None or part.low is None or part.high is None:
        return replace(part, sql=place, code=None)
    again = value_of_code(place, part.grid, part.low, part.high, part.kind == "integer")
    return replace(again, domain=part.domain, total=part.total)


def _project(
    outputs: Mapping[str, TypedExpression], rows: Rows, unit: exp.Expression, dialect: str
) -> Relation:
    select = rows.select.copy()
    columns = {}
    for index, (name, part) in enumerate(outputs.items()):
        select = select.select(
            exp.alias_((part.code or part.sql).copy(), f"c{index}", copy=False), copy=False
        )
        columns[name] = carry_column(part, f"c{index}")
    written = {part.sql.sql(): name for name, part in reversed(list(outputs.items()))}
    alike = tuple(
        Alike(frozenset(written[column] for column in part.columns), part.most)
        for part in rows.alike
        if part.columns <= set(written)
    )
    select = select.select(exp.alias_(unit.copy(), UNIT), copy=False)
    if dialect == "postgres":
        # Else its planner writes a column out wherever it is named, in powers of two and past any deadline.
        select = select.offset(0, copy=False)
    return Relation(select.subquery(), columns, exp.to_identifier(UNIT), rows.rows, rows.groups, alike)


def _outputs(node: exp.Select, rows: Rows, setting: Setting) -> dict[str, TypedExpression]:
    found: dict[str, TypedExpression] = {}
    for part in node.expressions:
        if isinstance(part, exp.Star) or (isinstance(part, exp.Column) and isinstance(part.this, exp.Star)):
            only(part.this if isinstance(part, exp.Column) else part)
            for name, column in _expand_star(part, rows.scope).items():
                _put(found, name, column)
        else:
            _put(found, _name(part), type_expression(strip_alias(part), rows.scope, setting.store.dialect))
    return found


def _expand_star(part: exp.Expression, scope: Scope) -> dict[str, TypedExpression]:
    wanted = part.table.lower() if isinstance(part, exp.Column) else None
    if wanted is not None and wanted not in scope.sources:
        raise NotAllowed(f"no table '{wanted}' in FROM; there is {', '.join(scope.sources)}")
    found: dict[str, TypedExpression] = {}
    for alias, source in scope.sources.items():
        if wanted in (None, alias):
            for name, column in source.columns.items():
                if name == OWNER:  # goes along anyway
                    continue
                if wanted is None and name in scope.merged:
                    found.setdefault(name, scope.merged[name])
                else:
                    _put(found, name, column)
    return found


def _put(found: dict[str, TypedExpression], name: str, part: TypedExpression) -> None:
    if name in found:
        raise NotAllowed(f"two columns of a sub-query are called '{name}'; name one of them with AS")
    found[name] = part


def _name(part: exp.Expression) -> str:
    if isinstance(part, exp.Alias | exp.Column):
        return part.alias_or_name.lower()
    return excerpt(part).lower()


def _group(node: exp.Select, group: list[exp.Expression], rows: Rows, setting: Setting) -> Relation:
    """One row for every person, or for every person and group."""
    dialect = setting.store.dialect
    keys = [type_expression(part, rows.scope, dialect) for part in group]
    whose = [index for index, key in enumerate(keys) if key.unit]
    if not whose:
        if not any(key.key is not None for key in keys):
            raise NotAllowed(
                "a sub-query that puts rows together must keep people apart; add the unit to its GROUP BY"
            )
        # A key that ties tables together is somebody's, so that people stay apart by it.
        whose, keys = [len(keys)], [*keys, rows.whose]
    inner = rows.select.copy()
    columns: dict[str, TypedExpression] = {}
    for index, key in enumerate(keys):
        inner = inner.select(exp.alias_((key.code or key.sql).copy(), f"k{index}", copy=False), copy=False)
        columns[f"k{index}"] = carry_column(key, f"k{index}")
    found: dict[Print, str] = {}

    def register(part: exp.Expression) -> str:
        seen = fingerprint(part, rows.scope)
        if seen not in found:
            name = f"a{len(found)}"
            worked = _aggregate_person(part, rows, dialect)
            columns[name] = carry_column(worked, name)
            inner.select(exp.alias_((worked.code or worked.sql).copy(), name), copy=False)
            found[seen] = name
        return found[seen]

    prints = [fingerprint(part, rows.scope) for part in group]
    chosen = {
        _name(part): lift_expression(strip_alias(part), rows.scope, prints, register)
        for part in node.expressions
    }
    if len(chosen) < len(node.expressions):
        raise NotAllowed("two columns of a sub-query have one name; name one of them with AS")
    having = node.args.get("having")
    aliases = {_name(part): chosen[_name(part)] for part in node.expressions if isinstance(part, exp.Alias)}
    kept = None if having is None else lift_expression(having.this, rows.scope, prints, register, aliases)
    inner = inner.group_by(*(exp.Literal.number(index + 1) for index in range(len(keys))), copy=False)
    alias = setting.draft.alias()
    scope = Scope({alias: Source({name: under_alias(part, alias) for name, part in columns.items()})})
    others = [index for index in range(len(keys)) if index not in whose]
    share = min(rows.rows, math.prod(_values(keys[index]) or rows.rows for index in others))
    each = Alike(frozenset(scope.column(f"k{index}", None).sql.sql() for index in others), 1)
    outer = Rows(
        exp.Select().from_(inner.subquery(alias)), scope, rows.unit, share, rows.groups, alike=(each,)
    )
    if kept is not None:
        outer = filter_rows(outer, kept, setting)
    outputs = {name: type_expression(part, scope, dialect) for name, part in chosen.items()}
    return _project(outputs, outer, scope.column(f"k{whose[0]}", None).sql, dialect)


def _values(key: TypedExpression) -> int | None:
    """How many values of a key one person can have; None where that is not sure.

    A domain is what groups are told of, and no promise that an engine finds no other value.
    """
    if key.kind == "boolean":
        return 3
    return None if key.key is None else key.key.rows + 1  # and the missing one


def _argument(part: exp.Expression, rows: Rows, dialect: str) -> TypedExpression:
    if len(part.expressions) or not isinstance(part.this, exp.Expression):
        raise NotAllowed(f"'{excerpt(part)}' has not exactly one argument")
    return type_expression(part.this, rows.scope, dialect)


def _aggregate_person(part: exp.Expression, rows: Rows, dialect: str) -> TypedExpression:
    """An aggregate over the few rows of one person, as a value of that person."""
    most, part = rows.rows, _without_filter(part)
    if isinstance(part, exp.Count):
        only(part, "this", "big_int")
        if isinstance(part.this, exp.Distinct):
            only(part.this, "expressions")
            if len(part.this.expressions) != 1:
                raise NotAllowed(f"'{excerpt(part)}' counts several columns; count one")
            value = type_expression(part.this.expressions[0], rows.scope, dialect)
            counted: exp.Expression = exp.Distinct(expressions=[value.sql.copy()])
        elif isinstance(part.this, exp.Star):
            counted = exp.Star()
        else:
            counted = type_expression(part.this, rows.scope, dialect).sql.copy()
        of_group = value_of_code(exp.Count(this=counted), Fraction(1), 0, most, whole_numbers=True)
        # However a person's rows are divided among groups, they are so many in all.
        return replace(_without_null(of_group), total=Fraction(most))
    if not isinstance(part, exp.Sum | exp.Avg | exp.Min | exp.Max):
        raise NotAllowed(
            f"'{excerpt(part)}' cannot be worked out per person; COUNT, SUM, AVG, MIN and MAX can"
        )
    only(part, "this")
    value = _argument(part, rows, dialect)
    if value.kind in TEMPORAL and isinstance(part, exp.Min | exp.Max):
        return TypedExpression(
            type(part)(this=value.sql.copy()), value.kind, value.low, value.high, value.domain
        )
    steps = to_fixed_point(value, type(part).__name__.upper())
    low, high = float(steps.low * steps.grid), float(steps.high * steps.grid)
    integer = value.kind == "integer"
    total = exp.cast(exp.Sum(this=steps.sql), exp.DataType.Type.BIGINT, copy=False)
    if isinstance(part, exp.Sum):
        summed = value_of_code(total, steps.grid, min(low, low * most), max(high, high * most), integer)
        return replace(summed, total=most * steps.reach * steps.grid)
    if isinstance(part, exp.Avg):
        number = exp.func("NULLIF", as_double(exp.Count(this=steps.sql.copy())), double(0))
        mean = exp.Div(this=as_double(total), expression=number, typed=True, safe=False)
        return TypedExpression(
            exp.Mul(this=exp.Paren(this=mean), expression=double(steps.grid)), "number", low, high
        )
    extreme = exp.Min(this=steps.sql) if isinstance(part, exp.Min) else exp.Max(this=steps.sql)
    return value_of_code(extreme, steps.grid, low, high, integer)


def _without_filter(part: exp.Expression) -> exp.Expression:
    """COUNT_IF and FILTER as an aggregate of what is missing where the condition does not hold."""
    if isinstance(part, exp.CountIf):
        only(part, "this")
        return _where_it_holds(exp.Count(this=exp.Star()), part.this)
    if not isinstance(part, exp.Filter):
        return part
    only(part, "this", "expression")
    return _where_it_holds(cast(exp.Expression, part.this), part.expression.this)


def _where_it_holds(part: exp.Expression, kept: exp.Expression) -> exp.Expression:
    made = part.copy()
    argument = made.this
    if isinstance(argument, exp.Distinct):
        if len(argument.expressions) != 1:
            return part
        argument = argument.expressions[0]
    value = exp.Literal.number(1) if isinstance(argument, exp.Star) else argument.copy()
    argument.replace(exp.Case(ifs=[exp.If(this=kept.copy(), true=value)]))
    return made


def _without_null(part: TypedExpression) -> TypedExpression:
    domain: tuple[Value, ...] | None = part.domain
    return (
        part
        if domain is None
        else replace(part, domain=tuple(value for value in domain if value is not None))
    )
