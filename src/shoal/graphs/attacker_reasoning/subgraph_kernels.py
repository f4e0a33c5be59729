"""The compiled walk through the tree of partial answers; the tests have its plain twin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import has_edge
from shoal.graphs.graph import Int32, Int64


@compiled
def _joined(offsets: Int64, targets: Int32, one: int, other: int) -> bool:
    """Whether there is an edge, by the shorter of the two rows."""
    if offsets[one + 1] - offsets[one] > offsets[other + 1] - offsets[other]:
        one, other = other, one
    return has_edge(offsets, targets, one, other)


@compiled
def common_friends(offsets: Int64, targets: Int32, one: int, other: int) -> int:
    """How many friends two people share."""
    i, j, shared = offsets[one], offsets[other], 0
    while i < offsets[one + 1] and j < offsets[other + 1]:
        if targets[i] == targets[j]:
            shared += 1
            i += 1
            j += 1
        elif targets[i] < targets[j]:
            i += 1
        else:
            j += 1
    return shared


@compiled
def _unseen(offsets: Int64, targets: Int32, mask: Int64, codes: Int64, node: int, at: int) -> int:
    """How many sets of people, as far as they are placed, no friend of the one placed last knows just so.

    `mask` has, for everybody, the bits of the people before whom they know.
    """
    lacking, before = 0, (1 << at) - 1
    for code in codes:
        if code >> at & 1 == 0 or code & before == 0:
            continue
        there = False
        for edge in range(offsets[node], offsets[node + 1]):
            if mask[targets[edge]] == code & before:
                there = True
                break
        lacking += not there
    return lacking


@compiled
def search_tree(
    offsets: Int64,
    targets: Int32,
    degrees: Int64,
    order: Int32,
    starts: Int64,
    ends: Int64,
    joined: NDArray[np.bool_],
    least: Int64,
    most: Int64,
    fewest: Int64,
    highest: Int64,
    codes: Int64,
    added: int,
    removed: int,
    unseen: int,
    enough: int,
    steps: int,
) -> tuple[Int64, int, bool]:
    """The first `enough` answers, the nodes of the tree, and whether all of it was seen.

    Persons i and j must share `fewest[i, j]` to `highest[i, j]` friends, and of the sets of them in which
    others know them (`codes`) at most `unseen` may be missing, counted as they are placed one by one.

    Person i is looked for among the friends of each earlier person whom they know (`asked`), so that an edge
    that was removed does not hide them; whoever was seen among the friends of one is passed over at the next.
    Whoever knows nobody earlier is looked for among all nodes of a fitting degree.
    """
    people = len(least)
    found = np.empty((enough, people), np.int64)
    chosen = np.full(people, -1, np.int64)
    asked = np.full(people, -1, np.int64)  # whose friends are looked at, -1 for all nodes
    cursor, stop = np.zeros(people, np.int64), np.zeros(people, np.int64)
    more, less = np.zeros(people + 1, np.int64), np.zeros(people + 1, np.int64)
    gone = np.zeros(people + 1, np.int64)
    mask = np.zeros(len(degrees) if len(codes) else 0, np.int64)
    answers, tree, tried = 0, 0, 0
    at = 0
    cursor[0], stop[0] = starts[0], ends[0]
    while at >= 0:
        if cursor[at] >= stop[at]:
            # The friends of the next earlier person whom this one knows.
            follow = -1
            if asked[at] >= 0:
                for earlier in range(asked[at] + 1, at):
                    if joined[earlier, at]:
                        follow = earlier
                        break
            if follow < 0 or removed == 0:
                at -= 1
                if at >= 0 and len(codes):
                    for edge in range(offsets[chosen[at]], offsets[chosen[at] + 1]):
                        mask[targets[edge]] ^= 1 << at
                continue
            asked[at] = follow
            cursor[at], stop[at] = offsets[chosen[follow]], offsets[chosen[follow] + 1]
            continue
        tried += 1
        if tried > steps:
            return found[:answers], tree, False
        node = int(targets[cursor[at]] if asked[at] >= 0 else order[cursor[at]])
        cursor[at] += 1
        if degrees[node] < least[at] or degrees[node] > most[at]:
            continue
        fits, extra, lost = True, more[at], less[at]
        for earlier in range(at):
            if chosen[earlier] == node:
                fits = False
                break
            there = _joined(offsets, targets, node, chosen[earlier])
            if there and not joined[earlier, at]:
                extra += 1
            elif joined[earlier, at] and not there:
                lost += 1
            # Seen already, among the friends of an earlier one.
            if extra > added or lost > removed or (there and joined[earlier, at] and earlier < asked[at]):
                fits = False
                break
        for earlier in range(at if fits else 0):  # the dearest test comes last
            shared = common_friends(offsets, targets, node, chosen[earlier])
            if shared < fewest[earlier, at] or shared > highest[earlier, at]:
                fits = False
                break
        lacking = gone[at]
        if fits and len(codes):
            lacking += _unseen(offsets, targets, mask, codes, node, at)
        if not fits or lacking > unseen:
            continue
        tree += 1
        chosen[at] = node
        if at == people - 1:
            found[answers] = chosen
            answers += 1
            if answers == enough:
                return found, tree, False
            continue
        if len(codes):
            for edge in range(offsets[node], offsets[node + 1]):
                mask[targets[edge]] |= 1 << at
        at += 1
        more[at], less[at], gone[at] = extra, lost, lacking
        asked[at] = -1
        for earlier in range(at):
            if joined[earlier, at]:
                asked[at] = earlier
                break
        if asked[at] >= 0:
            cursor[at], stop[at] = offsets[chosen[asked[at]]], offsets[chosen[asked[at]] + 1]
        else:
            cursor[at], stop[at] = starts[at], ends[at]
    return found[:answers], tree, True
