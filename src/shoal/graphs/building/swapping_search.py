"""A k-degree anonymous graph near the original: target degrees, edges, and another try when stuck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.progress import Progress, Watch
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.building.construct_graph import join_nodes, state_of
from shoal.graphs.building.near_partners import Partners, near_partners, too_many
from shoal.graphs.building.realisability import shortage
from shoal.graphs.building.swapping_targets import even, k_anonymous, lift_degrees, nudge_degrees
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Edges, Graph, Int64


@dataclass(frozen=True)
class Near:
    """Edges to add and to remove; `complete` where nothing nearer was found than the complete graph."""

    added: Edges
    removed: Edges
    complete: bool = False

    @property
    def changes(self) -> int:
        return len(self.added) + len(self.removed)


def near(
    graph: Graph,
    k: int,
    change: Change,
    allowed: int,
    rounds: int,
    generator: np.random.Generator,
    watch: Watch | None = None,
) -> Near:
    """Edges to add and remove such that every degree occurs k times.

    With "raise" at most `allowed` edges are removed as long as there is another way: partners from large
    degree classes, and from whole classes that go up together. After so many rounds edges are only added.
    """
    original = graph.degrees
    target = start = anonymous_degrees(original, k, change)
    for round_ in range(rounds):
        insist = change == "both" or round_ >= rounds // 2
        target = even(target, original, k, change, generator)
        gap = shortage(target)
        if gap.missing:
            target = lift_degrees(target, original, k, gap.missing, gap.size, generator)
            target = even(target, original, k, change, generator)
        made = edit_edges(graph, target, k, allowed, insist, generator)
        if watch is not None:
            watch(Progress(round_ + 1, rounds - round_ - 1, None, None))
        if k_anonymous(made.degrees, k):
            return Near(made.added, made.removed)
        if change == "raise" and (not insist or round_ % 2):
            target = lift_degrees(target, original, k, made.left, int(target.max()), generator)
        else:
            target = nudge_degrees(
                start if round_ % 4 == 0 else target, original, k, change, 1 + round_ // 8, generator
            )
    found = reach(graph, k, "raise", generator)  # which has the complete graph up its sleeve
    nothing = Edges(np.empty(0, np.int32), np.empty(0, np.int32))
    return Near(found.pairs, nothing, complete=found.resort)


def with_partners(
    graph: Graph,
    found: Near,
    k: int,
    partners: Partners,
    rounds: int,
    generator: np.random.Generator,
    watch: Watch | None = None,
) -> Near | None:
    """The same with added edges that look like true ones; None where that would take many more changes."""
    base = graph.with_edges(removed=found.removed)
    if partners == "near":
        added = near_partners(base, found.added, k, generator, found.removed)
        return Near(added, found.removed, found.complete)
    middle = base.with_edges(added=near_partners(base, found.added, 1, generator, found.removed))
    rest = near(middle, k, "both", 0, rounds, generator, watch)
    before, after = (keys_of(each) for each in (graph, middle.with_edges(rest.added, rest.removed)))
    more, less = np.setdiff1d(after, before), np.setdiff1d(before, after)
    if rest.complete or too_many(len(more) + len(less), found.changes):
        return None
    return Near(_edges(more, graph.nodes), _edges(less, graph.nodes))


def keys_of(graph: Graph) -> Int64:
    """Every edge as one number."""
    edges = graph.edge_list()
    return edges.sources.astype(np.int64) * graph.nodes + edges.targets


_LOOKED_AT = 10_000_000  # edges looked at one by one, in all, where random tries fail


@dataclass(frozen=True)
class EdgeEdit:
    """Edges to add and to remove, the degrees that the graph then has, and how many ends are still wrong."""

    added: Edges
    removed: Edges
    degrees: Int64
    left: int


def edit_edges(
    graph: Graph, degrees: Int64, k: int, allowed: int, insist: bool, generator: np.random.Generator
) -> EdgeEdit:
    """Change edges until every node has its degree, or nothing more can be done.

    Cheapest first, per two ends that are mended: an edge dropped between two nodes with too many, or added
    between two with too few (one change); an edge turned from one with too many to one with too few (two);
    an edge x–y that gives way to u–x and v–y when u and v are both short and know each other already (one
    when x–y was new; else three, and only so many are `allowed`); an end taken from or given to somebody of a
    large degree class (two, and classes stay above k). Who insists gets exchanges without a limit then, and
    x–y for u–x and v–y when u and v have too many (three).
    """
    from shoal.graphs.building import edge_editing_kernels as kernels
    from shoal.graphs.building import edge_exchange_kernels as exchanging

    goal = degrees.copy()
    need = goal - graph.degrees
    counts = np.bincount(goal)
    capacity = 1 << int(4 * np.abs(need).sum() + 64).bit_length()
    keys, signs = np.full(capacity, -1, np.int64), np.zeros(capacity, np.int8)
    table = (graph.offsets, graph.targets, keys, signs, need)
    state = state_of(generator)
    scans = min(500, max(4, _LOOKED_AT // max(1, graph.edges + graph.nodes)))

    kernels.drop_edges(*table, _rank(-need))
    short = np.maximum(need, 0)
    if short.any():
        new = join_nodes(graph, short, "highest", generator, lenient=True)
        kernels.add_edges(graph.nodes, keys, signs, new.edges.sources, new.edges.targets)
        need += new.unmet - short
    if (need > 0).any() and (need < 0).any():
        kernels.turn_edges(*table, _rank(-need), _rank(need), state)
    for most in (allowed, graph.edges):
        if (need > 0).any():
            exchanging.exchange_edges(*table, _rank(need), keys[signs > 0], most, scans, state)
        if need.any():
            exchanging.spread(*table, goal, counts, k, _rank(np.abs(need)), scans, state)
        if not insist and int(np.abs(need).sum()) > allowed // 2 + 16:
            break  # a few more than allowed are nothing; many would be another graph
    if (need < 0).any():
        exchanging.shorten_paths(*table, _rank(-need), _LOOKED_AT // 100, state)
    added, removed = _edges(keys[signs > 0], graph.nodes), _edges(keys[signs < 0], graph.nodes)
    return EdgeEdit(added, removed, goal - need, int(np.abs(need).sum()))


def _rank(amounts: Int64) -> Int64:
    """Nodes with a positive amount, the largest first."""
    nodes = np.flatnonzero(amounts > 0)
    return nodes[np.argsort(-amounts[nodes], kind="stable")]


def _edges(keys: Int64, nodes: int) -> Edges:
    keys = np.sort(keys)
    return Edges((keys // nodes).astype(np.int32), (keys % nodes).astype(np.int32))
