"""The compiled loops of matching by likelihood; the tests have their plain twins."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.graph import Int32, Int64
from shoal.graphs.matching.matching import Rows

Mask = NDArray[np.bool_]
Float64 = NDArray[np.float64]


@compiled
def best_candidates(
    left: Rows,
    right: Rows,
    directed: bool,
    witnesses: Int32,
    out_known: Int64,
    in_known: Int64,
    asked: Mask,
    kept: tuple[float, float],
    most_apart: float,
    best: Int32,
    lead: Float64,
) -> None:
    """Per node that is asked about, the most likely candidate, and by how much it beats every other one.

    `witnesses` are the pairs that others are judged by, per left node; `out_known` and `in_known` count the
    friends of each right node who are in such a pair. `kept` are the shares of the edges of each network that
    the other one has too; `most_apart` is the most that numbers of friends may tell against a candidate.
    `lead` is a logarithm of odds: against the second best candidate, or against none of them where there is
    only one.
    """
    nodes = len(right[0]) - 1
    entries = float(max(len(right[1]), 1))
    common = log(kept[0] * entries)
    ratio = kept[0] / kept[1]  # of the numbers of friends in the two networks
    out_count, in_count = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32)
    score, touched = np.zeros(nodes), np.empty(nodes, np.int32)
    for node in range(len(left[0]) - 1):
        if not asked[node]:
            continue
        number, outs, ins = 0, 0, 0
        for at in range(left[0][node], left[0][node + 1]):
            friend = witnesses[left[1][at]]
            if friend < 0:
                continue
            outs += 1
            start, stop = right[2][friend], right[2][friend + 1]
            weight = common - log(max(stop - start, 1))
            for place in range(start, stop):
                candidate = right[3][place]
                if out_count[candidate] == 0 and in_count[candidate] == 0:
                    touched[number] = candidate
                    number += 1
                out_count[candidate] += 1
                score[candidate] += weight
        if directed:
            for at in range(left[2][node], left[2][node + 1]):
                friend = witnesses[left[3][at]]
                if friend < 0:
                    continue
                ins += 1
                start, stop = right[0][friend], right[0][friend + 1]
                weight = common - log(max(stop - start, 1))
                for place in range(start, stop):
                    candidate = right[1][place]
                    if out_count[candidate] == 0 and in_count[candidate] == 0:
                        touched[number] = candidate
                        number += 1
                    in_count[candidate] += 1
                    score[candidate] += weight
        out_degree, in_degree = left[0][node + 1] - left[0][node], left[2][node + 1] - left[2][node]
        first, second, found = 0.0, 0.0, -1
        for place in range(number):
            candidate = touched[place]
            there_out = right[0][candidate + 1] - right[0][candidate]
            there_in = right[2][candidate + 1] - right[2][candidate]
            odds = score[candidate]
            # Whoever was not crawled points to nobody: that is no difference to anybody else.
            if not directed or (out_degree and there_out):
                odds += _row_odds(
                    out_count[candidate],
                    outs,
                    out_known[candidate],
                    out_degree,
                    there_out,
                    kept,
                    ratio,
                    most_apart,
                )
            if directed:
                odds += _row_odds(
                    in_count[candidate],
                    ins,
                    in_known[candidate],
                    in_degree,
                    there_in,
                    kept,
                    ratio,
                    most_apart,
                )
            if odds > first:
                first, second, found = odds, first, candidate
            elif odds > second:
                second = odds
            out_count[candidate] = in_count[candidate] = 0
            score[candidate] = 0.0
        best[node], lead[node] = found, first - second


@compiled
def _row_odds(
    common: int,
    here: int,
    there: int,
    degree: int,
    other_degree: int,
    kept: tuple[float, float],
    ratio: float,
    most_apart: float,
) -> float:
    """What the friends tell whom only one of the two knows, and those of whom nobody knows who they are."""
    odds = (here - common) * log(1.0 - kept[0]) + (there - common) * log(1.0 - kept[1])
    if common:
        odds -= common * log(other_degree)
    rest, other_rest = ratio * (degree - here), float(other_degree - there)
    apart = rest - other_rest
    # A method may have given somebody many edges, or taken them: then numbers of friends say little.
    return odds - min(apart * apart / (2.0 * (rest + other_rest) * (1.0 - min(kept)) + 2.0), most_apart)


@compiled
def known_friends(offsets: Int64, targets: Int32, witnesses: Int32) -> Int64:
    """Per node, how many of its friends are in a pair."""
    found = np.zeros(len(offsets) - 1, np.int64)
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if witnesses[targets[at]] >= 0:
                found[node] += 1
    return found


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
