"""All figures about a graph at once, alone or beside the one it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import Any

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.measure_results import figure_json, figure_rows
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Rows, Tables
from shoal.core.progress import Follow
from shoal.graphs.appraisal.estimate import Estimate, number_text
from shoal.graphs.appraisal.figures_of_one_graph import PARTS, TOLD, Figures, figures_of
from shoal.graphs.appraisal.sampled_measure import SampledMeasure
from shoal.graphs.graph import Graph
from shoal.graphs.measures.overlap import Changes, Overlap, Versions
from shoal.graphs.measures.power_law import PowerLaw

# The measures that have a place of their own in an appraisal.
PLACED: tuple[type[Measure[Any, Any]], ...] = (*TOLD, Overlap)
UNKNOWN = (*(part.name for part in fields(Changes)), "overlap", "jaccard")  # where nobody knows who is who


@dataclass(frozen=True)
class GraphAppraisal(Shown):
    """What `measure` returns for a graph; `before` where the original was given, `changes` where it is also
    known who is who in both."""

    figures: Figures
    before: Figures | None = None
    changes: Changes | None = None
    notes: tuple[str, ...] = ()
    further: Mapping[str, Json] = field(default_factory=dict)  # by measures without a place of their own

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph measure --json` prints."""
        found = self.figures.to_json()
        if self.further:
            found["further"] = dict(self.further)
        if self.before is not None:
            changes = dict.fromkeys(UNKNOWN) if self.changes is None else self.changes.to_json()
            found |= {**changes, "before": self.before.to_json()}
        return {**found, "notes": list(self.notes)}

    def to_tables(self) -> Tables:
        tables = {"figures": self._figures(), "who hides among how many": self.figures.anonymity_rows()}
        edge, identity = self.figures.edge, self.figures.identity
        tables["what degrees give away"] = [
            ["figure", "value"],
            ["chance to find a person, on average", f"{identity.mean:.4%}"],
            ["chance to find a person, at worst", f"{identity.worst:.4%}"],
            ["highest chance of an edge between two degrees", f"{edge.highest:.2%}"],
            ["pairs of degrees with a certain edge", f"{edge.certain:,}"],
            ["of these, where both people cannot be pointed at", f"{edge.hidden:,}"],
        ]
        if self.changes is not None:
            tables["what was changed"] = _change_rows(self.changes)
        if self.further:
            tables["by further measures"] = figure_rows(self.further)
        return tables

    def to_chart(self) -> dict[str, Any]:
        """The degrees, before and after, as a picture: a Vega-Lite document."""
        from shoal.graphs.appraisal.degree_chart import picture

        return picture(self)

    def _figures(self) -> Rows:
        after = self.figures.numbers()
        if self.before is None:
            return [["figure", "value"], *([name, _text(value)] for name, value in after.items())]
        before = self.before.numbers()
        rows = [["figure", "before", "after", "change"]]
        for name, value in after.items():
            rows.append([name, _text(before[name]), _text(value), _change(before[name], value)])
        return rows


def appraise(
    graph: Graph,
    original: Graph | None = None,
    *,
    paired: bool = True,
    further: Sequence[Measure[Any, Any]] = (),
    exact: bool | None = None,
    sample: int | None = None,
    x_min: int = 3,
    seed: int | None = None,
    follow: Follow | None = None,
) -> GraphAppraisal:
    """Everything that can be said about a graph, and with the original what changed.

    `paired` says that labels tell who is who in both; else edges are not compared one by one.
    Small graphs are measured to the end, of large ones path lengths and clustering are estimated: `exact`
    measures to the end at any price, `sample` takes that many sources and pairs. A power law is fitted from
    degree `x_min` on (0: from where it fits best). Direction is left aside.
    """
    effort, law = SampledMeasure(bool(exact), sample, seed), PowerLaw(x_min)
    steps = len(PARTS) * (1 if original is None else 2) + (original is not None and paired)
    done = 0

    def tell(part: str) -> None:
        nonlocal done
        if follow is not None:
            follow(done, steps, part)
        done += 1

    changes = None
    if original is not None and paired:
        tell("edges kept and new")
        changes = Overlap().measure(Versions(graph, original))
    figures = figures_of(graph.undirected(), effort, law, tell)
    before = None if original is None else figures_of(original.undirected(), effort, law, tell)
    notes = _notes(graph, original, figures, before, changes)
    others: dict[str, Json] = {}
    for ruler in further:
        with suppress(BadParameter):  # one that looks at something else, or lacks something
            others[ruler.name.replace("-", "_")] = figure_json(
                apply_measure(ruler, graph, original if paired else None)
            )
    return GraphAppraisal(figures, before, changes, notes, others)


def apply_measure(ruler: Measure[Any, Any], graph: Graph, original: Graph | None = None) -> Any:
    """What a measure finds in a graph, or in it and its original."""
    wanted = ruler.subject()
    if wanted is Graph:
        return ruler.measure(graph.undirected())
    if wanted is not Versions:
        raise BadParameter(f"{ruler.name} measures a {wanted.__name__}; here are a Graph and Versions of one")
    if original is None:
        raise BadParameter(
            f"{ruler.name} needs the graph that the release was made from; give --original FILE"
        )
    return ruler.measure(Versions(graph, original))


def _notes(
    graph: Graph, original: Graph | None, figures: Figures, before: Figures | None, changes: Changes | None
) -> tuple[str, ...]:
    told = []
    if graph.directed or (original is not None and original.directed):
        told.append("direction was left aside: two people are joined if either points to the other")
    both = [found for found in (figures, before) if found is not None]
    if not all(found.paths.exact and found.clustering.exact for found in both):
        told.append("path lengths and clustering with two ends are estimates with a 95 % interval")
    if not all(found.diameter.exact for found in both):
        told.append("a diameter with two ends lies between them for certain")
    if any(found.neighbourhood is None for found in both):
        told.append("anonymity by neighbourhood would take long here and was left out; ask for exact figures")
    if not all(found.refinement.settled for found in both):
        told.append("refinement was stopped before it settled: more knowledge would tell more people apart")
    if changes is not None and (changes.nodes_added or changes.nodes_removed):
        told.append(
            f"{changes.nodes_added:,} people are only in the release and {changes.nodes_removed:,} only in "
            "the original, by their labels"
        )
    return tuple(told)


def _change_rows(changes: Changes) -> Rows:
    return [
        ["figure", "value"],
        ["edges added", f"{changes.added:,}"],
        ["edges removed", f"{changes.removed:,}"],
        ["original edges kept", f"{changes.overlap:.2%}"],
        ["edges in both, of those in either", f"{changes.jaccard:.2%}"],
        ["people added", f"{changes.nodes_added:,}"],
        ["people removed", f"{changes.nodes_removed:,}"],
        ["change of all degrees together", f"{changes.degree_change:,}"],
        ["distance of the degree distributions", f"{changes.degree_distance:.4g} friends per person"],
    ]


def _text(value: Estimate | None) -> str:
    return "–" if value is None else str(value)


def _change(before: Estimate | None, after: Estimate | None) -> str:
    if before is None or after is None:
        return "–"
    change = after.value - before.value
    if not change:
        return "0"
    share = f" ({change / before.value:+.2%})" if before.value else ""
    return f"{'+' if change > 0 else ''}{number_text(change, 4)}{share}"
