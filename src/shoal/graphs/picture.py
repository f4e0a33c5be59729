"""The picture of a graph: before, and after with what was added and removed. For graphs that fit the eye."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.core.chart_style import FONT, INK, QUIET, headline, svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.graphs.graph import Graph, Int64

MOST = 400  # nodes; more than that is a ball of wool
KEPT, ADDED, REMOVED = "#9ca3af", "#0072B2", "#D55E00"  # Okabe & Ito 2008: told apart by everybody
ALONE, FEW, SAFE = "#dc2626", "#f59e0b", "#0f766e"
SIZE = 330


def svg(original: Graph, released: Graph, k: int, title: str, below: str = "") -> str:
    """Two panels as SVG, drawn here and without any network."""
    return svg_of(picture(original, released, k, title, below))


def picture(original: Graph, released: Graph, k: int, title: str, below: str = "") -> dict[str, Any]:
    """A graph before and after as a Vega-Lite document; node i is the same person in both.

    Red is somebody whose number of friends nobody shares, amber somebody who shares it with fewer than k - 1.
    """
    require("report", "a chart")
    import altair as alt

    original, released = original.undirected(), released.undirected()
    if max(original.nodes, released.nodes) > MOST:
        raise BadParameter(
            f"{max(original.nodes, released.nodes):,} nodes are too many to look at; {MOST} can be drawn"
        )
    places = layout(released if released.nodes > original.nodes else original)
    before, after = _pairs(original), _pairs(released)
    panels = [
        _panel("before", original, places, {"edge": before}, k),
        _panel(
            "after",
            released,
            places,
            {"edge": before & after, "added": after - before, "removed": before - after},
            k,
        ),
    ]
    chart = (
        alt.hconcat(*panels, spacing=30)
        .properties(title=headline(title, below, 17), background="white", padding=20)
        .configure_view(stroke=None)
        .configure_legend(labelFont=FONT, labelColor=QUIET, titleFont=FONT)
    )
    made: dict[str, Any] = chart.to_dict()
    return made


def layout(graph: Graph) -> NDArray[np.float64]:
    """A place in the unit square for every node; neighbours are near each other. The same every time."""
    require("graphs", "the picture of a graph")
    import random

    import igraph

    ends = graph.edge_list()
    drawn = igraph.Graph(graph.nodes, np.stack((ends.sources, ends.targets), axis=1).tolist())
    # igraph draws from Python's generator unless told otherwise, and a picture must not change other draws.
    igraph.set_random_number_generator(random.Random(7))
    try:
        found = np.array(drawn.layout_fruchterman_reingold(niter=1500).coords).reshape(-1, 2)
    finally:
        igraph.set_random_number_generator(random)
    low, high = found.min(0, initial=0), found.max(0, initial=1)
    placed: NDArray[np.float64] = (found - low) / np.maximum(high - low, 1e-9)
    return placed


def _panel(
    name: str, graph: Graph, places: NDArray[np.float64], edges: Mapping[str, set[tuple[int, int]]], k: int
) -> Any:
    import altair as alt

    scale = alt.Scale(domain=[-0.03, 1.03])
    lines = [
        {"what": what, "x": x, "y": y, "x2": x2, "y2": y2}
        for what, pairs in edges.items()
        for (x, y), (x2, y2) in ((places[one], places[other]) for one, other in sorted(pairs))
    ]
    kinds = list(edges)
    colours = {"edge": KEPT, "added": ADDED, "removed": REMOVED}
    legend = None if len(kinds) == 1 else alt.Legend(title=None, orient="bottom", symbolType="stroke")
    # Removed edges are broken lines: colour alone does not tell everybody.
    drawn = (
        alt.Chart(alt.InlineData(values=lines))
        .mark_rule(strokeWidth=1.3, opacity=0.8)
        .encode(
            alt.X("x:Q", axis=None, scale=scale),
            alt.Y("y:Q", axis=None, scale=scale),
            alt.X2("x2:Q"),
            alt.Y2("y2:Q"),
            alt.Color(
                "what:N",
                scale=alt.Scale(domain=kinds, range=[colours[kind] for kind in kinds]),
                legend=legend,
            ),
            strokeDash=alt.condition("datum.what == 'removed'", alt.value([4, 3]), alt.value([1, 0])),
        )
    )
    shared = _shared(graph.degrees)
    dots = [
        {"x": places[node][0], "y": places[node][1], "who": _who(int(shared[node]), k)}
        for node in range(graph.nodes)
    ]
    nodes = (
        alt.Chart(alt.InlineData(values=dots))
        .mark_circle(size=70, opacity=1, stroke="white", strokeWidth=1)
        .encode(
            alt.X("x:Q", axis=None, scale=scale),
            alt.Y("y:Q", axis=None, scale=scale),
            alt.Fill(
                "who:N",
                scale=alt.Scale(domain=["alone", "few", "safe"], range=[ALONE, FEW, SAFE]),
                legend=None,
            ),
        )
    )
    alone, few = int((shared == 1).sum()), int(((shared > 1) & (shared < k)).sum())
    below = f"{graph.edges:,} edges · {alone} alone with their number of friends · {few} with fewer than {k}"
    title = alt.Title(
        name, subtitle=below, anchor="start", fontSize=13, font=FONT, color=INK, subtitleFont=FONT,
        subtitleColor=QUIET, subtitleFontSize=11,
    )  # fmt: skip
    return (
        alt.layer(drawn, nodes)
        .resolve_scale(color="independent")
        .properties(width=SIZE, height=SIZE, title=title)
    )


def _pairs(graph: Graph) -> set[tuple[int, int]]:
    ends = graph.edge_list()
    return set(zip(ends.sources.tolist(), ends.targets.tolist(), strict=True))


def _shared(degrees: Int64) -> Int64:
    return np.bincount(degrees)[degrees] if len(degrees) else degrees


def _who(alike: int, k: int) -> str:
    return "alone" if alike == 1 else "few" if alike < k else "safe"
