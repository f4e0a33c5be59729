"""What an outer query may be made of: it runs on noisy numbers in an engine that has nothing else.

Every part of the tree is on a list, deterministic, and reaches no file, setting or clock. What would raise
for some numbers is put so that it gives null: a cast that fails, a root or logarithm of what has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.planning_time import go_on

MOST_PARTS = 5_000  # of the whole outer query
MOST_TABLES = 50  # that it opens, with those behind names of WITH counted as often as they are named
LONGEST = 10_000  # characters of a text that is put together; the rest is cut off
_NAMES = """
    Select Union Intersect Except From Join Where Group Having Qualify Order Ordered Limit Offset With CTE
    TableAlias Table Subquery Column Identifier Alias Star Distinct Literal Boolean Null Paren Tuple Var
    Add Sub Mul Div IntDiv Mod Pow Neg EQ NEQ LT LTE GT GTE NullSafeEQ NullSafeNEQ And Or Not Is Between In
    Exists Like ILike Case If Coalesce Nullif Least Greatest Abs Sign Round Floor Ceil Sqrt Ln Exp
    Cast TryCast DataType DataTypeParam DPipe Upper Lower Trim Length Substring Left Right StrPosition
    Window WindowSpec Filter IgnoreNulls RespectNulls RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag
    Lead FirstValue LastValue NthValue Count CountIf Sum Avg Min Max Median Quantile PercentileCont
    PercentileDisc WithinGroup Stddev StddevPop StddevSamp Variance VariancePop
    Extract Year Month Day Quarter TimestampTrunc DateTrunc Interval Rollup Cube GroupingSets Grouping
"""
_ALLOWED = {getattr(exp, name) for name in _NAMES.split() if hasattr(exp, name)}
_ARGUMENTS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Select: (
        "expressions", "from_", "joins", "where", "group", "having", "qualify", "windows", "order", "limit",
        "offset", "distinct", "with_",
    ),
    exp.Union: ("this", "expression", "distinct", "by_name", "order", "limit", "offset", "with_"),
    exp.Intersect: ("this", "expression", "distinct", "order", "limit", "offset", "with_"),
    exp.Except: ("this", "expression", "distinct", "order", "limit", "offset", "with_"),
    exp.Group: ("expressions", "all"),
    exp.Join: ("this", "side", "kind", "on", "using", "method"),
    exp.Table: ("this", "alias"),
    exp.Subquery: ("this", "alias"),
    exp.TableAlias: ("this", "columns"),
    exp.With: ("expressions",),
    exp.CTE: ("this", "alias"),
    exp.Star: (),
    exp.Column: ("this", "table"),
    exp.Distinct: ("expressions",),
    exp.Limit: ("expression",),
    exp.Cast: ("this", "to"),
    exp.TryCast: ("this", "to", "requires_string"),
    exp.Like: ("this", "expression", "negate"),
    exp.ILike: ("this", "expression", "negate"),
    exp.Window: ("this", "partition_by", "order", "spec", "alias", "over", "first"),
}  # fmt: skip
_TYPES = {
    exp.DType[name]
    for name in ["TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN"]
}
_TYPES |= {exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.DATE, exp.DType.TIMESTAMP}
_DATES = "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND DOW DOY ISODOW DECADE CENTURY EPOCH"
_WORDS = frozenset(_DATES.split())
_JOINS = {
    "side": ("", "LEFT", "RIGHT", "FULL"),
    "kind": ("", "INNER", "OUTER", "CROSS"),
    "method": ("", "NATURAL"),
}


def checked_outer(tree: exp.Query) -> exp.Query:
    """The query with nothing in it that is not on the list, and nothing that raises where null will do."""
    for number, node in enumerate(tree.walk()):
        go_on()
        if number > MOST_PARTS:
            raise NotAllowed(
                f"what is done with noisy results has more than {MOST_PARTS:,} parts; ask for less"
            )
        _check(node)
    if _opened(tree, {}) > MOST_TABLES:
        raise NotAllowed(
            f"what is done with noisy results opens more than {MOST_TABLES} tables; ask in steps"
        )
    for node in reversed(list(tree.walk())):  # the innermost first
        made = _total(node)
        if made is not node:
            node.replace(made)
    return tree


def _opened(node: exp.Expr, known: Mapping[str, int]) -> int:
    """How many tables are opened: an engine may write out what stands behind a name wherever it is named."""
    if isinstance(node, exp.Table):
        return known.get(node.name.lower(), 1)
    inside, clause = dict(known), node.args.get("with_")
    for part in [] if clause is None else clause.expressions:
        inside[part.alias.lower()] = _opened(part.this, inside)
    return sum(_opened(child, inside) for child in node.iter_expressions() if child is not clause)


def _check(node: exp.Expr) -> None:
    if type(node) not in _ALLOWED:
        raise NotAllowed(
            f"'{excerpt(cast(exp.Expression, node))}' cannot be used on noisy results; "
            "docs/sql.md lists what can"
        )
    if type(node) in _ARGUMENTS:
        only(cast(exp.Expression, node), *_ARGUMENTS[type(node)])
    if isinstance(node, exp.DataType) and (node.this not in _TYPES or node.args.get("nested")):
        raise NotAllowed(f"CAST to {node.this.name} cannot be used on noisy results; DOUBLE and VARCHAR can")
    if isinstance(node, exp.Var) and node.name.upper() not in _WORDS:
        raise NotAllowed(f"'{node.name[:20]}' is no part of a date; there is year, quarter, month, day")
    if isinstance(node, exp.Join):
        for name, known in _JOINS.items():
            if str(node.args.get(name) or "").upper() not in known:
                raise NotAllowed(
                    f"a {node.args[name]} join of noisy results cannot be asked; use JOIN or LEFT JOIN"
                )
    if isinstance(node, exp.Identifier):
        node.set("quoted", True)


def _total(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        return exp.TryCast(this=node.this.copy(), to=node.args["to"].copy())
    if isinstance(node, exp.Sqrt | exp.Ln):
        least = exp.GTE if isinstance(node, exp.Sqrt) else exp.GT
        holds = least(this=exp.Paren(this=node.this.copy()), expression=exp.Literal.number(0))
        return exp.Case(ifs=[exp.If(this=holds, true=node.copy())])
    if isinstance(node, exp.DPipe) and not isinstance(node.parent, exp.DPipe):
        return exp.Left(this=node.copy(), expression=exp.Literal.number(LONGEST))
    return node
