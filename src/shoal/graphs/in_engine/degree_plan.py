"""Which edges to add to a graph that stays in an engine, until every degree occurs at least k times.

Of all nodes only some come here: of every degree twice k and a few more who can take an edge. For the rest
of a degree nothing changes, and they are at least k or none. What the engine is asked is which pairs of a
plan are edges already; these are remembered, and the plan is made anew, until none is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.errors import Unreachable
from shoal.core.randomness import generator
from shoal.graphs.building.anonymise_degrees import AnonymousDegrees, reach
from shoal.graphs.building.target_degrees import anonymous_degrees
from shoal.graphs.graph import Graph, Int64

_ROUNDS = 300
_SPARE = 3  # so many partners per missing edge come here
_FURTHER = 64  # pairs beyond those that a node lacks are looked up at once
_DIGITS = 13  # of a mark, hexadecimal: 52 bits

Existing = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True, eq=False)
class PartialGraph(Graph):
    """Some nodes of a larger graph with their degrees there, and those edges between them that are known."""

    full_degrees: Int64 = field(default_factory=lambda: np.empty(0, np.int64))
    everybody: int = 0  # nodes of the larger graph

    @cached_property
    def degrees(self) -> Int64:
        return self.full_degrees

    @property
    def highest_degree(self) -> int:
        return self.everybody - 1


@dataclass(frozen=True)
class DegreePlan:
    """The pairs to link, u below v, and how it went."""

    pairs: pl.DataFrame
    found: AnonymousDegrees
    rounds: int
    nodes: int  # that came here


def sizes_of(histogram: pl.DataFrame, k: int) -> pl.DataFrame:
    """How many nodes of each degree a plan needs: columns degree, nodes and wanted.

    Of a degree more than 2k people have, at most k - 1 are raised to a higher one, and k stay: the nearest
    target degrees of 2k of them are those of all.
    """
    counts = histogram["nodes"].to_numpy()
    few = np.repeat(histogram["degree"].to_numpy(), np.minimum(counts, 2 * k))
    missing = int((anonymous_degrees(few, k, "raise") - few).sum())
    people = int(counts.sum())
    spare = np.ceil(_SPARE * missing * (counts / people)).astype(np.int64) + 1
    wanted = np.minimum(counts, 2 * k + spare)
    wanted = np.where(counts - wanted < k, counts, wanted)  # who stays behind is k or none
    return histogram.with_columns(wanted=pl.Series(wanted, dtype=pl.Int64))


def marks_of(sizes: pl.DataFrame) -> pl.DataFrame:
    """Below which digest about so many nodes of each degree are: columns degree and mark."""
    share = sizes["wanted"].to_numpy() / sizes["nodes"].to_numpy()
    room = np.where(share < 1, share + 8 * np.sqrt(share / sizes["nodes"].to_numpy()), 2.0)
    marks = ["g" if part >= 1 else f"{int(part * 16**_DIGITS):0{_DIGITS}x}" for part in room]
    return pl.DataFrame({"degree": sizes["degree"], "mark": marks})


def population(sizes: pl.DataFrame, drawn: pl.DataFrame) -> pl.DataFrame:
    """The nodes of a plan from those that were drawn: all of a degree, or k at least stay behind."""
    numbered = drawn.join(sizes, on="degree").with_columns(place=pl.int_range(pl.len()).over("degree"))
    return numbered.filter(pl.col("place") < pl.col("wanted")).select("number", "degree").sort("number")


def plan_edges(
    people: pl.DataFrame, everybody: int, k: int, existing: Existing, seed: int | None
) -> DegreePlan:
    """Pairs none of which is an edge already; `people` has the columns number and degree."""
    numbers, degrees = people["number"].to_numpy(), people["degree"].to_numpy().astype(np.int64)
    start = int(generator(seed).integers(2**62))
    known = _looked_up(_likely(degrees, k), numbers, existing)
    for turn in range(1, _ROUNDS + 1):
        edges = Graph.of_edges(len(numbers), known[:, 0], known[:, 1])
        partial = PartialGraph(edges.offsets, edges.targets, full_degrees=degrees, everybody=everybody)
        # The same start every time, so that only what was wrong is planned otherwise.
        found = reach(partial, k, "raise", generator(start))
        if found.resort:
            break
        pairs = np.column_stack((found.pairs.sources, found.pairs.targets)).astype(np.int64)
        wrong = _looked_up(pairs, numbers, existing)
        if not len(wrong):
            return DegreePlan(_by_number(pairs, numbers), found, turn, len(numbers))
        known = np.concatenate((known, wrong))
    raise Unreachable(
        f"no way was found to give every degree of this graph {k} nodes by adding edges alone; try another "
        "seed or a smaller k"
    )


def _likely(degrees: Int64, k: int) -> Int64:
    """Pairs that a plan will probably hold: whoever lacks most with those who lack most after them."""
    lacking = anonymous_degrees(degrees, k, "raise") - degrees
    order = np.argsort(-lacking, kind="stable")
    order = order[lacking[order] > 0]
    found = []
    for place, node in enumerate(order):
        partners = order[place + 1 : place + 1 + 2 * int(lacking[node]) + _FURTHER]
        found.append(np.column_stack((np.full(len(partners), node), partners)))
    return np.concatenate(found).astype(np.int64) if found else np.empty((0, 2), np.int64)


def _by_number(pairs: Int64, numbers: Int64) -> pl.DataFrame:
    ends = np.sort(numbers[pairs], axis=1) if len(pairs) else np.empty((0, 2), np.int64)
    return pl.DataFrame({"u": ends[:, 0], "v": ends[:, 1]}, schema={"u": pl.Int64, "v": pl.Int64})


def _looked_up(pairs: Int64, numbers: Int64, existing: Existing) -> Int64:
    """Those of some pairs, by place, that are edges already."""
    if not len(pairs):
        return np.empty((0, 2), np.int64)
    there = existing(_by_number(pairs, numbers))
    # Numbers are sorted, so that places are found by halving.
    return np.column_stack([np.searchsorted(numbers, there[end].to_numpy()) for end in ("u", "v")]).astype(
        np.int64
    )
