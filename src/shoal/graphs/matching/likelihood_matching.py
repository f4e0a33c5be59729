"""Match the people of two networks from a few who are known, by the likelihood of their friends.

Two nodes are the same person the likelier, the more friends they share who are matched already, the rarer
these friends are, and the fewer matched friends only one of them has. In rounds, everybody is given their
most likely candidate, if each is the other's and both beat all others by the odds that were asked for. Pairs
are looked at again in every round, so that an early slip is mended once more is known.

After Yartseva and Grossglauser, "On the performance of percolation graph matching", 2013, and Korula and
Lattanzi, "An efficient reconciliation algorithm for social networks", 2014, who count shared friends;
counting alone takes hubs for each other, so that here each friend counts as much as it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from shoal.graphs.graph import Graph, Int32
from shoal.graphs.matching import likelihood_kernels as kernels
from shoal.graphs.matching.likelihood_kernels import Float64, Mask
from shoal.graphs.matching.matching import NOBODY, Matching, Rows, inverse, rows_of

MOST_ROUNDS = 60
GROWS = 1.002  # the least by which a round must find more people, else it counts as idle
IDLE = 3  # rounds in a row, after which it ends
RELEASED = 3  # so many times as many as it began with: then those must hold their own, too
MOST_STEPS = 4_000_000_000  # of one round, a minute or less
LEAST_OVERLAP, MOST_OVERLAP = 0.2, 0.95


@dataclass(frozen=True, eq=False)
class _Side:
    """One network of the two, and what is believed about its people so far."""

    rows: Rows
    directed: bool
    best: Int32
    lead: Float64
    hubs: Mask

    @classmethod
    def of(cls, graph: Graph) -> _Side:
        nobody = np.full(graph.nodes, NOBODY)
        return cls(rows_of(graph), graph.directed, nobody, np.zeros(graph.nodes), hubs(graph))


def match_people(
    left: Graph, right: Graph, known: Int32, confidence: float, *, fixed: bool = True
) -> Matching:
    """The people of one network in the other, from those who are known (per left node; -1 for nobody).

    `confidence` is how sure a pair must be against every other candidate. With `fixed`, those who were known
    stay as they are; else only until there are enough others to judge them by.
    """
    odds = log(confidence / (1 - confidence))
    here, there = _Side.of(left), _Side.of(right)
    nodes, sure, first = known.copy(), known != NOBODY, len(Matching(known))
    taken = inverse(known, right.nodes) != NOBODY
    everybody = np.ones(left.nodes, np.bool_), np.ones(right.nodes, np.bool_)
    asked, idle, most = everybody, 0, len(Matching(nodes))
    for done in range(1, MOST_ROUNDS + 1):
        _look(here, there, nodes, asked)
        found = np.flatnonzero((here.best != NOBODY) & (here.lead >= odds) & ~sure)
        found = found[~taken[here.best[found]]]
        candidates = here.best[found]
        found = found[(there.best[candidates] == found) & (there.lead[candidates] >= odds)]
        new = np.where(sure, known, NOBODY)
        new[found] = here.best[found]
        before, nodes, changed = inverse(nodes, right.nodes), new, new != nodes
        idle = 0 if len(Matching(nodes)) > GROWS * most else idle + 1
        most = max(most, len(Matching(nodes)))
        if not fixed and most >= RELEASED * first:
            sure, taken = np.zeros_like(sure), np.zeros_like(taken)
        if idle == IDLE or not changed.any():
            return Matching(nodes, done)
        # Whoever has a friend who changed is asked again. An idle round may be so because what is known of
        # somebody's candidates changed: then everybody is.
        asked = everybody if idle else _near(here, there, changed, before != inverse(nodes, right.nodes))
    return Matching(nodes, MOST_ROUNDS)


def _near(here: _Side, there: _Side, left_changed: Mask, right_changed: Mask) -> tuple[Mask, Mask]:
    found = []
    for side, changed in ((here, left_changed), (there, right_changed)):
        marked = np.zeros(len(changed), np.bool_)
        kernels.mark_friends(side.rows[0], side.rows[1], changed, marked)
        if side.directed:
            kernels.mark_friends(side.rows[2], side.rows[3], changed, marked)
        found.append(marked)
    return found[0], found[1]


def hubs(graph: Graph) -> Mask:
    """Nodes with so many friends that asking all of them for candidates takes too long; they tell least."""
    friends = (
        graph.degrees
        if not graph.directed
        else graph.degrees + np.bincount(graph.targets, minlength=graph.nodes)
    )
    ascending = np.sort(friends)
    # A node is asked once per friend, and names all of its friends.
    within = int(np.searchsorted(np.cumsum(ascending.astype(np.float64) ** 2), MOST_STEPS, "right"))
    if within == graph.nodes:
        return np.zeros(graph.nodes, np.bool_)
    return np.asarray(friends >= ascending[within])


def _look(here: _Side, there: _Side, nodes: Int32, asked: tuple[Mask, Mask]) -> None:
    """Everybody's best candidate by what is known now, in both directions."""
    counted = kernels.shared_edges(here.rows, there.rows, nodes, inverse(nodes, len(there.rows[0]) - 1))
    kept = _share(counted[2], counted[0]), _share(counted[2], counted[1])
    witnesses = np.where(here.hubs | there.hubs[nodes], NOBODY, nodes)
    back = inverse(witnesses, len(there.rows[0]) - 1)
    for one, other, pairs, others, chosen, shares in (
        (here, there, witnesses, back, asked[0], kept),
        (there, here, back, witnesses, asked[1], kept[::-1]),
    ):
        known = kernels.known_friends(other.rows[0], other.rows[1], others)
        known_in = kernels.known_friends(other.rows[2], other.rows[3], others) if one.directed else known
        kernels.best_candidates(
            one.rows, other.rows, one.directed, pairs, known, known_in, chosen, shares, one.best, one.lead
        )


def _share(shared: int, edges: int) -> float:
    # A few edges say little: then it is nearly one half.
    return min(max((shared + 5) / (edges + 10), LEAST_OVERLAP), MOST_OVERLAP)
