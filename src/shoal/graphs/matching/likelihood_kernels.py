"""The compiled loops of matching by likelihood; the tests have their plain twins."""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled, compiled_without_lock
from shoal.graphs.adjacency_kernels import has_edge
from shoal.graphs.graph import Int32, Int64
from shoal.graphs.matching.matching import Rows

Mask = NDArray[np.bool_]
Float64 = NDArray[np.float64]
Evidence = tuple[Int32, Float64, Float64]  # pairs, what sharing one tells (out, in), what missing one tells
About = Float64  # per node and direction: logarithm of its friends, what missing the known tells, the others

STEPS, STEPS_PER_FRIEND = 1_000, 50  # that asking for somebody's candidates may take; whoever is left after
RANKED = 16  # that, the friends with the most friends, is looked up for the best so many
NEGLIGIBLE = 12.0  # a logarithm of odds, by which a candidate is behind all others together
_OUT, _IN, _ODDS = 0, 1, 2  # what is kept of each candidate: shared friends in both directions, and odds


@compiled_without_lock
def best_candidates(
    left: Rows,
    right: Rows,
    directed: bool,
    evidence: Evidence,
    about: About,
    asked: Int64,
    kept: tuple[float, float],
    most_apart: float,
    nobody: Float64,
    best: Int32,
    lead: Float64,
) -> None:
    """Per node that is asked about, the most likely candidate, and the logarithm of its odds.

    The odds are those against all other candidates and everybody else together. `evidence` are the pairs that
    others are judged by, per left node; `about` tells of the friends of each right node. `kept` are the
    shares of the edges of each network that the other one has too; `most_apart` is the most that numbers of
    friends may tell against a candidate; `nobody` is the logarithm of the odds of all who share no friend,
    before friends are missed.
    """
    nodes = len(right[0]) - 1
    tally, touched = np.zeros((nodes, 3)), np.empty(nodes, np.int32)
    degrees = np.empty(len(left[0]), np.int32)  # of one node's friends
    ranked, odds = np.empty(RANKED, np.int32), np.empty(RANKED)
    for node in asked:
        limit = _largest_asked(left[0], left[1], node, evidence[0], right[2], degrees)
        number, outs, missed = _gather(
            left[0], left[1], node, evidence, right[2], right[3], limit, _OUT, tally, touched, 0
        )
        in_limit, ins, in_missed = limit, 0, 0.0
        if directed:
            in_limit = _largest_asked(left[2], left[3], node, evidence[0], right[0], degrees)
            number, ins, in_missed = _gather(
                left[2], left[3], node, evidence, right[0], right[1], in_limit, _IN, tally, touched, number
            )
        degree = left[0][node + 1] - left[0][node]
        out_rest, in_rest = degree - outs, left[2][node + 1] - left[2][node] - ins
        looked_up = limit >= 0 or in_limit >= 0
        # All who are not ranked together: a sum of odds, as the largest logarithm and the sum over it.
        high, total, top = nobody[node] + missed + in_missed, 1.0, 0
        for place in range(number):
            candidate = touched[place]
            shared, in_shared, told = tally[candidate, _OUT], tally[candidate, _IN], tally[candidate, _ODDS]
            tally[candidate, _OUT] = tally[candidate, _IN] = tally[candidate, _ODDS] = 0.0
            # Whoever was not crawled points to nobody: that is no difference to anybody else.
            crawled = not directed or (degree > 0 and about[candidate, 0] >= 0)
            if crawled:
                told += missed - shared * about[candidate, 0] + about[candidate, 1]
            if directed:
                told += in_missed - in_shared * about[candidate, 3] + about[candidate, 4]
            if told < high - NEGLIGIBLE and not looked_up:
                continue
            if crawled:
                told -= _apart(out_rest, about[candidate, 2], kept, most_apart)
            if directed:
                told -= _apart(in_rest, about[candidate, 5], kept, most_apart)
            # The best few stay in order; whoever is pushed out joins the rest.
            at = top
            while at > 0 and odds[at - 1] < told:
                at -= 1
            if at == RANKED:
                high, total = _add(high, total, told)
                continue
            if top == RANKED:
                high, total = _add(high, total, odds[RANKED - 1])
            else:
                top += 1
            for back in range(top - 1, at, -1):
                ranked[back], odds[back] = ranked[back - 1], odds[back - 1]
            ranked[at], odds[at] = candidate, told
        first = 0
        for place in range(top):
            if limit >= 0:
                odds[place] += _shared_hubs(
                    left[0], left[1], node, evidence, right[2], limit, right[0], right[1], ranked[place], _OUT
                )
            if directed and in_limit >= 0:
                odds[place] += _shared_hubs(
                    left[2],
                    left[3],
                    node,
                    evidence,
                    right[0],
                    in_limit,
                    right[2],
                    right[3],
                    ranked[place],
                    _IN,
                )
            if odds[place] > odds[first]:
                first = place
        for place in range(top):
            if place != first:
                high, total = _add(high, total, odds[place])
        best[node] = ranked[first] if top else -1
        lead[node] = odds[first] - high - log(total) if top else 0.0


@compiled
def _largest_asked(
    offsets: Int64, friends: Int32, node: int, pairs: Int32, there: Int64, degrees: Int32
) -> int:
    """How many friends somebody may have who is asked for candidates; -1 for everybody."""
    steps = number = 0
    for at in range(offsets[node], offsets[node + 1]):
        friend = pairs[friends[at]]
        if friend >= 0:
            degrees[number] = there[friend + 1] - there[friend]
            steps += degrees[number]
            number += 1
    most = max(STEPS, STEPS_PER_FRIEND * number)
    if steps <= most:
        return -1
    # Those with the most friends take longest and tell least.
    degrees[:number].sort()
    steps, at = degrees[0], 0
    while steps <= most:
        at += 1
        steps += degrees[at]
    return int(degrees[max(at - 1, 0)])


@compiled
def _gather(
    offsets: Int64,
    friends: Int32,
    node: int,
    evidence: Evidence,
    there: Int64,
    candidates: Int32,
    limit: int,
    way: int,
    tally: Float64,
    touched: Int32,
    number: int,
) -> tuple[int, int, float]:
    """Who shares a friend with somebody, how many friends are in a pair, and what it tells to miss all."""
    pairs, shared, missing = evidence
    count, missed = 0, 0.0
    for at in range(offsets[node], offsets[node + 1]):
        friend = pairs[friends[at]]
        if friend < 0:
            continue
        count += 1
        missed += missing[friends[at]]
        start, stop = there[friend], there[friend + 1]
        if 0 <= limit < stop - start:
            continue
        weight = shared[way, friends[at]]
        for place in range(start, stop):
            candidate = candidates[place]
            if tally[candidate, _OUT] == 0 and tally[candidate, _IN] == 0:
                touched[number] = candidate
                number += 1
            tally[candidate, way] += 1
            tally[candidate, _ODDS] += weight
    return number, count, missed


@compiled
def _shared_hubs(
    offsets: Int64,
    friends: Int32,
    node: int,
    evidence: Evidence,
    there: Int64,
    limit: int,
    rows: Int64,
    ends: Int32,
    candidate: int,
    way: int,
) -> float:
    """What the friends with the most friends tell, who were not asked: whether a candidate has them, too."""
    odds = 0.0
    for at in range(offsets[node], offsets[node + 1]):
        friend = evidence[0][friends[at]]
        if friend < 0 or there[friend + 1] - there[friend] <= limit:
            continue
        if has_edge(rows, ends, candidate, friend):
            odds += evidence[1][way, friends[at]] - log(rows[candidate + 1] - rows[candidate])
    return odds


@compiled
def _apart(rest: float, other_rest: float, kept: tuple[float, float], most: float) -> float:
    """What numbers of friends tell against a pair, of those friends of whom nobody knows who they are."""
    expected = rest * kept[0] / kept[1]
    apart = expected - other_rest
    # A method may have given somebody many edges, or taken them: then numbers of friends say little.
    return min(apart * apart / (2.0 * (expected + other_rest) * (1.0 - min(kept)) + 2.0), most)


@compiled
def all_others(
    rests: Int64, other_rests: Int64, weights: Float64, kept: tuple[float, float], most_apart: float
) -> Float64:
    """Per number of unknown friends, the odds of all others by theirs, with a weight for each such number."""
    found = np.zeros(len(rests))
    for at in range(len(rests)):
        for place in range(len(other_rests)):
            found[at] += weights[place] * exp(-_apart(rests[at], other_rests[place], kept, most_apart))
    return found


@compiled
def _add(high: float, total: float, odds: float) -> tuple[float, float]:
    """One more term of a sum of exponentials."""
    if odds < high - NEGLIGIBLE:
        return high, total
    if odds > high:
        return odds, total * exp(high - odds) + 1.0
    return high, total + exp(odds - high)


@compiled
def known_friends(
    offsets: Int64, targets: Int32, pairs: Int32, missing: Float64, number: Int64, missed: Float64
) -> None:
    """Per node, how many of its friends are in a pair, and what it tells to miss all of them."""
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if pairs[targets[at]] >= 0:
                number[node] += 1
                missed[node] += missing[targets[at]]


@compiled
def shared_edges(left: Rows, right: Rows, nodes: Int32, back: Int32) -> tuple[int, int, int]:
    """Edges between matched people: those of the left network, those of the right one, and those of both."""
    seen = np.full(len(right[0]) - 1, -1, np.int64)
    edges, others, shared = 0, 0, 0
    for node in range(len(left[0]) - 1):
        if nodes[node] < 0:
            continue
        for at in range(right[0][nodes[node]], right[0][nodes[node] + 1]):
            seen[right[1][at]] = node
            others += back[right[1][at]] >= 0
        for at in range(left[0][node], left[0][node + 1]):
            friend = nodes[left[1][at]]
            if friend >= 0:
                edges += 1
                shared += seen[friend] == node
    return edges, others, shared


@compiled
def mark_friends(offsets: Int64, targets: Int32, changed: Mask, marked: Mask) -> None:
    """Mark the friends of whoever changed."""
    for node in range(len(offsets) - 1):
        if changed[node]:
            for at in range(offsets[node], offsets[node + 1]):
                marked[targets[at]] = True


@compiled
def closed_wedges(rows: Rows, ones: Int64, middles: Int64, others: Int64) -> int:
    """Of people with a common friend, how many know each other; ends are given by their places in a row."""
    closed = 0
    for at in range(len(middles)):
        start = rows[0][middles[at]]
        closed += has_edge(rows[0], rows[1], rows[1][start + ones[at]], rows[1][start + others[at]])
    return closed
