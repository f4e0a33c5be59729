"""What a report tells of a network: what was released, the risk that is left, what changed, what was lost."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.core.rounded_figures import per_cent
from shoal.graphs.appraisal.dossier import GraphDossier
from shoal.graphs.appraisal.estimate import Estimate
from shoal.report.blocks import Block, Cell, Chart, Figure, Grid, Words
from shoal.report.network_charts import change_words, changes_chart, degrees_chart
from shoal.report.wording import count, listed, sentence

_BY = {
    "flags": "whoever made the release",
    "default": "nobody: it is Shoal's default",
    None: "not recorded",
}
# The figures of structure that are drawn, as `Figures.numbers` calls them and as a reader does.
_DRAWN = {
    "edges": "edges",
    "mean degree": "friends per person",
    "highest degree": "most friends of one person",
    "clustering, all people (cc)": "clustering",
    "clustering, all pairs of friends (cc1)": "closed triangles",
    "average path length of reachable pairs": "steps between two people",
    "diameter": "longest shortest way",
    "people in the largest component": "people who hang together",
}
_DROPPED = {
    "loops": ("edge of somebody with themselves", "edges of people with themselves"),
    "duplicates": ("repeated edge", "repeated edges"),
    "merged": ("pair of opposite edges that became one", "pairs of opposite edges that became one"),
    "weights": ("column or attribute", "columns or attributes"),
}


def glance(dossier: GraphDossier) -> Iterator[Figure]:
    """Large numbers at the top."""
    yield Figure(f"{dossier.nodes:,}", "people")
    yield Figure(f"{dossier.edges:,}", "edges between them")
    if dossier.groups is not None:
        yield Figure(f"{dossier.groups.smallest:,}", "people at least in a group")
    elif dossier.paired:
        level = dossier.appraisal.figures.degree.level
        told = (
            "people at least have as many friends" if level > 1 else "person alone with a number of friends"
        )
        yield Figure(f"{level:,}", told, "" if level > 1 else "bad")


def released_section(dossier: GraphDossier) -> Iterator[Block]:
    """The file, what became of names and attributes, and who decided."""
    yield Words(_contents(dossier))
    if dossier.choices:
        rows = tuple(
            (Cell(choice.what, "strong"), Cell(choice.chosen), Cell(_BY[choice.by]))
            for choice in dossier.choices
        )
        yield Grid("What was decided, and by whom", ("about", "decision", "decided by"), rows, (4, 8, 5))
    if dossier.labels == "keep":
        yield Words(
            "The labels of people were kept. If they mean anything to anybody (a customer number, a user "
            "name), they name people, and nothing else in this report matters. Make the release again with "
            "--labels random.",
            "warn",
        )
    yield Words(_how(dossier))


def _contents(dossier: GraphDossier) -> str:
    told = f"{dossier.release} is a network of {count(dossier.nodes, 'person', 'people')}"
    if dossier.groups is not None:
        told += (
            f" in {count(dossier.groups.groups, 'group', 'groups')}: it says how many edges run inside and "
            f"between groups, {dossier.edges:,} in all, and of nobody which edges are theirs."
        )
    elif not dossier.paired:
        told += (
            f" and {count(dossier.edges, 'edge', 'edges')}. All of them are made up: only how many people "
            "have how many friends was taken from the original, with noise."
        )
    else:
        told += f" and {count(dossier.edges, 'edge', 'edges')}; each node is a person of the original."
    lost = [count(many, *_DROPPED[name]) for name, many in dossier.dropped.items() if name in _DROPPED]
    if lost:
        told += f" Not released: {listed(lost)}."
    if dossier.dropped.get("undirected"):
        told += " Who points to whom was dropped: an edge has no direction."
    return told


def _how(dossier: GraphDossier) -> str:
    if not dossier.method:
        return "How it was made is not known: there is no manifest beside the file."
    method = catalog.known("method", dossier.method)
    about = "" if method is None else catalog.Part("method", dossier.method, method).promise
    told = f"It was made by the method {dossier.method}." + (f" {sentence(about)}" if about else "")
    if dossier.altered:
        told = f"This file was changed. What its manifest speaks of {told.removeprefix('It ')}"
    return told


def risk(dossier: GraphDossier) -> Iterator[Block]:
    """Who hides among how many, by what somebody knows."""
    if not dossier.paired:
        yield Words("Nobody of the original has a node of their own in it, so nobody can stand out.")
        return
    after, before = dossier.appraisal.figures, dossier.appraisal.before
    sides = [side for side in (before, after) if side is not None]
    knowledge = (
        ("how many friends a person has", [side.degree for side in sides]),
        ("and which of these know each other", [side.neighbourhood for side in sides]),
        ("the network around a person, however far", [side.refinement.last for side in sides]),
    )
    rows = []
    for known, found in knowledge:
        cells = [
            Cell("not measured" if one is None else f"{one.level:,} ({per_cent(one.alone)} alone)")
            for one in found
        ]
        rows.append((Cell(known, "strong"), *cells))
    heads = ("before", "now") if len(sides) == 2 else ("now",)
    yield Grid(
        "Who hides among how many",
        ("somebody who knows", *heads),
        tuple(rows),
        (9, *(5 for _ in sides)),
        tuple(range(1, 1 + len(sides))),
    )
    yield Words(
        "The first figure is how many people at least look alike to somebody with that knowledge, the second "
        "the share of people who look like nobody else. Knowledge is taken for exact here; the attacks above "
        "work with less.",
        "quiet",
    )


def structure(dossier: GraphDossier) -> Iterator[Block]:
    """What changed: pictures, and the figures behind them."""
    after, before = dossier.appraisal.figures, dossier.appraisal.before
    if dossier.groups is not None:
        yield Words(
            "Groups have no structure of their own. The figures are of one network drawn from all that fit "
            "the groups, as an analyst would draw it."
        )
    if after.edges or (before is not None and before.edges):
        friends = after.degrees
        alt = f"Number of friends: {friends.mean:.3g} on average and {friends.highest:,} at most now"
        if before is not None:
            alt += f", {before.degrees.mean:.3g} and {before.degrees.highest:,} before"
        picture = degrees_chart(None if before is None else before.degrees, after.degrees, f"{alt}.")
        yield Chart(picture, f"{alt}.", "How many people have at least so many friends")
    if before is None:
        rows = tuple(
            (Cell(_DRAWN[name], "strong"), Cell(str(value)))
            for name, value in after.numbers().items()
            if name in _DRAWN and value is not None
        )
        yield Grid("Structure", ("figure", "now"), rows, (8, 8), (1,))
        yield Words("What changed is not known: the original was not given (--original).", "quiet")
        return
    was, now = before.numbers(), after.numbers()
    drawn: list[tuple[str, Estimate, Estimate]] = []
    for name, called in _DRAWN.items():
        one, other = was[name], now[name]
        if one is not None and other is not None:
            drawn.append((called, one, other))
    told = " ".join(
        f"{called}: {change_words((other.value - one.value) / one.value)}."
        for called, one, other in drawn
        if one.value
    )
    yield Chart(
        changes_chart(drawn, f"Change of each figure. {told}"), told, "What changed, against the original"
    )
    inexact = [called for called, one, other in drawn if not (one.exact and other.exact)]
    if inexact:
        yield Words(f"Estimated from a sample: {listed(inexact)}.", "quiet")


def loss_section(dossier: GraphDossier) -> Iterator[Block]:
    """What the protection cost."""
    changes = dossier.appraisal.changes
    if dossier.groups is not None:
        yield Words(
            "Who of a group knows whom is gone on purpose; edges between groups are counted exactly. "
            f"{count(dossier.groups.sure_edges, 'edge is', 'edges are')} still certain, because all pairs of "
            "people of their groups are linked."
        )
        return
    if not dossier.paired:
        yield Words("Who knows whom, communities and triangles are gone on purpose: only degrees were kept.")
        return
    if changes is None:
        yield Words(
            "Not known edge by edge: give the original (--original), and where labels are random who is who "
            "(--truth)."
        )
        return
    true = changes.kept + changes.removed
    rows = (
        ("edges added", "edges of the release that are not true", changes.added),
        ("edges removed", "true edges that are missing", changes.removed),
        ("edges kept", "true edges that are still there", changes.kept),
    )
    yield Grid(
        "Edges",
        ("figure", "what it says", "edges", "of the original's"),
        tuple(
            (Cell(name, "strong"), Cell(about), Cell(f"{many:,}"), Cell(per_cent(many / max(true, 1))))
            for name, about, many in rows
        ),
        (5, 9, 3, 4),
        (2, 3),
    )
    false = changes.added / max(changes.added + changes.kept, 1)
    yield Words(
        f"Of the edges in the release {per_cent(false)} are not true. The distribution of numbers of friends "
        f"moved by {changes.degree_distance:.3g} friends per person.",
        "quiet",
    )
