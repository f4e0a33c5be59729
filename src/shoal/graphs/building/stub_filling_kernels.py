"""The compiled loops that find partners for stubs that nobody else has.

Nodes stand in a row by level (the target degree, or for deletions how far it is below the largest). A class
is a level with nodes on it, and must keep k of them or none. Moving a node on by one level gives it a stub.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.building.stub_matching_kernels import Book, change, look

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
# Nodes by level, where each stands, where each level begins, and the state of the generator.
Row = tuple[Int64, Int64, Int64, NDArray[np.uint64]]


@compiled
def new_row(levels: Int64, most: int, seed: np.uint64) -> Row:
    """All nodes by level, up to the highest level that may be needed."""
    begins = np.zeros(most + 3, np.int64)
    for level in levels:
        begins[level + 1] += 1
    for level in range(most + 2):
        begins[level + 1] += begins[level]
    at = begins.copy()
    nodes, places = np.empty(len(levels), np.int64), np.empty(len(levels), np.int64)
    for node in range(len(levels)):
        nodes[at[levels[node]]] = node
        places[node] = at[levels[node]]
        at[levels[node]] += 1
    state = np.empty(1, np.uint64)
    state[0] = seed | np.uint64(1)
    return nodes, places, begins, state


@compiled
def _draw(row: Row, below: int) -> int:
    """A number below another, by xorshift: it decides who moves, not who is private."""
    state = row[3]
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64((x >> np.uint64(11)) % np.uint64(below))  # type: ignore[return-value]


@compiled
def _move(node: np.int64, levels: Int64, row: Row) -> None:
    """A node goes on by one level: it changes places with the last of its level, whose end moves back."""
    nodes, places, begins, _ = row
    level = levels[node]
    last = begins[level + 1] - 1
    swapped = nodes[last]
    nodes[places[node]], places[swapped] = swapped, places[node]
    nodes[last], places[node] = node, last
    begins[level + 1] = last
    levels[node] = level + 1


@compiled
def from_large_classes(
    node: int,
    k: int,
    stubs: Int64,
    levels: Int64,
    row: Row,
    offsets: Int64,
    targets: Int32,
    deleting: bool,
    book: Book,
) -> bool:
    """Partners from classes that have more than k and a class above them: nothing else changes.

    How many of each class is in proportion to what it can spare, and who of them is chance.
    """
    nodes, _, begins, _ = row
    marks = book[5]
    now = look(node, offsets, targets, deleting, book, marks)
    progress = True
    while stubs[node] > 0 and progress:
        progress = False
        spare = 0
        for level in range(len(begins) - 2):
            if begins[level + 1] - begins[level] > k and begins[level + 2] - begins[level + 1] >= k:
                spare += begins[level + 1] - begins[level] - k
        wanted = stubs[node]
        for level in range(len(begins) - 3, -1, -1):
            size = begins[level + 1] - begins[level]
            if size <= k or begins[level + 2] - begins[level + 1] < k or spare <= 0:
                continue
            share = wanted * (size - k) // spare
            if _draw(row, spare) < wanted * (size - k) - share * spare:
                share += 1
            share = min(share, size - k, stubs[node])
            wanted -= share
            spare -= size - k
            # Once around the class from somewhere; who moves is replaced by the last one: look there again.
            at = _draw(row, size)
            for _ in range(size):
                if share == 0:
                    break
                if at >= begins[level + 1] - begins[level]:
                    at = 0
                partner = nodes[begins[level] + at]
                if (marks[partner] == now) != deleting:
                    at += 1
                    continue
                if not change(node, partner, book):
                    return False
                marks[partner] = 0 if deleting else now
                _move(partner, levels, row)
                stubs[node] -= 1
                share -= 1
                progress = True
    return True


@compiled
def from_whole_classes(
    node: int,
    k: int,
    stubs: Int64,
    levels: Int64,
    row: Row,
    offsets: Int64,
    targets: Int32,
    deleting: bool,
    book: Book,
) -> bool:
    """Partners from a class that moves on as a whole, or in a part of at least k that leaves k behind.

    Of all classes the one that makes the fewest new stubs; members that are not open get a stub without an
    edge. False when no class can help.
    """
    nodes, _, begins, _ = row
    marks = book[5]
    now = look(node, offsets, targets, deleting, book, marks)
    best_level, best_size, best_links, best_left = -1, 0, 0, 0
    for level in range(len(begins) - 2):
        size = begins[level + 1] - begins[level]
        if size == 0:
            continue
        open_ones = 0
        for place in range(begins[level], begins[level + 1]):
            if (marks[nodes[place]] == now) == deleting:
                open_ones += 1
        if open_ones == 0:
            continue
        least = 1 if begins[level + 2] > begins[level + 1] else k
        for moved in (size, max(least, min(size - k, stubs[node]))):
            if moved != size and moved > size - k:
                continue
            links = min(open_ones, moved, stubs[node])
            left = moved - links
            if best_level < 0 or left < best_left or (left == best_left and links > best_links):
                best_level, best_size, best_links, best_left = level, moved, links, left
    if best_level < 0:
        return False
    begin, end = begins[best_level], begins[best_level + 1]
    start = _draw(row, end - begin)
    chosen = np.empty(best_size, np.int64)
    found = 0
    for wanted in (True, False):  # those who can be linked first
        for step in range(end - begin):
            partner = nodes[begin + (start + step) % (end - begin)]
            if found < best_size and ((marks[partner] == now) == deleting) == wanted:
                chosen[found] = partner
                found += 1
    for partner in chosen:
        _move(partner, levels, row)
        if stubs[node] > 0 and (marks[partner] == now) == deleting:
            if not change(node, partner, book):
                return False
            stubs[node] -= 1
        else:
            stubs[partner] += 1
    return True
