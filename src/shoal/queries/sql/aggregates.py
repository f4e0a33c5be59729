"""Aggregates of a question: which whole numbers they are made of, and how far one person moves those."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import grid_for
from shoal.queries.query import Aggregate, Crowd, Formula, GroupCount, Primitive, Quantile
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.date_values import TEMPORAL, as_whole_number
from shoal.queries.sql.expressions import type_condition, type_expression
from shoal.queries.sql.fixed_point import bounds, step_index, to_fixed_point, whole
from shoal.queries.sql.needed_numbers import Wish, Wishes, settle
from shoal.queries.sql.quantile_shares import share_of
from shoal.queries.sql.sources import Rows, Setting
from shoal.queries.sql.typed_expression import TypedExpression

CANDIDATES = 2**15  # among which a quantile is chosen
MOST = 200  # aggregates of one question
_SPREAD: dict[type[exp.Expression], Formula] = {
    exp.VariancePop: "variance",
    exp.Variance: "sample-variance",
    exp.StddevPop: "deviation",
    exp.Stddev: "sample-deviation",
    exp.StddevSamp: "sample-deviation",
}

_CURES: tuple[tuple[tuple[type[exp.Expression], ...], str], ...] = (
    ((exp.LogicalOr, exp.LogicalAnd), "count the rows where it holds, as in COUNT_IF(x > 1)"),
    (
        (exp.Corr, exp.CovarPop, exp.CovarSamp),
        "ask for AVG(x * y), AVG(x), AVG(y) and STDDEV, of which it is made",
    ),
    ((exp.ArrayAgg, exp.GroupConcat), "it would list the values of people; use GROUP BY and COUNT(*)"),
    (
        (exp.RegrSlope, exp.RegrIntercept, exp.RegrR2),
        "ask for AVG(x * y), AVG(x), AVG(y) and VAR_POP(x), of which it is made",
    ),
    ((exp.AnyValue, exp.First, exp.Last, exp.ArgMax, exp.ArgMin), "it would tell one person's value"),
    ((exp.Mode,), "use GROUP BY x ORDER BY COUNT(*) DESC LIMIT 1"),
)


class Aggregates:
    """All aggregates of one question; what several are made of is worked out, noised and paid for once."""

    def __init__(
        self, rows: Rows, setting: Setting, groups: int, grouped: bool, each: int | None = None
    ) -> None:
        """`each` is with how many rows one person counts in a group, when fewer than all."""
        self.rows = rows
        self.most = rows.rows if each is None else min(rows.rows, groups * each)  # rows that count in all
        self.square = (
            None if each is None else each * self.most
        )  # of the rows in each group, squared and added
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
        self._never_null: set[str] = set()  # which of these are in every row
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
        never_null = frozenset(self._never_null)
        wishes = Wishes(self.wishes, self._values, self.most, self.groups, never_null, self.square)
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
        share = share_of(node)
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
            value = self._where(self._as_number(node.this.expressions[0] if once else node.this), condition)
            spread = _SPREAD.get(type(node))
            formula: Formula = spread or ("mean" if isinstance(node, exp.Avg) else "plain")
            steps = to_fixed_point(value, "VARIANCE" if spread else "AVG" if formula == "mean" else "SUM")
            if condition is None and not once and self._in_every_row(node.this):
                self._never_null.add(_text(steps.sql))
            return Wish(formula, self._known(value, _text(steps.sql)), once)
        bare = node.this if isinstance(node, exp.WithinGroup) else node
        cure = next((cure for kinds, cure in _CURES if isinstance(bare, kinds)), None)
        if cure is not None:
            raise NotAllowed(f"'{excerpt(node)}' cannot be answered with privacy; {cure}")
        raise NotAllowed(
            f"'{excerpt(node)}' cannot be answered with privacy; there is COUNT, SUM, AVG, VARIANCE, STDDEV, "
            "MIN, MAX, MEDIAN and QUANTILE_CONT(x, 0.9)"
        )

    def _typed(self, node: exp.Expression) -> TypedExpression:
        return type_expression(node, self.rows.scope, self.dialect)

    def _as_number(self, node: exp.Expression) -> exp.Expression:
        """A truth is 1 or 0 where it is added up."""
        truth = self._typed(node).kind == "boolean"
        return exp.cast(exp.Paren(this=node.copy()), exp.DataType.Type.BIGINT) if truth else node

    def _boolean(self, node: exp.Expression) -> exp.Expression:
        found = type_condition(node, self.rows.scope, self.dialect)
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
        self,
        *terms: tuple[int, int],
        reach: int,
        grid: Fraction = Fraction(1),
        once: bool = False,
        row: int | None = None,
    ) -> int:
        """A number with a part of its own, which two aggregates may share.

        With `once` one person adds 1 at most to each of `reach` groups: in the Euclidean sense √reach. Each
        row moves it by at most `row`.
        """
        for index, known in enumerate(self.primitives):
            if (known.terms, known.reach, known.grid) == (tuple(terms), reach, grid):
                return index
        squared = reach if once else None
        if not once and row is not None and self.square is not None and row**2 * self.square < reach**2:
            squared = row**2 * self.square
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
            if condition is None and self._in_every_row(node.this):
                return self._count(None)
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
            index = self.primitive((self.asked("distinct", value.sql), 1), reach=self.most, row=1)
        return Wish(ready=Aggregate("plain", (((index, 1.0),),), whole=True))

    def _in_every_row(self, node: exp.Expression) -> bool:
        """Whether it is a column of the only table, and never null there; a join could leave it without."""
        (source, *others) = self.rows.scope.sources.values()
        if others or source.table is None or not isinstance(node, exp.Column):
            return False
        return source.table.private and source.table.column(node.name).never_null

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
        new = Quantile(number, share, last - first + 1, first, grid, self.most)
        seen = ("quantile", f"{share} {_text(number)}")
        if seen not in self._asked:
            self._asked[seen] = len(self.quantiles)
            self.quantiles.append(new)
        shares = ((self._asked[seen], 1.0),)
        return Aggregate("quantile", (shares,), low=low, high=high, whole=grid == 1, shown=shown)


def _text(node: exp.Expression | None) -> str:
    return "" if node is None else node.sql()
