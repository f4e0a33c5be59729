"""What happens after the noise: expressions over keys and noisy aggregates, for SELECT, HAVING and ORDER BY.

Keys are the columns k0, k1 …, aggregates a0, a1 …. Nothing here touches private rows, so nothing here costs
budget. No values make it raise: what has no result is null.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Order
from shoal.queries.sql import nullable_arrays as arrays
from shoal.queries.sql.nullable_arrays import FALSE, TRUE, Array
from shoal.queries.sql.post_processing_rules import WHOLE_TYPES, check_expression

__all__ = ["check_expression", "column_values", "evaluate", "keep_groups", "order_groups", "whole"]

_NUMERIC: Mapping[type[exp.Expr], Callable[..., Array]] = {
    exp.Add: np.add, exp.Sub: np.subtract, exp.Mul: np.multiply, exp.Div: np.divide, exp.Mod: np.fmod,
    exp.Pow: arrays.power, exp.Neg: np.negative, exp.Abs: np.abs, exp.Floor: np.floor, exp.Ceil: np.ceil,
    exp.Sqrt: np.sqrt, exp.Ln: np.log, exp.Exp: np.exp, exp.Round: arrays.round_half_up,
}  # fmt: skip
_COMPARISONS: Mapping[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq, exp.NEQ: operator.ne, exp.LT: operator.lt, exp.LTE: operator.le,
    exp.GT: operator.gt, exp.GTE: operator.ge,
}  # fmt: skip


def evaluate(node: exp.Expr, values: Mapping[str, Array]) -> Array:
    """The values of a checked expression, in the forms of `post_arrays`.

    The arrays broadcast against each other: keys have one value per group, simulated aggregates one per draw
    and group. The result has the shape that its columns have together.
    """
    with np.errstate(all="ignore"):
        return np.asarray(_value(node, values))


def keep_groups(having: exp.Expr | None, values: Mapping[str, Array]) -> NDArray[np.bool_]:
    """Which groups a condition keeps: those where it is true, neither false nor unknown."""
    if having is None:
        return np.ones(_shape(values), np.bool_)
    return np.broadcast_to(arrays.coerce(evaluate(having, values), np.int8) > 0, _shape(values))


def order_groups(order: Sequence[Order], values: Mapping[str, Array]) -> NDArray[np.intp]:
    """The groups in their order; those that are equal stay as they were."""
    shape = _shape(values)
    places = [
        arrays.ranks(
            np.broadcast_to(evaluate(term.sql, values), shape),
            descending=term.descending,
            nulls_first=term.nulls_first,
        )
        for term in order
    ]
    return np.lexsort(places[::-1]) if places else np.arange(*shape)


def column_values(
    node: exp.Expr, values: Mapping[str, Array], whole_columns: Collection[str] = ()
) -> list[Value]:
    """A column of the answer as plain values, one per group.

    Whole numbers come out as such if `whole_columns` (counts, integer keys) and the expression say so.
    """
    found = np.broadcast_to(evaluate(node, values), _shape(values))
    return arrays.plain_values(found, whole(node, whole_columns))


def whole(node: exp.Expr, whole_columns: Collection[str]) -> bool:
    """Whether an expression gives whole numbers whenever these columns do."""
    match node:
        case exp.Column():
            return node.name in whole_columns
        case exp.Literal():
            return not node.is_string and node.name.isdigit()
        case exp.Cast():
            return node.args["to"].this in WHOLE_TYPES
        case exp.Floor() | exp.Ceil() | exp.Null():
            return True
        case exp.Round():
            return node.args.get("decimals") is None or whole(node.this, whole_columns)
        case exp.Case():
            branches = [branch.args["true"] for branch in node.args["ifs"]]
            default = node.args.get("default")
            return all(whole(one, whole_columns) for one in [*branches, *([default] if default else [])])
        case exp.Nullif():
            return whole(node.this, whole_columns)
        case (
            exp.Add() | exp.Sub() | exp.Mul() | exp.Mod() | exp.Neg() | exp.Abs() | exp.Paren()
            | exp.Coalesce() | exp.Least() | exp.Greatest()
        ):  # fmt: skip
            return all(whole(one, whole_columns) for one in node.iter_expressions())
    return False


def _value(node: exp.Expr, values: Mapping[str, Array]) -> Array:
    def of(part: exp.Expr) -> Array:
        return np.asarray(_value(part, values))

    def truth(part: exp.Expr) -> Array:
        return arrays.coerce(of(part), np.int8)

    kind = type(node)
    if kind in _NUMERIC:
        numbers = [arrays.coerce(of(part), np.float64) for part in node.iter_expressions()]
        return arrays.finite(_NUMERIC[kind](*numbers))
    if kind in _COMPARISONS:
        return arrays.compare(_COMPARISONS[kind], of(node.this), of(node.expression))
    match node:
        case exp.Column():
            return arrays.column(values[node.name])
        case exp.Paren():
            return of(node.this)
        case exp.Literal():
            return np.asarray(node.name, object) if node.is_string else np.asarray(float(node.name))
        case exp.Boolean():
            return np.asarray(TRUE if node.this else FALSE)
        case exp.Null():
            return np.asarray(np.nan)
        case exp.And():
            return np.minimum(truth(node.this), truth(node.expression))
        case exp.Or():
            return np.maximum(truth(node.this), truth(node.expression))
        case exp.Not():
            return np.negative(truth(node.this))
        case exp.Is(expression=exp.Null()):
            return np.where(arrays.missing(of(node.this)), TRUE, FALSE)
        case exp.Is():
            return np.where(truth(node.this) == (TRUE if node.expression.this else FALSE), TRUE, FALSE)
        case exp.Between():
            subject, low, high = arrays.alike(of(node.this), of(node.args["low"]), of(node.args["high"]))
            above = arrays.compare(operator.ge, subject, low)
            return np.minimum(above, arrays.compare(operator.le, subject, high))
        case exp.In():
            subject, *options = arrays.alike(of(node.this), *map(of, node.expressions))
            found = [arrays.compare(operator.eq, subject, option) for option in options]
            return _fold(np.maximum, found)
        case exp.Case():
            return _case(node, of)
        case exp.Coalesce():
            options = arrays.alike(of(node.this), *map(of, node.expressions))
            return _fold(lambda one, other: np.where(arrays.missing(one), other, one), options)
        case exp.Nullif():
            subject = of(node.this)
            same = arrays.compare(operator.eq, subject, of(node.expression)) == TRUE
            return np.where(same, arrays.nulls(subject.dtype), subject)
        case exp.Least():
            return _extreme(operator.lt, [of(node.this), *map(of, node.expressions)])
        case exp.Greatest():
            return _extreme(operator.gt, [of(node.this), *map(of, node.expressions)])
        case exp.Cast():
            return _cast(of(node.this), node.args["to"].this)
        case exp.DPipe():
            return arrays.concatenate(arrays.as_text(of(node.this)), arrays.as_text(of(node.expression)))
        case exp.Like():
            return arrays.like(of(node.this), node.expression.name)
    raise TypeError(f"{kind.__name__} was not checked")


def _case(node: exp.Case, of: Callable[[exp.Expr], Array]) -> Array:
    branches, default = node.args["ifs"], node.args.get("default")
    subject = of(node.this) if node.this else None
    *results, found = arrays.alike(
        *(of(branch.args["true"]) for branch in branches), of(default) if default else np.asarray(np.nan)
    )
    for branch, result in zip(reversed(branches), reversed(results), strict=True):
        condition = of(branch.this)
        if subject is not None:
            condition = arrays.compare(operator.eq, subject, condition)
        found = np.where(arrays.coerce(condition, np.int8) == TRUE, result, found)
    return found


def _extreme(better: Callable[[Any, Any], Any], options: Sequence[Array]) -> Array:
    """The least or the greatest; nulls are passed over."""

    def choose(one: Array, other: Array) -> Array:
        replaced = arrays.missing(one) | (arrays.compare(better, other, one) == TRUE)
        return np.where(replaced, other, one)

    return _fold(choose, arrays.alike(*options))


def _cast(array: Array, to: exp.DType) -> Array:
    if to == exp.DType.TEXT:
        return arrays.as_text(array)
    if to == exp.DType.DATE:  # of a literal, which was checked
        return array
    return arrays.as_number(array, WHOLE_TYPES.get(to))


def _fold(function: Callable[[Array, Array], Array], found: Sequence[Array]) -> Array:
    result = found[0]
    for other in found[1:]:
        result = function(result, other)
    return result


def _shape(values: Mapping[str, Array]) -> tuple[int, ...]:
    return np.broadcast_shapes((1,) if not values else (), *(np.shape(array) for array in values.values()))
