"""Sub-queries that stand for one number among conditions on people's rows: `x > (SELECT AVG(x) FROM …)`.

Each is a question of its own that is answered with noise before the one around it. Its noisy number is as
public as one that an analyst writes down after asking, so that the rows of the question around it may be
compared with it: both together cost the sum of what they cost. Nothing about the number is known while the
question is planned but its kind and bounds, so that reach, price and columns are those of every number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Kind
from shoal.queries.query import Earlier, Plan, Query
from shoal.queries.sql.allow_list import excerpt
from shoal.queries.sql.group_by import AGGREGATES, aggregates
from shoal.queries.sql.literals import EARLIER_STEP, LARGEST_EARLIER, EarlierNumber
from shoal.queries.sql.row_kinds import Names, RowKinds
from shoal.queries.sql.visible_columns import relations_of

MOST = 8  # numbers that are asked for first
_WHERE = ("where", "joins")


@dataclass
class EarlierNumbers:
    """Finds such sub-queries, has them planned, and puts a number that is not known yet in their places."""

    kinds: RowKinds
    plan: Callable[[exp.Query], Plan]
    found: list[Earlier] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)

    def lift(self, node: exp.Expression, known: Names, clauses: Sequence[exp.Expression] = ()) -> None:
        """All of a query; what it names comes before what it is made of. `clauses` are the parts of WITH."""
        clause = node.args.get("with_")
        own = [] if clause is None else clause.expressions
        for place, part in enumerate(own):
            before = self.kinds.named(own[:place], known)
            self.lift(part.this, before, [*clauses, *own[:place]])
        known, clauses = self.kinds.names(node, known), [*clauses, *own]
        if isinstance(node, exp.Subquery):
            self.lift(node.this, known, clauses)
        elif isinstance(node, exp.SetOperation):
            self.lift(node.this, known, clauses)
            self.lift(node.expression, known, clauses)
        elif isinstance(node, exp.Select):
            relations = relations_of(node)
            for one in relations:
                if isinstance(one, exp.Subquery):
                    self.lift(one, known, clauses)
            rows = "rows" in [self.kinds.kind(one, known) for one in relations]
            if rows:
                self._cross_joined(node, known, clauses)
            for part in _expressions_with_queries(node, relations):
                if rows and _stands_for_a_number(part, node):
                    _check_apart(part.this, node)
                    self.lift(part.this, known, clauses)
                    part.replace(self._number(part, clauses))
                elif isinstance(part, exp.Subquery):
                    self.lift(part.this, known, clauses)

    def _cross_joined(self, select: exp.Select, known: Names, clauses: Sequence[exp.Expression]) -> None:
        """A noisy result of one row that is joined with every row: each of its columns is such a number."""
        for join in list(select.args.get("joins") or ()):
            named = any(value for name, value in join.args.items() if name not in ("this", "kind"))
            if named or join.kind not in ("", "CROSS") or self.kinds.kind(join.this, known) != "noisy":
                continue
            name = join.this.alias_or_name.lower()
            bare = join.this.name.lower() if isinstance(join.this, exp.Table) else None
            inner = join.this.this if bare is None else known[bare].named.select
            if not _one_row(inner, clauses):
                continue  # it would be joined with each of its rows, and is refused
            told = [part.alias_or_name.lower() for part in inner.expressions]
            join.pop()
            for part in list(select.find_all(exp.Column)):
                if part.find_ancestor(exp.Select) is not select:
                    continue
                if part.table.lower() == name or (not part.table and part.name.lower() in told):
                    one = exp.Select().select(exp.column(part.this.copy())).from_(join.this.copy())
                    part.replace(exp.Subquery(this=one))

    def _number(self, node: exp.Expression, clauses: Sequence[exp.Expression]) -> exp.Expression:
        inner = cast(exp.Query, node.this.copy())
        if not _one_row(node.this, clauses):
            raise NotAllowed(
                f"'{excerpt(node)}' may tell several numbers where one stands; ask for an aggregate of them, "
                "or add LIMIT 1"
            )
        own = inner.args.get("with_")
        parts = [*(part.copy() for part in clauses), *([] if own is None else own.expressions)]
        if parts:
            inner.set("with_", exp.With(expressions=parts))
        text = inner.sql(dialect="duckdb", comments=False)
        if text not in self._seen:
            plan = self.plan(inner)
            if len(self.found) >= MOST:
                raise NotAllowed(
                    f"more than {MOST} numbers of sub-queries are compared with rows; ask for some first"
                )
            if len(plan.columns) != 1:
                raise NotAllowed(f"'{excerpt(node)}' has {len(plan.columns)} columns; one number stands here")
            self._seen[text] = len(self.found)
            self.found.append(_earlier(plan))
        place = self._seen[text]
        one = self.found[place]
        bounds = {"low": one.low, "high": one.high}
        return EarlierNumber(
            this=exp.Literal.number(place),
            kind=exp.Literal.string(one.kind),
            **{name: exp.Literal.string(repr(value)) for name, value in bounds.items()},
        )


def _expressions_with_queries(select: exp.Select, relations: Sequence[exp.Expression]) -> list[exp.Subquery]:
    """Sub-queries that stand among expressions, the outermost of them; IN and EXISTS have their own rules."""
    names = {id(one) for one in relations}
    found = []
    for name, value in select.args.items():
        if name in ("with_", "from_"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, exp.Expression):
                found += [
                    one
                    for one in part.walk(prune=lambda one: isinstance(one, exp.Query))
                    if isinstance(one, exp.Subquery) and id(one) not in names
                ]
    return [one for one in found if not isinstance(one.parent, exp.In | exp.Exists)]


def _stands_for_a_number(node: exp.Expression, select: exp.Select) -> bool:
    """Whether it is compared with rows: in WHERE, in ON, or within an aggregate."""
    part: exp.Expr | None = node
    while part is not None and part.parent is not select:
        part = part.parent
        if isinstance(part, AGGREGATES):
            return True
    return part is not None and part.arg_key in _WHERE


def _one_row(node: exp.Expression, clauses: Sequence[exp.Expression]) -> bool:
    """Whether a query tells one row at most, whatever the data are."""
    own = node.args.get("with_")
    clauses = [*clauses, *([] if own is None else own.expressions)]
    if isinstance(node, exp.Subquery):
        return _one_row(node.this, clauses)
    if isinstance(node, exp.Table):
        places = [at for at, part in enumerate(clauses) if part.alias.lower() == node.name.lower()]
        return bool(places) and _one_row(clauses[places[-1]].this, clauses[: places[-1]])
    if not isinstance(node, exp.Select):
        return False
    limit = node.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression.name in ("0", "1"):
        return True
    if node.args.get("group") is not None:
        return False
    several = any(part.find(exp.Unnest, exp.Explode) for part in node.expressions)
    told = any(aggregates(part) for part in node.expressions)
    return not several and (told or all(_one_row(one, clauses) for one in relations_of(node)))


def _check_apart(inner: exp.Query, around: exp.Select) -> None:
    """Refuses one that speaks of the row around it by the name of its table."""
    outside = {one.alias_or_name.lower() for one in relations_of(around)}
    own = {one.alias_or_name.lower() for select in inner.find_all(exp.Select) for one in relations_of(select)}
    for column in inner.find_all(exp.Column):
        if column.table and column.table.lower() in outside - own:
            raise NotAllowed(
                f"'{excerpt(column)}' in a sub-query is of the row around it; join it instead, as in "
                "JOIN (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) AS v ON v.id = p.id"
            )


def _earlier(plan: Plan) -> Earlier:
    kind: Kind = "number"
    low, high = -LARGEST_EARLIER, LARGEST_EARLIER
    if plan.outer is None:
        leaf = plan.leaves[0]
        aggregate = _plain(leaf)
        if aggregate is not None:
            shown = leaf.aggregates[aggregate].shown
            first, last = leaf.aggregates[aggregate].low, leaf.aggregates[aggregate].high
            if first is not None and last is not None:
                seconds = 86_400 if shown == "timestamp" else None
                low, high = (first, last) if seconds is None else (first // seconds, last // seconds)
                kind = shown or kind
    return Earlier(plan, kind, _stepped(math.floor, low), _stepped(math.ceil, high))


def _stepped(towards: Callable[[float], int], bound: float) -> float:
    """A bound as a multiple of the step of such numbers."""
    inside = min(max(bound, -LARGEST_EARLIER), LARGEST_EARLIER)
    return towards(inside * 2.0**-EARLIER_STEP) * 2.0**EARLIER_STEP


def _plain(leaf: Query) -> int | None:
    """Which aggregate the only column is, if it is one and nothing else."""
    sql = leaf.outputs[0].sql
    return int(sql.name[1:]) if isinstance(sql, exp.Column) and sql.name.startswith("a") else None
