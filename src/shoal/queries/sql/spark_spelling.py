"""The rebuilt SQL as Spark writes it: the few functions that are called otherwise there, or do otherwise.

Trees are built of one small vocabulary, DuckDB's and PostgreSQL's. Here every word of it that Spark lacks, or
takes for something else (`LTRIM(x, ' ')` trims the second argument there), gets Spark's own.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from shoal.queries.sql.value_properties import call

_Type = exp.DataType.Type
_MONTHS = {"QUARTER": 3, "DECADE": 120}
OVERFLOW = "a sum does not fit"


def spell_for_spark(tree: exp.Expression) -> exp.Expression:
    """The same tree with Spark's words; the one that was given stays as it is."""
    root = exp.Paren(this=tree.copy())
    for node in reversed(list(root.this.walk(bfs=True))):  # parts come before what they are parts of
        made = _spelled(node)
        if made is not node:
            node.replace(made)
    found: exp.Expression = root.this
    return found.pop()


def _spelled(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Anonymous):
        change = _FUNCTIONS.get(str(node.this).upper())
        return node if change is None else change([part.copy() for part in node.expressions])
    if isinstance(node, exp.Interval):
        return _interval(node)
    return _sum(node) if isinstance(node, exp.Sum) else node


def _as_double(name: str) -> Callable[[list[exp.Expression]], exp.Expression]:
    # FLOOR and CEIL of a double are BIGINT in Spark.
    return lambda given: exp.cast(call(name, *given), _Type.DOUBLE, copy=False)


def _date_part(given: list[exp.Expression]) -> exp.Expression:
    name, moment = str(given[0].this), given[1]
    if name == "epoch":
        return call("UNIX_SECONDS", exp.cast(moment, _Type.TIMESTAMPLTZ, copy=False))
    part = exp.Extract(this=exp.Var(this={"isodow": "dayofweek_iso"}.get(name, name)), expression=moment)
    if name != "dow":
        return part
    return exp.Paren(this=exp.Sub(this=part, expression=exp.Literal.number(1)))  # its Sunday is 1


def _interval(node: exp.Interval) -> exp.Expression:
    unit = str(node.args["unit"].this).upper()
    if unit not in _MONTHS:
        return node
    months = int(str(node.this.this)) * _MONTHS[unit]
    return exp.Interval(this=exp.Literal.string(str(months)), unit=exp.Var(this="MONTH"))


def _sum(node: exp.Sum) -> exp.Expression:
    """A sum that fails where it does not fit 64 bits, as in the other engines, and does not wrap around."""
    total = call("TRY_SUM", node.this.copy())
    some = exp.GT(this=exp.Count(this=node.this.copy()), expression=exp.Literal.number(0))
    none = exp.Is(this=total, expression=exp.Null())
    fails = exp.cast(call("RAISE_ERROR", exp.Literal.string(OVERFLOW)), _Type.BIGINT, copy=False)
    test = exp.If(this=exp.And(this=some, expression=none), true=fails)
    return exp.Case(ifs=[test], default=total.copy())


_FUNCTIONS: dict[str, Callable[[list[exp.Expression]], exp.Expression]] = {
    "FLOOR": _as_double("FLOOR"),
    "CEIL": _as_double("CEIL"),
    "LTRIM": lambda given: call("LTRIM", given[0]),  # of spaces, and nothing else is ever trimmed
    "RTRIM": lambda given: call("RTRIM", given[0]),
    "STRPOS": lambda given: call("INSTR", *given),
    "DATE_PART": _date_part,
}
