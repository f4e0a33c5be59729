"""The compiled loops of the adversary. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Bits = NDArray[np.uint8]


@compiled
def _covers(labels: Int32, begin: int, end: int, label: int) -> bool:
    """Whether a sorted stretch of labels has one."""
    stop = end
    while begin < end:
        middle = (begin + end) >> 1
        if labels[middle] < label:
            begin = middle + 1
        else:
            end = middle
    return begin < stop and labels[begin] == label


@compiled
def _bit(bits: Bits, at: int) -> int:
    return int((bits[at >> 3] >> np.uint8(at & 7)) & 1)


@compiled
def descend(
    kinds: Int32,
    offsets: Int64,
    starts: Int64,
    labels: Int32,
    bits: Bits,
    dense: Int64,
    widths: Int64,
    places: Int32,
    node_label: Int32,
    node_low: Int32,
    node_high: Int32,
    children: Int64,
    depths: Int64,
    most: int,
) -> tuple[Int64, Int32]:
    """For every entry the leaves of a trie of labels that fit it, as compressed rows.

    `kinds[entry, column]` are sorted as texts are; entries that begin alike share the way down. Kind k of a
    column has the labels `labels[offsets[starts[column] + k]:…]`, in order; where `dense[column]` is not
    negative, the same as bits from there, `widths[column]` to a kind. Where its place is not negative, it
    also has the labels of nodes between whose low and high the place lies. The nodes of the trie stand depth
    by depth, `depths[d]` being the first of a depth; node n has the children `children[n]` to
    `children[n + 1]`, in order of `node_label`. More than `most` leaves are given up: the last offset is then
    -1.
    """
    entries, columns = kinds.shape
    found = np.empty(max(1024, 2 * entries), np.int32)
    ends = np.zeros(entries + 1, np.int64)
    open_nodes = np.empty(depths[columns + 1], np.int32)  # of each depth, those on the way of this entry
    many = np.zeros(columns + 1, np.int64)
    open_nodes[0], many[0] = 0, 1
    total = 0
    for entry in range(entries):
        depth = 0
        if entry > 0:
            while depth < columns and kinds[entry, depth] == kinds[entry - 1, depth]:
                depth += 1
        for column in range(depth, columns):
            here, below, number = depths[column], depths[column + 1], 0
            row = offsets[starts[column] + kinds[entry, column]]
            row_end = offsets[starts[column] + kinds[entry, column] + 1]
            wide = row_end - row
            place = places[starts[column] + kinds[entry, column]]
            bit = -1
            if dense[column] >= 0:
                bit = dense[column] + np.int64(kinds[entry, column]) * widths[column]
            for i in range(many[column] if wide > 0 or place >= 0 else 0):
                node = open_nodes[here + i]
                first, last = children[node], children[node + 1]
                if place >= 0 and wide == 0:
                    for child in range(first, last):
                        open_nodes[below + number] = child
                        number += (node_low[child] <= place) & (place < node_high[child])
                elif place >= 0:
                    for child in range(first, last):
                        within = (node_low[child] <= place) & (place < node_high[child])
                        if within or _covers(labels, row, row_end, node_label[child]):
                            open_nodes[below + number] = child
                            number += 1
                elif last - first > 4 * wide or (bit < 0 and last - first > wide):
                    for at in range(row, row_end):
                        low, high, label = first, last, labels[at]
                        while low < high:
                            middle = (low + high) >> 1
                            if node_label[middle] < label:
                                low = middle + 1
                            else:
                                high = middle
                        if low < last and node_label[low] == label:
                            open_nodes[below + number] = low
                            number += 1
                elif bit >= 0:
                    for child in range(first, last):
                        open_nodes[below + number] = child
                        number += _bit(bits, bit + node_label[child])
                else:
                    for child in range(first, last):
                        if _covers(labels, row, row_end, node_label[child]):
                            open_nodes[below + number] = child
                            number += 1
            many[column + 1] = number
        if total + many[columns] > most:
            ends[entries] = -1
            return ends, found[:total]
        if total + many[columns] > len(found):
            grown = np.empty(2 * (total + many[columns]), np.int32)
            grown[:total] = found[:total]
            found = grown
        for i in range(many[columns]):
            found[total + i] = open_nodes[depths[columns] + i] - depths[columns]
        total += int(many[columns])
        ends[entry + 1] = total
    return ends, found[:total].copy()


@compiled
def within_edits(
    left: Int32, left_at: Int64, right: Int32, right_at: Int64, ones: Int64, others: Int64, most: int
) -> NDArray[np.bool_]:
    """Whether texts are within some edits: a letter more, less or other, or two neighbours exchanged."""
    near = np.zeros(len(ones), np.bool_)
    for pair in range(len(ones)):
        a0, b0 = left_at[ones[pair]], right_at[others[pair]]
        long, wide = left_at[ones[pair] + 1] - a0, right_at[others[pair] + 1] - b0
        if abs(long - wide) > most:
            continue
        before, last, now = np.arange(wide + 1), np.arange(wide + 1), np.zeros(wide + 1, np.int64)
        for i in range(1, long + 1):
            now[0] = i
            for j in range(1, wide + 1):
                same = left[a0 + i - 1] == right[b0 + j - 1]
                now[j] = min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (0 if same else 1))
                if (
                    i > 1
                    and j > 1
                    and left[a0 + i - 1] == right[b0 + j - 2]
                    and left[a0 + i - 2] == right[b0 + j - 1]
                ):
                    now[j] = min(now[j], before[j - 2] + 1)
            before, last, now = last, now, before
        near[pair] = last[wide] <= most
    return near


@compiled
def set_bits(offsets: Int64, places: Int64, width: int) -> Bits:
    """Compressed rows as a bit for each of their places, the lowest bit of a byte first."""
    bits = np.zeros(((len(offsets) - 1) * width + 7) // 8, np.uint8)
    for row in range(len(offsets) - 1):
        for at in range(offsets[row], offsets[row + 1]):
            bit = row * width + places[at]
            bits[bit >> 3] |= np.uint8(1 << (bit & 7))
    return bits


@compiled
def meeting_leaves(
    own: Int64,
    meets: NDArray[np.bool_],
    bases: Int64,
    widths: Int64,
    labels: Int64,
    children: Int64,
    depths: Int64,
    most: int,
) -> tuple[Int64, Int64]:
    """For every class the leaves of a tree of labels that it meets all the way down.

    `own[class, column]` is a label, `meets[bases[column] + label * widths[column] + other]` whether it meets
    another. Nodes stand depth by depth, `depths[d]` being the first of a depth; the children of the n-th
    inner node begin at `children[n]`, the root being the first. More than `most` leaves are given up.
    """
    classes, columns = own.shape
    one = np.empty(1024, np.int64)
    two = np.empty(1024, np.int64)
    found = 0
    # Two rows of nodes that are open: those of this depth and those of the next.
    here = np.empty(len(labels) + 1, np.int64)
    below = np.empty(len(labels) + 1, np.int64)
    for place in range(classes):
        here[0], many = 0, 1
        for column in range(columns):
            number = 0
            base = bases[column] + own[place, column] * widths[column]
            for i in range(many):
                for child in range(children[here[i]], children[here[i] + 1]):
                    if meets[base + labels[child]]:
                        below[number] = child + 1  # the root is node 0, so a node comes one later
                        number += 1
            here, below, many = below, here, number
        for i in range(many):
            if found == len(one):
                one, two = np.append(one, one), np.append(two, two)
            one[found], two[found] = place, here[i] - 1 - depths[columns - 1]
            found += 1
            if found > most:
                return one[:found], two[:found]
    return one[:found], two[:found]
