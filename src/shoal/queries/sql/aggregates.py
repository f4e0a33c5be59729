"""Aggregates of a question: which whole numbers they are made of, and how far one person moves those."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from fractions import Fraction

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import grid_for
from shoal.queries.query import Aggregate, Crowd, Formula, GroupCount, Primitive, Quantile
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.fixed_point import bounds, step_index, to_fixed_point, whole
from shoal.queries.sql.moments import TEMPORAL, as_whole_number
from shoal.queries.sql.sources import Rows, Setting
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.wishes import Wish, Wishes, settle

CANDIDATES = 2**15  # among which a quantile is chosen
MOST = 200  # aggregates of one question
_SHARE = re.compile(r"[01]|[01]?\.[0-9]{1,20}")
_SPREAD: dict[type[exp.Expression], Formula] = {
    exp.VariancePop: "variance",
    exp.Variance: "sample-variance",
    exp.StddevPop: "deviation",
    exp.Stddev: "sample-deviation",
    exp.StddevSamp: "sample-deviation",
}


class Aggregates:
    """All aggregates of one question; what several are made of is worked out, noised and paid for once."""

    def __init__(self, rows: Rows, setting: Setting, groups: int, grouped: bool) -> None:
        self.rows = rows
        self.dialect = setting.store.dialect
        self.groups = groups if grouped else 1
        self.columns: list[GroupCount] = []
        self.primitives: list[Primitive] = []
        self.quantiles: list[Quantile] = []
        self.aggregates: list[Aggregate] = []  # once it is settled
        self.crowd: Crowd | None = None
        self.selected: int | None = None
        self.wishes: list[Wish] = []
        self._values: dict[str, TypedExpression] = {}
        self._asked: dict[tuple[str, str], int] = {}  # writing a tree out is dear, so once

    def register(self, node: exp.Expression) -> str:
        """The column a0, a1 … that stands for an aggregate."""
        found = self._wish(node)
        if found not in self.wishes:
            if len(self.wishes) >= MOST:
                raise NotAllowed(f"the question has more than {MOST} aggregates; ask in several steps")
            self.wishes.append(found)
        return f"a{self.wishes.index(found)}"

    def settle(self, discovered: bool) -> None:
        """Decide, once all aggregates are known, of which numbers they are made."""
        wishes = Wishes(self.wishes, self._values, self.rows.rows, self.groups)
        self.aggregates, self.crowd = settle(wishes, self, discovered)
        if discovered and self.crowd is None:
            people = self.people()
            told = [place for place, part in enumerate(self.primitives) if part.terms == ((people, 1),)]
            if told and self.primitives[told[0]].reach == self.groups:
                self.crowd = Crowd((told[0],), 1, 1)
            else:
                self.selected = people

    def asked(self, function: str, argument: exp.Expression | None = None) -> int:
        """The engine's column, asked for once."""
        seen = (function, _text(argument))
        if seen not in self._asked:
            self._asked[seen] = len(self.columns)
            self.columns.append(GroupCount(function, argument))  # type: ignore[arg-type]
        return self._asked[seen]

    def people(self) -> int:
        """The engine's column with the number of people in a group."""
        # With one row for each, rows are people, and counting rows is a hundred times faster.
        return self.asked("rows") if self.rows.rows == 1 else self.asked("distinct", self.rows.whose.sql)

    def _wish(self, node: exp.Expression) -> Wish:
        condition: exp.Expression | None = None
        if isinstance(node, exp.Filter):
            only(node, "this", "expression")
            only(node.expression, "this")
            condition = self._boolean(node.expression.this)
            node = node.this
        if isinstance(node, exp.CountIf):
            only(node, "this", "big_int")
            return self._count(self._if(condition, self._if(self._boolean(node.this), whole(1))))
        if isinstance(node, exp.Count):
            return self._counted(node, condition)
        share = _share(node)
        if share is not None:
            argument, portion = share
            return Wish(ready=self._quantile(self._where(argument, condition), portion, excerpt(node)))
        if isinstance(node, exp.Sum | exp.Avg) or type(node) in _SPREAD:
            only(node, "this")
            once = isinstance(node.this, exp.Distinct) and isinstance(node, exp.Sum | exp.Avg)
            if once:
                only(node.this, "expressions")
                if len(node.this.expressions) != 1:
                    raise NotAllowed(f"'{excerpt(node)}' has not exactly one argument")
            elif isinstance(node.this, exp.Distinct):
                raise NotAllowed(
                    f"DISTINCT in '{excerpt(node)}' cannot be answered with privacy; leave it out"
                )
            value = self._where(node.this.expressions[0] if once else node.this, condition)
            spread = _SPREAD.get(type(node))
            formula: Formula = spread or ("mean" if isinstance(node, exp.Avg) else "plain")
            steps = to_fixed_point(value, "VARIANCE" if spread else "AVG" if formula == "mean" else "SUM")
            return Wish(formula, self._known(value, _text(steps.sql)), once)
        raise NotAllowed(
            f"'{excerpt(node)}' cannot be answered with privacy; there is COUNT, SUM, AVG, VARIANCE, STDDEV, "
            "MIN, MAX, MEDIAN and QUANTILE_CONT(x, 0.9)"
        )

    def _typed(self, node: exp.Expression) -> TypedExpression:
        return type_expression(node, self.rows.scope, self.dialect)

    def _boolean(self, node: exp.Expression) -> exp.Expression:
        found = self._typed(node)
        if found.kind != "boolean":
            raise NotAllowed(f"'{excerpt(node)}' is {found.kind}, not a condition")
        return found.sql

    def _if(self, condition: exp.Expression | None, value: exp.Expression) -> exp.Expression:
        return (
            value.copy()
            if condition is None
            else exp.Case(ifs=[exp.If(this=condition.copy(), true=value.copy())])
        )

    def _where(self, node: exp.Expression, condition: exp.Expression | None) -> TypedExpression:
        """An argument that counts as missing where the FILTER does not hold."""
        found = self._typed(node)
        if condition is None:
            return found
        code = None if found.code is None else self._if(condition, found.code)
        return TypedExpression(
            self._if(condition, found.sql), found.kind, found.low, found.high, None, code, found.grid
        )

    def primitive(
        self, *terms: tuple[int, int], reach: int, grid: Fraction = Fraction(1), once: bool = False
    ) -> int:
        """A number with a part of its own, which two aggregates may share.

        With `once` one person adds 1 at most to each of `reach` groups: in the Euclidean sense √reach.
        """
        for index, known in enumerate(self.primitives):
            if (known.terms, known.reach, known.grid) == (tuple(terms), reach, grid):
                return index
        squared = reach if once else None
        self.primitives.append(Primitive(tuple(terms), reach, grid, self.part, squared))
        return len(self.primitives) - 1

    @property
    def part(self) -> int:
        """The next part."""
        return 1 + max((known.part for known in self.primitives), default=-1)

    def _known(self, value: TypedExpression, name: str) -> str:
        self._values.setdefault(name, value)
        return name

    def _counted(self, node: exp.Count, condition: exp.Expression | None) -> Wish:
        only(node, "this", "big_int")
        if isinstance(node.this, exp.Star):
            return self._count(None if condition is None else self._if(condition, whole(1)))
        if not isinstance(node.this, exp.Distinct):
            counted = self._where(node.this, condition)
            return self._count(counted.code or counted.sql, counted)
        only(node.this, "expressions")
        (argument,) = node.this.expressions  # of several one was made
        value = self._where(argument, condition)
        if self._typed(argument).unit:
            if condition is None:
                index = self.primitive((self.people(), 1), reach=self.groups, once=True)
            else:
                column = self.asked("distinct", value.sql)
                index = self.primitive((column, 1), reach=self.groups, once=True)
        else:
            # Somebody with r rows brings at most r values that nobody else has.
            index = self.primitive((self.asked("distinct", value.sql), 1), reach=self.rows.rows)
        return Wish(ready=Aggregate("plain", (((index, 1.0),),), whole=True))

    def _count(self, argument: exp.Expression | None, value: TypedExpression | None = None) -> Wish:
        if argument is None:
            return Wish("count")
        name = _text(argument)
        if value is not None:
            # The same steps that a sum or an average of it would be made of, null where it is null.
            with suppress(NotAllowed):  # it may have no bounds
                name = _text(to_fixed_point(value, "COUNT").sql)
        return Wish("count", self._known(value or TypedExpression(argument, "integer"), name))

    def _quantile(self, value: TypedExpression, share: Fraction, use: str) -> Aggregate:
        shown = value.kind if value.kind in TEMPORAL else None
        value = as_whole_number(value, use)
        low, high = bounds(value, use)
        if value.kind == "integer" and high - low < CANDIDATES:
            grid = Fraction(1)
        else:
            # Not finer than the numbers themselves, of which then fewer lie between the bounds.
            grid = max(grid_for(0.0, high - low) * (2**30 // CANDIDATES), grid_for(low, high))
        first, last = math.floor(Fraction(low) / grid), math.floor(Fraction(high) / grid)
        number = step_index(value, low, high, grid, first)
        new = Quantile(number, share, last - first + 1, first, grid, self.rows.rows)
        seen = ("quantile", f"{share} {_text(number)}")
        if seen not in self._asked:
            self._asked[seen] = len(self.quantiles)
            self.quantiles.append(new)
        shares = ((self._asked[seen], 1.0),)
        return Aggregate("quantile", (shares,), low=low, high=high, whole=grid == 1, shown=shown)


def _text(node: exp.Expression | None) -> str:
    return "" if node is None else node.sql()


def _share(node: exp.Expression) -> tuple[exp.Expression, Fraction] | None:
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
    raise NotAllowed(f"'{excerpt(node)}' is no share for a quantile; write a number from 0 to 1 such as 0.9")
