"""What a table of edges in an engine offers, from the table alone; how it was made is not known here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.graphs.graph import Graph
from shoal.graphs.model_view import ModelView

if TYPE_CHECKING:
    from sqlglot import exp

    from shoal.engines.sql_engine import SqlEngine

_ENOUGH = 1_000_000  # from here on it does not matter how many more people are alike


@dataclass(frozen=True)
class WrittenDegrees:
    """People, friendships and how many people have each number of friends."""

    nodes: int
    edges: int
    repeated: int  # rows that are a loop, or an edge a second time
    degrees: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, engine: SqlEngine, table: exp.Table, ends: Sequence[str]) -> WrittenDegrees:
        """Counted in the engine: every row is an edge, or a node alone where the second end is missing."""
        from sqlglot import exp

        one, other = (exp.column(end, quoted=True) for end in ends)
        rows = exp.select(one.as_("x"), other.as_("y")).from_(table.copy())
        text = engine.schema(table)[ends[0]] != engine.schema(table)[ends[1]]
        if text:
            rows = exp.select(*(exp.cast(end, "TEXT").as_(name) for end, name in ((one, "x"), (other, "y"))))
            rows = rows.from_(table.copy())
        turned = exp.select(exp.column("y").as_("x"), exp.column("x").as_("y")).from_(
            rows.copy().subquery("t1")
        )
        # COUNT(DISTINCT …) passes over missing friends, and somebody who is their own has none.
        friend = exp.Case(
            ifs=[exp.If(this=exp.NEQ(this=exp.column("x"), expression=exp.column("y")), true=exp.column("y"))]
        )
        each = (
            exp.select(exp.column("x"), exp.Count(this=exp.Distinct(expressions=[friend])).as_("friends"))
            .from_(exp.union(rows, turned, distinct=False).subquery("t2"))
            .where(exp.column("x").is_(exp.null()).not_())
            .group_by("x")
        )
        spread = (
            exp.select(exp.column("friends"), exp.Count(this=exp.Star()).as_("people"))
            .from_(each.subquery("t3"))
            .group_by("friends")
        )
        found = engine.frame(spread).cast(pl.Int64).sort("friends")
        whole = exp.select(exp.Count(this=other).as_("n")).from_(table.copy())
        written = int(engine.frame(whole).item())
        friends, people = found["friends"], found["people"]
        edges = int((friends * people).sum()) // 2
        return cls(int(people.sum()), edges, written - edges, tuple(friends), tuple(people))

    def view(self, k: int) -> ModelView:
        """What models look at: everybody, but no more of one degree than models can tell apart."""
        least = min(self.counts, default=0)
        most = max(k, min(least, _ENOUGH))
        degrees = np.repeat(self.degrees, np.minimum(self.counts, most)).astype(np.int64)
        offsets = np.concatenate(([0], np.cumsum(degrees)))
        return ModelView(_Degrees(offsets, np.empty(0, np.int32)))


class _Degrees(Graph):
    """Degrees without the neighbours that make them."""
