"""Draws the pictures of the graph methods from real output on a made-up network.

Run it as `.venv/bin/python docs/images/graphs.py`.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import vl_convert

from shoal import catalog, verbs
from shoal.graphs import degree_chart
from shoal.graphs.appraisal import appraise
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.picture import svg
from shoal.graphs.release import GraphRelease

HERE = Path(__file__).parent
METHODS = {
    "supergraph": ("k-degree(k=5)", "Edges are added until everybody has as many friends as four others"),
    "deletion": ("k-degree(k=5)", "Edges are removed until everybody has as many friends as four others"),
    "relaxed": ("k-degree(k=5)", "Edges are added, and a few are turned"),
    "simultaneous": ("k-degree(k=5)", "Some edges are added, some removed"),
    "neighbourhood": ("k-neighbourhood(k=3)", "Every neighbourhood looks like two others"),
    "naive": (None, "New labels, the same structure: everybody who was alone still is"),
}


def network(nodes: int = 60, seed: int = 11, edges: int = 110) -> Graph:
    """A few circles of friends, and some people whom everybody knows."""
    chance = np.random.default_rng(seed)
    circle = np.arange(nodes) % 4
    fame = (np.arange(nodes) + 2.0) ** -0.8
    ends = []
    while len(ends) < edges:
        one, other = chance.choice(nodes, 2, replace=False, p=fame / fame.sum())
        if circle[one] == circle[other] or chance.random() < 0.15:
            ends.append((one, other))
    pairs = np.array(ends)
    alone = np.setdiff1d(np.arange(nodes), pairs)
    pairs = np.concatenate((pairs, np.stack((alone, (alone + 4) % nodes), axis=1)))
    return Graph.of_edges(nodes, pairs[:, 0], pairs[:, 1])


def released(name: str, model: str | None) -> GraphRelease:
    method = replace(catalog.make("method", name), seed=3)
    models = [] if model is None else [catalog.make("model", model)]
    release: GraphRelease = verbs.protect(network(), method, models, None)
    return release


def main(*names: str) -> None:
    for name, (model, title) in METHODS.items():
        if names and name not in names:
            continue
        release = released(name, model)
        # Labels are new, the people are not: they are drawn where they were.
        after = network() if name == "naive" else release.graph
        assert isinstance(after, Graph)
        k = 3 if name == "neighbourhood" else 5
        (HERE / f"{name}.svg").write_text(svg(network(), after, k, title), "utf-8")
    if not names or "noisy-degrees" in names:
        noisy_degrees()
    if not names or "grouping" in names:
        grouping(released("grouping", "k-grouping(k=5)"))


def noisy_degrees() -> None:
    """How many people have each degree, in a larger network and in the made-up one."""
    original = network(2000, edges=7000)
    models = [catalog.make("model", "edge-differential-privacy(epsilon=1)")]
    release: GraphRelease = verbs.protect(original, catalog.make("method", "noisy-degrees"), models, None)
    assert isinstance(release.graph, Graph)
    chart = degree_chart.picture(appraise(release.graph, original))
    # Nobody in the one is anybody in the other, so edges are not compared.
    chart["title"] |= {"text": "A made-up graph with noisy degrees", "subtitle": "2,000 people, ε = 1"}
    (HERE / "noisy-degrees.svg").write_text(vl_convert.vegalite_to_svg(chart), "utf-8")


def grouping(release: GraphRelease) -> None:
    """Circles of so many people, lines of so many edges."""
    import altair as alt

    from shoal.core.chart_style import headline

    groups = release.graph
    assert isinstance(groups, Grouping)
    around = 2 * np.pi * np.arange(groups.groups) / groups.groups
    places = np.stack((np.cos(around), np.sin(around)), axis=1)
    lines, dots = [], []
    inside = np.zeros(groups.groups, int)
    for one, other, weight in zip(groups.sources, groups.targets, groups.weights, strict=True):
        if one == other:
            inside[one] = weight
            continue
        (x, y), (x2, y2) = places[one], places[other]
        lines.append({"x": x, "y": y, "x2": x2, "y2": y2, "edges": int(weight)})
    for group, (x, y) in enumerate(places):
        told = f"{groups.sizes[group]} people\n{inside[group]} edges"
        dots.append({"x": x, "y": y, "people": int(groups.sizes[group]), "told": told})
    axis = alt.Scale(domain=[-1.25, 1.25])
    x, y = alt.X("x:Q", axis=None, scale=axis), alt.Y("y:Q", axis=None, scale=axis)
    links = (
        alt.Chart(alt.Data(values=lines))
        .mark_rule(color="#9ca3af")
        .encode(x, y, alt.X2("x2:Q"), alt.Y2("y2:Q"), alt.StrokeWidth("edges:Q", legend=None))
    )
    circles = alt.Chart(alt.Data(values=dots)).mark_circle(color="#99f6e4", stroke="#0f766e", opacity=1)
    circles = circles.encode(x, y, alt.Size("people:Q", legend=None, scale=alt.Scale(range=[1400, 2600])))
    words = alt.Chart(alt.Data(values=dots)).mark_text(lineBreak="\n", fontSize=10, dy=-4)
    chart = (links + circles + words.encode(x, y, text="told:N")).properties(
        width=460,
        height=420,
        title=headline("Groups of at least five, and how many edges run inside and between them", "", 15),
    )
    chart = chart.configure_view(stroke=None).configure(background="white", padding=16)
    (HERE / "grouping.svg").write_text(vl_convert.vegalite_to_svg(chart.to_dict()), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
