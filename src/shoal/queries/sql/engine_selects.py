"""What the engine is asked: new selects, one for the numbers of every group and one for each quantile."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shoal.queries.query import GroupCount, Query
from shoal.queries.sql.fixed_point import whole

_BIGINT = exp.DataType.Type.BIGINT


def selects(query: Query) -> list[exp.Select]:
    """The numbers (k0, k1 …, x0, x1 …), and per quantile how many rows each step has (k0 …, step, rows).

    Rows without a value have a null step: to leave them out by WHERE would work every step out twice.
    """
    arguments = [column.argument for column in query.columns]
    steps = [quantile.sql for quantile in query.quantiles]
    source, keys = query.source, [key.sql for key in query.keys]
    if query.limited:
        source, keys, arguments, steps = _limit_groups(query, arguments, steps)
    main = source.copy()
    for index, key in enumerate(keys):
        main = main.select(exp.alias_(key.copy(), f"k{index}", copy=False), copy=False)
    for index, (column, argument) in enumerate(zip(query.columns, arguments, strict=True)):
        main = main.select(exp.alias_(_number(column, argument), f"x{index}", copy=False), copy=False)
    if not query.columns:
        main = main.select(exp.alias_(exp.Count(this=exp.Star()), "x0", copy=False), copy=False)
    found = [_by(main, len(keys))]
    for step in steps:
        asked = source.copy()
        for index, key in enumerate(keys):
            asked = asked.select(exp.alias_(key.copy(), f"k{index}", copy=False), copy=False)
        asked = asked.select(exp.alias_(step.copy(), "step", copy=False), copy=False)
        asked = asked.select(exp.alias_(exp.Count(this=exp.Star()), "rows", copy=False), copy=False)
        found.append(_by(asked, len(keys) + 1))
    return found


def _by(select: exp.Select, number: int) -> exp.Select:
    return (
        select.group_by(*(exp.Literal.number(index + 1) for index in range(number)), copy=False)
        if number
        else select
    )


def _number(column: GroupCount, argument: exp.Expression | None) -> exp.Expression:
    if argument is None:
        return exp.Count(this=exp.Star())
    if column.function == "distinct":
        return exp.Count(this=exp.Distinct(expressions=[argument.copy()]))
    if column.function == "sum":
        return exp.cast(exp.Sum(this=argument.copy()), _BIGINT, copy=False)
    if column.function == "distinct sum":
        once = exp.Distinct(expressions=[argument.copy()])
        return exp.cast(exp.Sum(this=once), _BIGINT, copy=False)
    return exp.Count(this=argument.copy())


def _limit_groups(
    query: Query, arguments: list[exp.Expression | None], steps: list[exp.Expression]
) -> tuple[exp.Select, list[exp.Expression], list[exp.Expression | None], list[exp.Expression]]:
    """The same rows, of every person only those in so many groups, and of those only so many in each.

    Which ones is decided by the person's own rows alone. Rows that pass for one another count alike.
    """
    inner = query.source.copy()
    for index, key in enumerate(query.keys):
        inner = inner.select(exp.alias_(key.sql.copy(), f"k{index}", copy=False), copy=False)
    for index, argument in enumerate(arguments):
        if argument is not None:
            inner = inner.select(exp.alias_(argument.copy(), f"x{index}", copy=False), copy=False)
    for index, step in enumerate(steps):
        inner = inner.select(exp.alias_(step.copy(), f"s{index}", copy=False), copy=False)
    order = []
    for key in query.keys:
        # By a digest, so that no group is favoured; then by value, so that no two groups pass for one.
        text = exp.cast(key.sql.copy(), exp.DataType.Type.TEXT, copy=False)
        order += [exp.Ordered(this=exp.MD5(this=text)), exp.Ordered(this=key.sql.copy())]
    rank = exp.Window(
        this=exp.Anonymous(this="DENSE_RANK"),
        partition_by=[query.unit.copy()],
        order=exp.Order(expressions=order),
    )
    inner = inner.select(exp.alias_(rank, "place"), copy=False)
    if query.each is not None and query.each < query.rows:
        inner = inner.select(exp.alias_(_number_in_group(query, [*arguments, *steps]), "turn"), copy=False)
    outer = (
        exp.Select()
        .from_(inner.subquery("g"))
        .where(exp.LTE(this=exp.column("place", table="g"), expression=whole(query.groups)), copy=False)
    )
    if query.each is not None and query.each < query.rows:
        turn = exp.column("turn", table="g")
        outer = outer.where(exp.LTE(this=turn, expression=whole(query.each)), copy=False)
    return (
        outer,
        [exp.column(f"k{index}", table="g") for index in range(len(query.keys))],
        [
            None if part is None else exp.column(f"x{index}", table="g")
            for index, part in enumerate(arguments)
        ],
        [exp.column(f"s{index}", table="g") for index in range(len(steps))],
    )


def _number_in_group(query: Query, values: Sequence[exp.Expression | None]) -> exp.Expression:
    """The number of a row among those of one person in one group, in the order of all that is counted of it:
    by digests first, so that no value is favoured.
    """
    order = []
    for value in values:
        if value is not None:
            text = exp.cast(value.copy(), exp.DataType.Type.TEXT, copy=False)
            order += [exp.Ordered(this=exp.MD5(this=text)), exp.Ordered(this=value.copy())]
    return exp.Window(
        this=exp.Anonymous(this="ROW_NUMBER"),
        partition_by=[query.unit.copy(), *(key.sql.copy() for key in query.keys)],
        order=exp.Order(expressions=order) if order else None,
    )
