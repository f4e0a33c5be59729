"""The compiled loops of t-closeness: how far classes are from the table, and how much of them could be close.

Every distance here is a mean over partitions of the values: 1 less what class and table share of each part.
`equal` has one partition, into single values. `hierarchical` has one for each level of the taxonomy below its
top: earth that meets at level i of H crosses i of the partitions, and i/H is what moving it costs. `ordered`
has one for each cut between two neighbouring ranks.

**How much of a class can be close.** If M of its N rows are within t of the table, then for each part x with
n_x rows and the share p_x in the table, class and table share at most min(n_x, M·p_x)/M. So the mean over the
partitions of the sum of min(n_x, M·p_x), call it f(M), is at least (1 - t)·M. f is concave and f(0) = 0, so
this holds up to some M and for none above. A tangent of f lies above f; where it meets (1 - t)·M is therefore
never below that M, and Newton's steps from N come down to it without passing it. The released rows of a class
that is split are close all together when each part is (the distance is convex), so M bounds what any
refinement can release.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

STEPS = 30  # of Newton; any number is right, and five are usual


@compiled
def by_partitions(
    offsets: Int64, values: Int32, counts: Int64, part_of: Int32, shares: Float64, t: float, fewest: int
) -> tuple[Float64, Float64]:
    """Per class its distance, and a number of rows that no part of it within t exceeds.

    `part_of[i, value]` is the part that holds the value in partition i, numbered through all partitions;
    `shares` are those of the parts in the whole table. Fewer rows than `fewest` are never within t, whatever
    their values: the distance of such a class is not worked out, and is told to be infinite.
    """
    classes, partitions = len(offsets) - 1, len(part_of)
    distance, most = np.empty(classes, np.float64), np.empty(classes, np.float64)
    rows = np.zeros(len(shares), np.float64)
    touched = np.empty(len(shares), np.int32)
    for g in range(classes):
        size, seen = 0.0, 0
        for entry in range(offsets[g], offsets[g + 1]):
            size += counts[entry]
        if size < fewest:
            distance[g], most[g] = np.inf, 0.0
            continue
        for entry in range(offsets[g], offsets[g + 1]):
            for i in range(partitions):
                part = part_of[i, values[entry]]
                if rows[part] == 0.0:
                    touched[seen] = part
                    seen += 1
                rows[part] += counts[entry]
        surplus = 0.0
        for s in range(seen):
            surplus += max(rows[touched[s]] / size - shares[touched[s]], 0.0)
        distance[g] = surplus / partitions
        most[g] = size
        if distance[g] > t:
            for _ in range(STEPS):
                fixed, slope = 0.0, 0.0
                for s in range(seen):
                    part = touched[s]
                    if rows[part] < most[g] * shares[part]:
                        fixed += rows[part]
                    else:
                        slope += shares[part]
                steep = 1 - t - slope / partitions
                if steep < 1e-9 or fixed / partitions >= most[g] * steep:
                    break
                most[g] = fixed / partitions / steep
            if most[g] < fewest - 0.5:
                most[g] = 0.0
        for s in range(seen):
            rows[touched[s]] = 0.0
    return distance, most


@compiled
def too_many(far: Float64, most: Float64, sizes: Int64, t: float) -> Float64:
    """How many rows of each class must go: of those too far all above what could be close, one at least."""
    lost = np.zeros(len(far), np.float64)
    for g in range(len(far)):
        if far[g] > t:
            lost[g] = min(max(sizes[g] - np.floor(most[g] * (1 + 1e-9) + 1e-6), 1.0), sizes[g])
    return lost


@compiled
def by_cuts(
    offsets: Int64, values: Int32, counts: Int64, upto: Float64, area: Float64, far: Float64, t: float
) -> Float64:
    """The same number of rows for ranks, where the distances are known to be `far`.

    `upto` is the share of the table up to each rank, `area` what of it is added up before each rank. Between
    two values of a class its own sum stands still, so a run of cuts is taken at once.
    """
    cuts = len(upto) - 1
    most = np.empty(len(far), np.float64)
    for g in range(len(far)):
        size = 0.0
        for entry in range(offsets[g], offsets[g + 1]):
            size += counts[entry]
        most[g] = size
        if not far[g] > t:
            continue
        for _ in range(STEPS):
            rows = most[g]
            if rows < 0.5:  # less than a row
                break
            first = values[offsets[g]]
            fixed, slope, below = 0.0, first - area[first], 0.0
            for entry in range(offsets[g], offsets[g + 1]):
                left = values[entry]
                right = values[entry + 1] if entry + 1 < offsets[g + 1] else cuts
                below += counts[entry]
                if left >= right:
                    continue
                # Of each cut the lower side first: min(below, rows · upto).
                cross = min(max(np.searchsorted(upto, below / rows), left), right)
                slope += area[cross] - area[left]
                fixed += below * (right - cross)
                cross = min(max(np.searchsorted(upto, 1 - (size - below) / rows), left), right)
                fixed += (size - below) * (cross - left)
                slope += (right - cross) - (area[right] - area[cross])
            steep = 1 - t - slope / cuts
            if steep < 1e-9 or fixed / cuts >= rows * steep:
                break
            most[g] = fixed / cuts / steep
    return most
