"""Target degrees mended before edges are: an odd sum, hubs that find too few partners, a way out when stuck.

Every change moves members of a degree class to another value such that each value still occurs k times:
some members to a class that is there, k or more of a class of 2k, or a whole class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.graphs.building.target_degrees import Change
from shoal.graphs.graph import Int64


@dataclass(frozen=True)
class Move:
    """So many members of the class of one degree get another degree."""

    degree: int
    to: int
    members: int

    @property
    def cost(self) -> int:
        return abs(self.to - self.degree) * self.members


def k_anonymous(degrees: Int64, k: int) -> bool:
    """Whether every degree occurs at least k times."""
    return len(degrees) == 0 or int(np.bincount(degrees)[degrees].min()) >= k


def even(degrees: Int64, original: Int64, k: int, change: Change, generator: np.random.Generator) -> Int64:
    """Degrees with an even sum by the cheapest move; as they were where no move makes it even."""
    if int(degrees.sum()) % 2 == 0:
        return degrees
    odd = [move for move in moves(degrees, k, change) if move.cost % 2]
    return apply_move(degrees, original, min(odd, key=lambda move: move.cost), generator) if odd else degrees


def moves(degrees: Int64, k: int, change: Change) -> list[Move]:
    """Every move by one degree, and of one member or a whole class to the next class above and below."""
    counts = np.bincount(degrees, minlength=len(degrees) + 1)
    values = np.flatnonzero(counts)
    found: list[Move] = []
    for at, value in enumerate(map(int, values)):
        size = int(counts[value])
        for step in (1, -1):
            if (step < 0 and change == "raise") or not 0 <= value + step < len(degrees):
                continue
            nearby = counts[value + step] > 0
            found.append(Move(value, value + step, size))
            if nearby and size > k:
                found.append(Move(value, value + step, 1))
            if size >= 2 * k:
                found.append(Move(value, value + step, k))
                if size > 2 * k:
                    found.append(Move(value, value + step, k + 1))
            if 0 <= at + step < len(values) and not nearby:
                next_ = int(values[at + step])
                found.append(Move(value, next_, size))
                if size > k:
                    found.append(Move(value, next_, 1))
    return found


def apply_move(degrees: Int64, original: Int64, move: Move, generator: np.random.Generator) -> Int64:
    """Degrees after a move of the members that it takes nearest to what they had, or least far away."""
    changed = degrees.copy()
    members = generator.permutation(np.flatnonzero(degrees == move.degree))
    away = (degrees - original)[members] * (1 if move.to > move.degree else -1)
    changed[members[np.argsort(away, kind="stable")][: move.members]] = move.to
    return changed


def nudge_degrees(
    degrees: Int64, original: Int64, k: int, change: Change, times: int, generator: np.random.Generator
) -> Int64:
    """Degrees after some random moves, cheap ones more likely; an even sum where that is possible."""
    for _ in range(times):
        found = sorted(moves(degrees, k, change), key=lambda move: move.cost)
        if not found:
            return degrees
        at = min(int(generator.exponential(3.0)), len(found) - 1)
        degrees = apply_move(degrees, original, found[at], generator)
    return even(degrees, original, k, change, generator)


def lift_degrees(
    degrees: Int64, original: Int64, k: int, amount: int, below: int, generator: np.random.Generator
) -> Int64:
    """Degrees raised by one here and there, by at least `amount` in all, among those below a limit.

    Members of large classes first: they enter a class that is there, and classes stay at k or more. When
    these are used up, whole classes or k members and more go up together. Nobody goes up twice in a pass.
    """
    degrees = degrees.copy()
    limit = min(below, len(degrees) - 1)
    together = False
    while amount > 0:
        shuffled = generator.permutation(len(degrees))
        # By degree, and of equal degree those first who were raised least.
        order = shuffled[np.lexsort(((degrees - original)[shuffled], degrees[shuffled]))]
        counts = np.bincount(degrees, minlength=len(degrees) + 1)
        starts = np.cumsum(counts) - counts
        before = amount
        for value in map(int, np.flatnonzero(counts[:limit])[::-1]):
            size = int(counts[value])
            number = min(size - k, amount) if counts[value + 1] > 0 else 0
            if together and number <= 0:
                number = min(size - k, max(k, amount)) if size >= 2 * k else size
            if number > 0 and amount > 0:
                degrees[order[starts[value] : starts[value] + number]] += 1
                counts[value] -= number
                counts[value + 1] += number
                amount -= number
        if amount == before and together:
            return degrees  # nothing is left to raise
        together = amount == before
    return degrees
