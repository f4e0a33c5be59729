"""How many friends people have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.outcome import Json
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Degrees:
    """The degree sequence in short: every degree that occurs, in ascending order, and how often."""

    values: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, graph: Graph) -> Degrees:
        """Those of a graph."""
        counted = np.bincount(graph.degrees) if graph.nodes else np.zeros(0, np.int64)
        values = np.flatnonzero(counted)
        return cls(tuple(values.tolist()), tuple(counted[values].tolist()))

    @property
    def nodes(self) -> int:
        """How many people there are."""
        return sum(self.counts)

    @property
    def lowest(self) -> int:
        return self.values[0] if self.values else 0

    @property
    def highest(self) -> int:
        return self.values[-1] if self.values else 0

    @property
    def mean(self) -> float:
        ends = sum(value * count for value, count in zip(self.values, self.counts, strict=True))
        return ends / self.nodes if self.nodes else 0.0

    @property
    def median(self) -> float:
        """The degree in the middle; the mean of the two in the middle of an even number."""
        if not self.values:
            return 0.0
        ends = np.cumsum(self.counts)
        middle = np.searchsorted(ends, [(self.nodes - 1) // 2, self.nodes // 2], side="right")
        return float(np.mean(np.asarray(self.values)[middle]))

    def reaching(self) -> Int64:
        """Per degree that occurs, how many people have that degree or a higher one."""
        return np.cumsum(np.asarray(self.counts, np.int64)[::-1])[::-1]

    def to_json(self) -> dict[str, Json]:
        distribution: Mapping[str, int] = dict(zip(map(str, self.values), self.counts, strict=True))
        return {
            "lowest": self.lowest,
            "mean": self.mean,
            "median": self.median,
            "highest": self.highest,
            "distribution": distribution,
        }


def movers_distance(one: Degrees, other: Degrees) -> float:
    """How far the share of one distribution must be carried to make the other (earth mover's distance).

    In friends per person: 1 means that on average everybody's degree moved by one.
    """
    if not one.nodes or not other.nodes:
        return abs(one.mean - other.mean)
    table = pl.concat(
        pl.DataFrame({"value": degrees.values, "share": np.asarray(degrees.counts) / degrees.nodes * sign})
        for degrees, sign in ((one, 1), (other, -1))
    )
    table = table.group_by("value").agg(pl.col("share").sum()).sort("value")
    steps = np.diff(table["value"].to_numpy())
    return float(np.abs(table["share"].to_numpy().cumsum()[:-1] * steps).sum())
