"""The compiled loops of the measures. Each has a plain-Python twin in the tests.

igraph has most of these; it is what the tests compare with. Handing it a million nodes takes longer than the
loops themselves, and all distances took it 5 to 20 times as long (power grid 1.5 s against 0.3 s).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import has_edge, scatter_bits

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Words = NDArray[np.uint64]

_PLANES = 8  # bits of the counters that 64 sources share; they are emptied after 2^8 - 1 nodes


@compiled
def distances_from(offsets: Int64, targets: Int32, source: int, distances: Int32, queue: Int32) -> int:
    """Steps from one node to every other it reaches, in place; how many it reaches, itself included.

    `distances` must be -1 wherever the walk gets to; the nodes reached stand in `queue`, nearest first.
    """
    distances[source] = 0
    queue[0] = source
    end, at = 1, 0
    while at < end:
        node = queue[at]
        at += 1
        for place in range(offsets[node], offsets[node + 1]):
            other = targets[place]
            if distances[other] < 0:
                distances[other] = distances[node] + 1
                queue[end] = other
                end += 1
    return end


@compiled
def _empty(planes: Words, counts: Int64, used: int) -> None:
    """Move what the bit planes counted into whole numbers, one per source."""
    one = np.uint64(1)
    for source in range(used):
        for plane in range(len(planes)):
            counts[source] += np.int64((planes[plane] >> np.uint64(source)) & one) << plane
    planes[:] = 0


@compiled
def sums_of_distances(offsets: Int64, targets: Int32, sources: Int64, work: Int64) -> Int64:
    """The sum of the steps from each of up to 64 sources to all nodes that it reaches.

    `work[0]` grows by the number of entries that were read.

    All sources walk at once, one bit each, so that a row of neighbours is read once for many of them (Then
    et al., "The more the merrier: efficient multi-source graph traversal", 2014).
    """
    nodes, used = len(offsets) - 1, len(sources)
    none, one = np.uint64(0), np.uint64(1)
    state = np.zeros((nodes, 2), np.uint64)  # who was here, who arrives in the next step
    here = np.zeros(nodes, np.uint64)  # who arrived in the last step
    front, following = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
    sums, counts, planes = np.zeros(used, np.int64), np.zeros(used, np.int64), np.zeros(_PLANES, np.uint64)
    length = 0
    for source in range(used):
        node = sources[source]
        if here[node] == none:
            front[length] = node
            length += 1
        here[node] |= one << np.uint64(source)
        state[node, 0] = here[node]
    step = 0
    while length:
        step += 1
        found = 0
        for at in range(length):
            node = front[at]
            bits = here[node]
            here[node] = none
            work[0] += offsets[node + 1] - offsets[node]
            for place in range(offsets[node], offsets[node + 1]):
                other = targets[place]
                fresh = bits & ~state[other, 0]
                if fresh != none:
                    if state[other, 1] == none:
                        following[found] = other
                        found += 1
                    state[other, 1] |= fresh
        counts[:] = 0
        for at in range(found):
            node = following[at]
            carry = state[node, 1]
            here[node] = carry
            state[node, 0] |= carry
            state[node, 1] = none
            # One more for every source that arrived, as an addition of 64 binary numbers side by side.
            plane = 0
            while carry != none:
                full = planes[plane] & carry
                planes[plane] ^= carry
                carry = full
                plane += 1
            if at % 255 == 254:
                _empty(planes, counts, used)
        _empty(planes, counts, used)
        for source in range(used):
            sums[source] += step * counts[source]
        front, following = following, front
        length = found
    return sums


@compiled
def components_of(offsets: Int64, targets: Int32) -> Int32:
    """Per node the number of its component; components are numbered by their first node."""
    nodes = len(offsets) - 1
    found, distances, queue = (
        np.full(nodes, -1, np.int32),
        np.full(nodes, -1, np.int32),
        np.empty(nodes, np.int32),
    )
    number = 0
    for start in range(nodes):
        if found[start] < 0:
            reached = distances_from(offsets, targets, start, distances, queue)
            found[queue[:reached]] = number
            number += 1
    return found


@compiled
def closed_pairs(offsets: Int64, targets: Int32, centres: Int64, first: Int64, second: Int64) -> int:
    """How many of some pairs of neighbours (by place in the row of their centre) are joined themselves."""
    closed = 0
    for at in range(len(centres)):
        one = targets[offsets[centres[at]] + first[at]]
        other = targets[offsets[centres[at]] + second[at]]
        if offsets[one + 1] - offsets[one] > offsets[other + 1] - offsets[other]:
            one, other = other, one
        closed += has_edge(offsets, targets, one, other)
    return closed


@compiled
def triangles_of(offsets: Int64, targets: Int32) -> Int64:
    """Per node the number of triangles that it is in."""
    nodes = len(offsets) - 1
    found, mark = np.zeros(nodes, np.int64), np.full(nodes, -1, np.int32)
    # Every triangle is seen once, from its node of least rank; rows lead to higher ranks only, which keeps
    # those of hubs short.
    degrees = offsets[1:] - offsets[:-1]
    starts = np.zeros(nodes + 1, np.int64)
    for node in range(nodes):
        above = 0
        for place in range(offsets[node], offsets[node + 1]):
            other = targets[place]
            above += degrees[other] > degrees[node] or (degrees[other] == degrees[node] and other > node)
        starts[node + 1] = starts[node] + above
    higher = np.empty(starts[nodes], np.int32)
    for node in range(nodes):
        to = starts[node]
        for place in range(offsets[node], offsets[node + 1]):
            other = targets[place]
            if degrees[other] > degrees[node] or (degrees[other] == degrees[node] and other > node):
                higher[to] = other
                to += 1
    for node in range(nodes):
        for place in range(starts[node], starts[node + 1]):
            mark[higher[place]] = node
        for place in range(starts[node], starts[node + 1]):
            other = higher[place]
            for step in range(starts[other], starts[other + 1]):
                third = higher[step]
                if mark[third] == node:
                    found[node] += 1
                    found[other] += 1
                    found[third] += 1
    return found


@compiled
def mix_bits(word: np.uint64) -> np.uint64:
    """A number stirred so that sums of such numbers tell sets apart (SplitMix64, Steele et al. 2014)."""
    return scatter_bits(word + np.uint64(0x9E3779B97F4A7C15))


@compiled
def refine_colours(offsets: Int64, targets: Int32, colours: Words) -> Words:
    """Per node a hash of the colours that its neighbours have, the same for the same colours in any order."""
    found = np.zeros(len(colours), np.uint64)
    stirred = np.empty(len(colours), np.uint64)
    for node in range(len(colours)):
        stirred[node] = mix_bits(colours[node])
    for node in range(len(colours)):
        for place in range(offsets[node], offsets[node + 1]):
            found[node] += stirred[targets[place]]
    return found


@compiled
def shared_entries(offsets: Int64, targets: Int32, others: Int64, ends: Int32) -> int:
    """How many entries two graphs on the same nodes have in common, row by row."""
    shared = 0
    for node in range(len(offsets) - 1):
        one, other = offsets[node], others[node]
        while one < offsets[node + 1] and other < others[node + 1]:
            if targets[one] < ends[other]:
                one += 1
            elif targets[one] > ends[other]:
                other += 1
            else:
                shared += 1
                one += 1
                other += 1
    return shared
