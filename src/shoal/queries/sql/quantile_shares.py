"""Medians, extremes and other quantiles as people write them: of what, and below how many of the rows."""

from __future__ import annotations

import re
from fractions import Fraction

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.allow_list import excerpt, only

_SHARE = re.compile(r"[01]|[01]?\.[0-9]{1,20}")


def share_of(node: exp.Expression) -> tuple[exp.Expression, Fraction] | None:
    """The argument of a quantile and the share of the rows below it; None for other aggregates."""
    if isinstance(node, exp.Min | exp.Max):
        only(node, "this")
        return node.this, Fraction(isinstance(node, exp.Max))
    if isinstance(node, exp.Median):
        only(node, "this")
        return node.this, Fraction(1, 2)
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PercentileCont | exp.PercentileDisc):
        only(node, "this", "expression")
        order = node.expression
        if isinstance(order, exp.Order) and len(order.expressions) == 1:
            term = order.expressions[0]
            portion = _portion(node.this.this)
            return term.this, 1 - portion if term.args.get("desc") else portion
    if isinstance(node, exp.PercentileCont | exp.PercentileDisc | exp.Quantile | exp.ApproxQuantile):
        only(node, "this", "expression", "quantile")
        portion_node = node.args.get("quantile") or node.args.get("expression")
        if portion_node is not None:
            return node.this, _portion(portion_node)
    return None


def _portion(node: exp.Expression) -> Fraction:
    if isinstance(node, exp.Literal) and not node.is_string:
        # Longer figures, and exponents, would fill the memory before they are refused.
        share = Fraction(node.this) if _SHARE.fullmatch(node.this) else Fraction(-1)
        if 0 <= share <= 1 and share.denominator <= 10_000:
            return share
    if isinstance(node, exp.Array | exp.Tuple):
        raise NotAllowed(
            f"'{excerpt(node)}' are several shares; write a quantile for each, as in QUANTILE_CONT(x, 0.25)"
        )
    raise NotAllowed(f"'{excerpt(node)}' is no share for a quantile; write a number from 0 to 1 such as 0.9")
