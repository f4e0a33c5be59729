"""The picture of a graph: before, and after with what was added and removed; of a large one an excerpt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.core.chart_style import FONT, INK, QUIET, headline, svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.graphs.graph import Graph, Int64

MOST = 400  # nodes; more than that is a ball of wool
EXCERPT = 120  # nodes of a larger graph that are shown
KEPT, ADDED, REMOVED = "#9ca3af", "#0072B2", "#D55E00"  # Okabe & Ito 2008: told apart by everybody
ALONE, FEW, SAFE = "#dc2626", "#f59e0b", "#0f766e"
SIZE = 330


def svg(original: Graph, released: Graph, k: int, title: str, below: str = "") -> str:
    """Two panels as SVG, drawn here and without any network."""
    return svg_of(picture(original, released, k, title, below))


def picture(
    original: Graph,
    released: Graph | None,
    k: int,
    title: str,
    below: str | Sequence[str] = "",
    shown: Int64 | None = None,
) -> dict[str, Any]:
    """A graph before and after as a Vega-Lite document; node i is the same person in both. One panel without
    a release.

    Red is somebody whose number of friends nobody shares, amber somebody who shares it with fewer than k - 1.
    Of a large graph some nodes are `shown`, as `excerpt` chooses them; colours and figures are of the whole.
    """
    require("report", "a chart")
    import altair as alt

    original = original.undirected()
    after = None if released is None else released.undirected()
    larger = original if after is None or after.nodes <= original.nodes else after
    drawn = larger.nodes if shown is None else len(shown)
    if drawn > MOST:
        raise BadParameter(f"{drawn:,} nodes are too many to look at; {MOST} can be drawn")
    some = np.arange(larger.nodes) if shown is None else shown
    places = dict(zip(some.tolist(), layout(_among(larger, some)), strict=True))
    old = _pairs(original, places)
    panels = [_panel("now" if after is None else "before", original, places, {"edge": old}, k)]
    if after is not None:
        new = _pairs(after, places)
        changes = {"edge": old & new, "added": new - old, "removed": old - new}
        panels.append(_panel("after", after, places, changes, k))
    chart = (
        alt.hconcat(*panels, spacing=30)
        .properties(title=headline(title, below, 17), background="white", padding=20)
        .configure_view(stroke=None)
        .configure_legend(labelFont=FONT, labelColor=QUIET, titleFont=FONT)
    )
    made: dict[str, Any] = chart.to_dict()
    return made


def excerpt(graph: Graph, most: int = EXCERPT) -> Int64:
    """Some nodes that hang together: the circle around a person with a usual number of friends.

    Circles are added, nearest first, until there are enough; where everybody is reached, from someone else.
    """
    graph = graph.undirected()
    order = np.argsort(graph.degrees, kind="stable")
    waiting, found = [int(order[len(order) // 2])], dict[int, None]()
    others = iter(order[::-1].tolist())
    while len(found) < min(most, graph.nodes):
        if not waiting:
            waiting.append(next(others))
        node = waiting.pop(0)
        if node not in found:
            found[node] = None
            waiting += graph.neighbours(node).tolist()
    return np.sort(np.fromiter(found, np.int64))


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
    name: str,
    graph: Graph,
    places: Mapping[int, NDArray[np.float64]],
    edges: Mapping[str, set[tuple[int, int]]],
    k: int,
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
        for node in places
        if node < graph.nodes
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
    shared_by_few = f" · {few} with fewer than {k}" if k > 2 else ""  # who is not alone are two
    below = [f"{graph.edges:,} edges", f"{alone} alone with their number of friends{shared_by_few}"]
    title = alt.Title(
        name, subtitle=below, anchor="start", fontSize=13, font=FONT, color=INK, subtitleFont=FONT,
        subtitleColor=QUIET, subtitleFontSize=11,
    )  # fmt: skip
    return (
        alt.layer(drawn, nodes)
        .resolve_scale(color="independent")
        .properties(width=SIZE, height=SIZE, title=title)
    )


def _pairs(graph: Graph, places: Mapping[int, Any]) -> set[tuple[int, int]]:
    """The edges between nodes that have a place."""
    ends = graph.edge_list()
    inside = np.isin(ends.sources, list(places)) & np.isin(ends.targets, list(places))
    return set(zip(ends.sources[inside].tolist(), ends.targets[inside].tolist(), strict=True))


def _among(graph: Graph, some: Int64) -> Graph:
    """The nodes of a graph that are named, and the edges between them."""
    ends, to = graph.edge_list(), np.full(graph.nodes, -1)
    to[some] = np.arange(len(some))
    sources, targets = to[ends.sources], to[ends.targets]
    inside = (sources >= 0) & (targets >= 0)
    return Graph.of_edges(len(some), sources[inside], targets[inside])


def _shared(degrees: Int64) -> Int64:
    return np.bincount(degrees)[degrees] if len(degrees) else degrees


def _who(alike: int, k: int) -> str:
    return "alone" if alike == 1 else "few" if alike < k else "safe"
