"""The picture of a network and of its release: files in, an SVG out. Of a large one an excerpt is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.core.chart_style import svg_of
from shoal.graphs.graph import Graph
from shoal.graphs.picture import MOST, excerpt, picture
from shoal.jobs.graphs.measure import match_labels
from shoal.jobs.graphs.requests import MeasureGraph
from shoal.jobs.graphs.source import models_of, name_of, people, read, who_is_who


def draw_graph(
    original: str | Path,
    released: str | Path | None = None,
    mapping: str | Path | None = None,
    model: Any = (),
) -> str:
    """A network, and its release beside it where there is one.

    `mapping` tells who is who, and the k of its promise who is one of too few.
    """
    k = max((one.people for one in models_of(model, None)), default=2)
    before = _read(original)
    after = None if released is None else _in_order_of(before, _read(released), mapping)
    large = max(before.nodes, 0 if after is None else after.nodes) > MOST
    shown = excerpt(before) if large else None
    whole = f"{before.nodes:,} people"
    # A line each: one panel alone is too narrow for both.
    below = [
        "Red: nobody else has as many friends.",
        *["An excerpt is drawn; the figures are of all."][:large],
    ]
    return svg_of(picture(before, after, k, whole, below, shown))


def _read(source: str | Path) -> Graph:
    return people(read(source, MeasureGraph(data=source)).graph, name_of(source)).undirected()


def _in_order_of(before: Graph, after: Graph, mapping: str | Path | None) -> Graph:
    """The release with node i for node i of the original."""
    told = None if mapping is None else who_is_who(mapping, "mapping")
    names = match_labels(after, before, told).names().cast(pl.String)
    place_of = dict(zip(names.to_list(), range(before.nodes), strict=True))
    new = iter(range(before.nodes, before.nodes + after.nodes))  # nodes that the original does not have
    places = [place_of.get(name, -1) for name in after.names().cast(pl.String).to_list()]
    moved = np.array([place if place >= 0 else next(new) for place in places])
    ends = after.edge_list()
    return Graph.of_edges(
        max(before.nodes, int(moved.max(initial=-1)) + 1), moved[ends.sources], moved[ends.targets]
    )
