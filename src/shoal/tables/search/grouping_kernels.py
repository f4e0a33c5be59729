"""The few compiled loops. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def pair(left: Int32, left_of: Int32, right: Int32, right_of: Int32, rows: Int32, stride: int) -> Int64:
    """The two halves of each tuple as one key: `left[left_of[row]] + right[right_of[row]] * stride`."""
    keys = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        row = rows[i]
        keys[i] = left[left_of[row]] + np.int64(right[right_of[row]]) * stride
    return keys


@compiled
def group_direct(keys: Int64, sizes: Int64, slots: Int32) -> tuple[Int32, Int32, Int64]:
    """Merge equal keys: the group of each, and of each group its first member and added sizes.

    The key itself indexes `slots`, which is all 0 before and after.
    """
    group = np.empty(len(keys), np.int32)
    first = np.empty(len(keys), np.int32)
    merged = np.empty(len(keys), np.int64)
    found = 0
    for i in range(len(keys)):
        # Without a branch, which a processor guesses wrong for every other class: the place of the next group
        # is written to in any case.
        slot = slots[keys[i]] - 1
        new = slot < 0
        slot = found if new else slot
        slots[keys[i]] = slot + 1
        first[found] = i
        merged[found] = 0
        merged[slot] += sizes[i]
        group[i] = slot
        found += new
    for slot in range(found):
        slots[keys[first[slot]]] = 0
    return group, first[:found].copy(), merged[:found].copy()


@compiled
def group_hashed(keys: Int64, sizes: Int64) -> tuple[Int32, Int32, Int64]:
    """The same as `group_direct` for keys too large to index a table: open addressing."""
    capacity = 1024
    mask = np.uint64(capacity - 1)
    slots = np.full(capacity, -1, np.int32)
    group = np.empty(len(keys), np.int32)
    first = np.empty(len(keys), np.int32)
    merged = np.empty(len(keys), np.int64)
    found = 0
    for i in range(len(keys)):
        # Growing with what is found, not with the rows, keeps the table in the cache.
        if 2 * found >= capacity:
            capacity *= 4
            mask = np.uint64(capacity - 1)
            slots = np.full(capacity, -1, np.int32)
            for slot in range(found):
                mixed = np.uint64(keys[first[slot]]) * np.uint64(0x9E3779B97F4A7C15)
                place = (mixed ^ (mixed >> np.uint64(29))) & mask
                while slots[place] >= 0:
                    place = (place + np.uint64(1)) & mask
                slots[place] = slot
        key = keys[i]
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        place = (mixed ^ (mixed >> np.uint64(29))) & mask
        slot = slots[place]
        while slot >= 0 and keys[first[slot]] != key:
            place = (place + np.uint64(1)) & mask
            slot = slots[place]
        if slot < 0:
            slot = found
            slots[place] = slot
            first[slot] = i
            merged[slot] = 0
            found += 1
        merged[slot] += sizes[i]
        group[i] = slot
    return group, first[:found].copy(), merged[:found].copy()


@compiled
def count_leaves(codes: Int32, sizes: Int64, begins: Int64) -> Int64:
    """Rows by column and leaf, one column after the other; `begins` says where the leaves of each begin."""
    found = np.zeros(begins[-1], np.int64)
    for i in range(len(codes)):
        for c in range(codes.shape[1]):
            found[begins[c] + codes[i, c]] += sizes[i]
    return found


@compiled
def arrange_by_group(group: Int32, groups: int) -> tuple[Int64, Int64]:
    """Members by their group, in their old order within it: who stands where, and where each group begins."""
    offsets = np.zeros(groups + 1, np.int64)
    for member in range(len(group)):
        offsets[group[member] + 1] += 1
    for g in range(groups):
        offsets[g + 1] += offsets[g]
    order = np.empty(len(group), np.int64)
    cursor = offsets[:-1].copy()
    for member in range(len(group)):
        order[cursor[group[member]]] = member
        cursor[group[member]] += 1
    return order, offsets


@compiled
def _merge_in_table(
    offsets: Int64, values: Int32, counts: Int64, group: Int32, groups: int, domain: int
) -> tuple[Int64, Int32, Int64]:
    tally = np.zeros((groups, domain), np.int64)
    for member in range(len(group)):
        for entry in range(offsets[member], offsets[member + 1]):
            tally[group[member], values[entry]] += counts[entry]
    out_offsets = np.zeros(groups + 1, np.int64)
    out_values = np.empty(len(values) + 1, np.int32)  # one more, so that a cell without rows can be written
    out_counts = np.empty(len(values) + 1, np.int64)
    end = 0
    for g in range(groups):
        for value in range(domain):
            out_values[end] = value
            out_counts[end] = tally[g, value]
            if tally[g, value]:
                end += 1
        out_offsets[g + 1] = end
    return out_offsets, out_values[:end].copy(), out_counts[:end].copy()


@compiled
def merge_counts(
    offsets: Int64, values: Int32, counts: Int64, group: Int32, groups: int, domain: int
) -> tuple[Int64, Int32, Int64]:
    """Add up the compressed value counts of the members of each group; values stay ascending."""
    if groups * domain <= 8 * len(values):  # nearly full: a plain table of all cells is faster
        return _merge_in_table(offsets, values, counts, group, groups, domain)
    members, heads = arrange_by_group(group, groups)
    tally = np.zeros(domain, np.int64)
    touched = np.empty(domain, np.int32)
    out_offsets = np.zeros(groups + 1, np.int64)
    out_values = np.empty(len(values), np.int32)
    out_counts = np.empty(len(values), np.int64)
    end = 0
    for g in range(groups):
        seen = 0
        for position in range(heads[g], heads[g + 1]):
            member = members[position]
            for entry in range(offsets[member], offsets[member + 1]):
                value = values[entry]
                if tally[value] == 0:
                    touched[seen] = value
                    seen += 1
                tally[value] += counts[entry]
        # Sorting the few values beats scanning the domain unless the class has many of them.
        if seen * 8 < domain:
            touched[:seen].sort()
            for s in range(seen):
                out_values[end] = touched[s]
                out_counts[end] = tally[touched[s]]
                tally[touched[s]] = 0
                end += 1
        else:
            for value in range(domain):
                if tally[value]:
                    out_values[end] = value
                    out_counts[end] = tally[value]
                    tally[value] = 0
                    end += 1
        out_offsets[g + 1] = end
    return out_offsets, out_values[:end].copy(), out_counts[:end].copy()


@compiled
def smallest_below(nodes: Int64, groups: Int64, node: Int64) -> int:
    """Of the nodes with no level above the given one's, the place of the first with the fewest groups."""
    best = 0
    for i in range(1, len(nodes)):
        if groups[i] < groups[best]:
            fits = True
            for c in range(len(node)):
                if nodes[i, c] > node[c]:
                    fits = False
                    break
            if fits:
                best = i
    return best


@compiled
def any_above(nodes: Int64, count: int, node: Int64) -> bool:
    """Whether one of the first so many nodes has no level below the given one's."""
    for i in range(count):
        fits = True
        for c in range(len(node)):
            if nodes[i, c] < node[c]:
                fits = False
                break
        if fits:
            return True
    return False


@compiled
def mdav(points: Float64, k: int) -> Int64:
    """The group of each point: k to 2k - 1 that lie close together (all of them when they are fewer).

    Again and again the point farthest from the middle takes its k - 1 nearest, then so does the one farthest
    from that. Of points equally far the first counts.
    """
    rows, columns = points.shape
    group = np.full(rows, -1, np.int64)
    left = np.arange(rows)
    far = np.empty(rows, np.float64)
    middle = np.empty(columns, np.float64)
    nearest = np.empty(k, np.int64)
    groups = 0
    while len(left) >= 2 * k:
        middle[:] = 0.0
        for i in left:
            for c in range(columns):
                middle[c] += points[i, c]
        for c in range(columns):
            middle[c] /= len(left)
        centre = _farthest(points, left, middle, far)
        opposite = _farthest(points, left, points[centre], far)
        if opposite == centre:  # all alike: any other will do
            opposite = left[1] if left[0] == centre else left[0]
        if len(left) < 3 * k:
            opposite = -1  # the rest will be the last group
        for seed, barred in ((centre, opposite), (opposite, -1)):
            if seed < 0:
                continue
            _farthest(points, left, points[seed], far)
            group[seed] = groups
            found = 0
            for place in range(len(left)):
                i = left[place]
                if group[i] >= 0 or i == barred:
                    continue
                if found < k - 1:
                    found += 1
                elif far[place] >= far[nearest[found - 1]]:
                    continue
                slot = found - 1
                while slot > 0 and far[nearest[slot - 1]] > far[place]:
                    nearest[slot] = nearest[slot - 1]
                    slot -= 1
                nearest[slot] = place
            for slot in range(found):
                group[left[nearest[slot]]] = groups
            groups += 1
        left = left[group[left] < 0]
    for i in left:
        group[i] = groups
    return group


@compiled
def _farthest(points: Float64, left: Int64, origin: Float64, far: Float64) -> int:
    """Of the points left the first one farthest from an origin; `far` gets the squared distances."""
    best = 0
    for place in range(len(left)):
        total = 0.0
        for c in range(points.shape[1]):
            step = points[left[place], c] - origin[c]
            total += step * step
        far[place] = total
        if total > far[best]:
            best = place
    found: int = left[best]
    return found
