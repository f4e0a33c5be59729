"""Covariance, correlation and the line through pairs of numbers, made of means and variances.

Only rows in which both are there count. What is far off by noise stays possible: a correlation is between
-1 and 1, and what would be divided by nought is missing.
"""

from __future__ import annotations

from typing import cast

from sqlglot import exp

PAIRED = (exp.Corr, exp.CovarPop, exp.CovarSamp, exp.RegrIntercept, exp.RegrR2, exp.RegrSlope)


def of_means(node: exp.Expr) -> exp.Expr:
    """An aggregate of two values by aggregates of one; beside FILTER or OVER it stays as it is."""
    if isinstance(node.parent, exp.Filter | exp.Window) or node.args.get("expression") is None:
        return node
    first, second = cast(exp.Expression, node.this), cast(exp.Expression, node.args["expression"])
    both = exp.Mul(this=exp.paren(first.copy()), expression=exp.paren(second.copy()))
    one, other = _where(first, second), _where(second, first)
    covariance = _minus(_mean(both), exp.Mul(this=_mean(one), expression=_mean(other)))
    made: exp.Expr = covariance
    if isinstance(node, exp.CovarSamp):
        number = exp.Count(this=both.copy(), big_int=True)
        less = _minus(number.copy(), exp.Literal.number(1))
        made = _over(exp.Mul(this=covariance, expression=number), less)
    elif isinstance(node, exp.RegrSlope | exp.RegrIntercept):  # of the first by the second
        made = _over(covariance, _variance(other))
        if isinstance(node, exp.RegrIntercept):
            made = _minus(_mean(one), exp.Mul(this=made, expression=_mean(other)))
    elif isinstance(node, exp.Corr | exp.RegrR2):
        spread = exp.Mul(this=_variance(one), expression=_variance(other))
        above, below = covariance, exp.Sqrt(this=spread)
        made = _between(_over(above, cast(exp.Expression, below)), -1)
        if isinstance(node, exp.RegrR2):
            square = exp.Mul(this=covariance.copy(), expression=covariance.copy())
            made = _between(_over(square, spread), 0)
    return exp.paren(made, copy=False)


def _mean(value: exp.Expression) -> exp.Expression:
    return exp.Avg(this=value.copy())


def _variance(value: exp.Expression) -> exp.Expression:
    return exp.VariancePop(this=value.copy())


def _where(value: exp.Expression, there: exp.Expression) -> exp.Expression:
    """A value where another one is not missing."""
    missing = exp.Is(this=exp.paren(there.copy()), expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=exp.Not(this=missing), true=value.copy())])


def _minus(one: exp.Expression, other: exp.Expression) -> exp.Expression:
    return exp.Paren(this=exp.Sub(this=one, expression=other))


def _over(above: exp.Expression, below: exp.Expression) -> exp.Expression:
    nonzero = exp.Nullif(this=below, expression=exp.Literal.number(0))
    return exp.Paren(this=exp.Div(this=above, expression=nonzero, typed=False, safe=False))


def _between(value: exp.Expression, least: int) -> exp.Expression:
    """From -1 or 0 to 1."""
    low, high = exp.Literal.number(least), exp.Literal.number(1)
    return exp.Case(
        ifs=[
            exp.If(this=exp.GT(this=value.copy(), expression=high), true=high.copy()),
            exp.If(this=exp.LT(this=value.copy(), expression=low), true=low.copy()),
        ],
        default=value.copy(),
    )
