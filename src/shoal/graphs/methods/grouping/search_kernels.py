"""The compiled loops of the search for groups. Each has a plain-Python twin in the tests.

Costs are natural logarithms of numbers of worlds. `members[g, :sizes[g]]` are the nodes of group g,
`group_of` says the same by node, and `place_of` where in its group a node stands.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import has_edge

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def log_choose(logs: Float64, several: int, chosen: int) -> float:
    """The logarithm of a binomial coefficient; `logs` holds log n! for small n."""
    if chosen <= 0 or chosen >= several:
        return 0.0
    if several < len(logs):
        return float(logs[several] - logs[chosen] - logs[several - chosen])
    return math.lgamma(several + 1.0) - math.lgamma(chosen + 1.0) - math.lgamma(several - chosen + 1.0)


@compiled
def tally(
    nodes: Int32, offsets: Int64, targets: Int32, group_of: Int32, counts: Int32, seen: Int32, so_far: int
) -> int:
    """Count the edges of some nodes by the group they lead to; returns how many groups stand in `seen`."""
    for node in nodes:
        for at in range(offsets[node], offsets[node + 1]):
            group = group_of[targets[at]]
            if counts[group] == 0:
                seen[so_far] = group
                so_far += 1
            counts[group] += 1
    return so_far


@compiled
def forget(counts: Int32, seen: Int32, number: int) -> None:
    """Clear what `tally` counted."""
    for at in range(number):
        counts[seen[at]] = 0


@compiled
def swap_cost(
    logs: Float64,
    sizes: Int64,
    here: int,
    there: int,
    adjacent: bool,
    rows: Int32,
    seen: Int32,
    numbers: Int64,
) -> float:
    """What exchanging node u of `here` and v of `there` adds to the cost.

    `rows` has the edges to every group of: `here`, `there`, u and v. `seen` lists the groups of each.
    """
    change = 0.0
    one, other = sizes[here], sizes[there]
    for source in range(2, 4):
        for at in range(numbers[source]):
            group = seen[source, at]
            if group == here or group == there:  # noqa: SIM109  Numba knows no tuple of two kinds of int
                continue
            if source == 3 and rows[2, group] > 0:
                continue  # was counted with u
            moved = rows[3, group] - rows[2, group]
            if moved == 0:
                continue
            size = sizes[group]
            change += log_choose(logs, one * size, rows[0, group] + moved)
            change -= log_choose(logs, one * size, rows[0, group])
            change += log_choose(logs, other * size, rows[1, group] - moved)
            change -= log_choose(logs, other * size, rows[1, group])
    link = 1 if adjacent else 0
    in_here, in_there, between = rows[0, here] // 2, rows[1, there] // 2, rows[0, there]
    new_here = in_here - rows[2, here] + rows[3, here] - link
    new_there = in_there - rows[3, there] + rows[2, there] - link
    # What leaves the inside of one group and does not enter the other's runs between them.
    new_between = between + rows[2, here] - rows[3, here] + rows[3, there] - rows[2, there] + 2 * link
    change += log_choose(logs, one * (one - 1) // 2, new_here)
    change -= log_choose(logs, one * (one - 1) // 2, in_here)
    change += log_choose(logs, other * (other - 1) // 2, new_there)
    change -= log_choose(logs, other * (other - 1) // 2, in_there)
    change += log_choose(logs, one * other, new_between) - log_choose(logs, one * other, between)
    return change


@compiled
def move_cost(
    logs: Float64, sizes: Int64, here: int, there: int, rows: Int32, seen: Int32, numbers: Int64
) -> float:
    """What moving node u from `here` to `there` adds to the cost; `rows` and `seen` as for a swap."""
    change = 0.0
    one, other = sizes[here], sizes[there]
    for source in range(2):
        for at in range(numbers[source]):
            group = seen[source, at]
            if group == here or group == there:  # noqa: SIM109  Numba knows no tuple of two kinds of int
                continue
            if source == 1 and rows[0, group] > 0:
                continue  # was counted with `here`
            size = sizes[group]
            change += log_choose(logs, (one - 1) * size, rows[0, group] - rows[2, group])
            change -= log_choose(logs, one * size, rows[0, group])
            change += log_choose(logs, (other + 1) * size, rows[1, group] + rows[2, group])
            change -= log_choose(logs, other * size, rows[1, group])
    in_here, in_there, between = rows[0, here] // 2, rows[1, there] // 2, rows[0, there]
    new_here, new_there = in_here - rows[2, here], in_there + rows[2, there]
    new_between = between + rows[2, here] - rows[2, there]
    change += log_choose(logs, (one - 1) * (one - 2) // 2, new_here)
    change -= log_choose(logs, one * (one - 1) // 2, in_here)
    change += log_choose(logs, (other + 1) * other // 2, new_there)
    change -= log_choose(logs, other * (other - 1) // 2, in_there)
    change += log_choose(logs, (one - 1) * (other + 1), new_between) - log_choose(logs, one * other, between)
    return change


@compiled
def put(node: int, group: int, place: int, group_of: Int32, place_of: Int32, members: Int32) -> None:
    """Write down where a node belongs."""
    group_of[node] = group
    place_of[node] = place
    members[group, place] = node


@compiled
def move(node: int, there: int, group_of: Int32, place_of: Int32, members: Int32, sizes: Int64) -> None:
    """Take a node out of its group and put it last into another."""
    here = group_of[node]
    last = members[here, sizes[here] - 1]
    put(last, here, place_of[node], group_of, place_of, members)
    sizes[here] -= 1
    put(node, there, sizes[there], group_of, place_of, members)
    sizes[there] += 1


@compiled
def somewhere(
    node: int, offsets: Int64, targets: Int32, group_of: Int32, chance: np.random.Generator, walks: float
) -> int:
    """A group that may suit a node: of one with whom it shares a neighbour, of a neighbour, or any."""
    degree = offsets[node + 1] - offsets[node]
    drawn = chance.random()
    if degree == 0 or drawn > walks:
        return int(group_of[chance.integers(0, len(group_of))])
    step = targets[offsets[node] + chance.integers(0, degree)]
    if drawn > 0.8 * walks:
        return int(group_of[step])
    beyond = targets[offsets[step] + chance.integers(0, offsets[step + 1] - offsets[step])]
    return int(group_of[beyond])


@compiled
def visit(
    order: Int64,
    k: int,
    heat: float,
    tries: int,
    offsets: Int64,
    targets: Int32,
    group_of: Int32,
    place_of: Int32,
    members: Int32,
    sizes: Int64,
    logs: Float64,
    rows: Int32,
    seen: Int32,
    chance: np.random.Generator,
) -> float:
    """Offer every node of `order` another group: exchange it for the best of some members, or move it.

    A change that raises the cost is made with the probability of simulated annealing at this heat.
    Returns what all changes together added to the cost.
    """
    numbers = np.zeros(4, np.int64)
    total = 0.0
    for node in order:
        here = group_of[node]
        there = somewhere(node, offsets, targets, group_of, chance, 0.95)
        if here == there:
            continue
        numbers[0] = tally(members[here, : sizes[here]], offsets, targets, group_of, rows[0], seen[0], 0)
        numbers[1] = tally(members[there, : sizes[there]], offsets, targets, group_of, rows[1], seen[1], 0)
        place = place_of[node]
        numbers[2] = tally(members[here, place : place + 1], offsets, targets, group_of, rows[2], seen[2], 0)
        best, chosen = math.inf, -1
        if sizes[here] > k and sizes[there] < 2 * k - 1:
            best = move_cost(logs, sizes, here, there, rows, seen, numbers)
        first = chance.integers(0, sizes[there])
        for step in range(min(tries, sizes[there])):
            at = (first + step) % sizes[there]
            friend = members[there, at]
            numbers[3] = tally(members[there, at : at + 1], offsets, targets, group_of, rows[3], seen[3], 0)
            adjacent = rows[2, there] > 0 and rows[3, here] > 0 and has_edge(offsets, targets, node, friend)
            cost = swap_cost(logs, sizes, here, there, adjacent, rows, seen, numbers)
            forget(rows[3], seen[3], numbers[3])
            if cost < best:
                best, chosen = cost, friend
        for source in range(3):
            forget(rows[source], seen[source], numbers[source])
        if best < -1e-9 or (heat > 0 and best < math.inf and chance.random() < math.exp(-best / heat)):
            total += best
            if chosen < 0:
                move(node, there, group_of, place_of, members, sizes)
            else:
                at = place_of[chosen]
                put(chosen, here, place, group_of, place_of, members)
                put(node, there, at, group_of, place_of, members)
    return total


@compiled
def dissolve(
    group: int,
    k: int,
    tries: int,
    offsets: Int64,
    targets: Int32,
    group_of: Int32,
    place_of: Int32,
    members: Int32,
    sizes: Int64,
    logs: Float64,
    rows: Int32,
    seen: Int32,
    chance: np.random.Generator,
) -> float:
    """Move all members of a group to others if that lowers the cost, else leave it; returns the change."""
    numbers = np.zeros(4, np.int64)
    people = members[group, : sizes[group]].copy()
    went = np.empty(len(people), np.int32)
    total, gone = 0.0, 0
    for node in people:
        best, chosen = math.inf, -1
        numbers[0] = tally(members[group, : sizes[group]], offsets, targets, group_of, rows[0], seen[0], 0)
        place = place_of[node]
        numbers[2] = tally(members[group, place : place + 1], offsets, targets, group_of, rows[2], seen[2], 0)
        for _ in range(tries):
            there = somewhere(node, offsets, targets, group_of, chance, 0.9)
            if there == group or sizes[there] >= 2 * k - 1:
                continue
            numbers[1] = tally(
                members[there, : sizes[there]], offsets, targets, group_of, rows[1], seen[1], 0
            )
            cost = move_cost(logs, sizes, group, there, rows, seen, numbers)
            forget(rows[1], seen[1], numbers[1])
            if cost < best:
                best, chosen = cost, there
        forget(rows[0], seen[0], numbers[0])
        forget(rows[2], seen[2], numbers[2])
        if chosen < 0:
            break
        went[gone] = chosen
        total += best
        gone += 1
        move(node, chosen, group_of, place_of, members, sizes)
    if gone == len(people) and total < -1e-9:
        return total
    for node in people[:gone]:
        move(node, group, group_of, place_of, members, sizes)
    return 0.0
