"""Added edges beside true ones of the same people: what is left to see when degrees tell nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.attacks.link_guessing.scores import Float64
from shoal.graphs.graph import Edges

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]


def anchors_of(nodes: int, edges: Edges, added: Bool) -> Int64:
    """Of every edge the end with more added edges: whoever lacked friends, for added ones."""
    sources, targets = edges.sources.astype(np.int64), edges.targets.astype(np.int64)
    number = _number_added(nodes, edges, added)
    return np.where(number[targets] > number[sources], targets, sources)


def area_among_the_same_people(nodes: int, edges: Edges, added: Bool, score: Float64) -> float | None:
    """How often a true edge scores above an added one of the same person, ties for half.

    Every added edge is compared with all true edges of its anchor. Whose edges were added is no secret: these
    are the people with the rarest degrees. What a choice of partners can hide is which of their edges.
    None where nobody has both.
    """
    if not added.any():
        return None
    true = np.flatnonzero(~added)
    number = _number_added(nodes, edges, added)
    ends = np.concatenate((edges.sources[true], edges.targets[true])).astype(np.int64)
    of_anchors = number[ends] > 0
    people = np.concatenate((ends[of_anchors], anchors_of(nodes, edges, added)[added]))
    scores = np.concatenate((np.concatenate((score[true], score[true]))[of_anchors], score[added]))
    real = np.arange(len(people)) < int(of_anchors.sum())
    order = np.lexsort((scores, people))
    people, scores, real = people[order], scores[order], real[order]
    before = np.concatenate(([0], np.cumsum(real)))  # true edges before each place
    last_of_tie, first_of_tie = _blocks((people[1:] != people[:-1]) | (scores[1:] != scores[:-1]))
    last_of_one, first_of_one = _blocks(people[1:] != people[:-1])
    above = before[last_of_one] - before[last_of_tie]
    ties = before[last_of_tie] - before[first_of_tie]
    all_true = before[last_of_one] - before[first_of_one]
    told = ~real & (all_true > 0)
    return float(((above + ties / 2)[told] / all_true[told]).mean()) if told.any() else None


def _number_added(nodes: int, edges: Edges, added: Bool) -> Int64:
    ends = np.concatenate((edges.sources[added], edges.targets[added])).astype(np.int64)
    return np.bincount(ends, minlength=nodes)


def _blocks(change: Bool) -> tuple[Int64, Int64]:
    """Per place, where its stretch without a change ends and begins."""
    starts = np.flatnonzero(np.concatenate(([True], change))) if len(change) else np.zeros(1, np.int64)
    ends = np.append(starts[1:], len(change) + 1)
    lengths = ends - starts
    return np.repeat(ends, lengths), np.repeat(starts, lengths)
