"""Who in a class has which of its values, by what all classes together teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.core.deadline import check_time
from shoal.tables.attacker_reasoning.row_classes import Ints

Floats = NDArray[np.float64]

INNER = 4  # how often persons and values of a dealing are set right in one round
REST = 1e-4  # chances move less than this on average in a round: the model rests
# People like everybody that are added to every kind, per value: what few people share says little about them.
MADE_UP = 5.0
DENSE = 50_000_000  # places to count in, one for each kind with each value


@dataclass(frozen=True, eq=False)
class Pairs:
    """Looks of people with every value of their class, class by class; a cell is a class with a value.

    Looks of one class that the model cannot tell apart stand together as one of them, so many `times`. The
    pairs themselves are not kept: there may be millions, and all about one follows from its look and cell.
    """

    look: Ints
    first: Ints  # the first cell of each look's class
    begins: Ints  # where the pairs of each look begin, and the end of all
    weight: Floats  # people of each such look
    times: Floats  # how many looks each stands for
    value: Ints  # of each cell, the place in the domain
    room: Floats  # people of each cell
    share: Floats  # of each cell, the value's share of the class


def learn_values(pairs: Pairs, kinds: Sequence[Ints], values: int, rounds: int) -> Floats:
    """Of each pair the chance that a person of the look has the value; `kinds[column][look]` is what counts.

    In turn a naive Bayes model is fitted to the dealing of values to people, and the dealing to the model so
    that every person has one value and every class its own values as often as it has them. What is said about
    a look is learned from all others: of itself it would only learn what it was given before.
    """
    chance = _by_shares(pairs.share, pairs.first, pairs.begins)
    if not len(chance):
        return chance
    found = np.stack([each[pairs.look] for each in kinds]).astype(np.int64)
    counted = (found.max(axis=1) + 1) * values
    # Where hardly anybody shares a value, most places would stay empty.
    sparse = counted > min(DENSE, 4 * len(chance))
    slots = np.zeros((int(sparse.sum()), len(chance)), np.int64)
    for place, column in enumerate(np.flatnonzero(sparse).tolist()):
        check_time()
        slots[place] = _slots(found[column], pairs.first, pairs.begins, pairs.value, values)
        counted[column] = slots[place].max() + 1
    which = np.where(sparse, np.cumsum(sparse) - 1, -1)
    bases = np.cumsum(counted) - counted
    seen = np.zeros(int(counted.sum()))
    fixed = found, which, slots, bases, pairs.first, pairs.begins, pairs.value, values
    every = float(pairs.times @ np.diff(pairs.begins))
    for _ in range(rounds):
        check_time()
        total = _count_values(chance, seen, pairs.weight * pairs.times, *fixed)
        usual = np.maximum(total / total.sum(), 1e-12)
        check_time()
        moved = _deal_values(chance, seen, usual, pairs.weight, pairs.times, pairs.room, INNER, *fixed)
        if moved / every < REST:
            break
    return chance


def highest(numbers: Floats, starts: Ints, ends: Ints) -> Ints:
    """Of each stretch the place of its highest number, of equals the first."""
    return _highest(numbers, starts, ends)


def _slots(kind: Ints, first: Ints, begins: Ints, value: Ints, values: int) -> Ints:
    """Of each pair the place where people of its kind with its value are counted, if only such are kept."""
    width = np.diff(begins)
    cell = np.arange(begins[-1]) - np.repeat(begins[:-1] - first, width)
    places = np.repeat(kind * values, width) + value[cell]
    return np.asarray(np.unique(places, return_inverse=True)[1], np.int64)


@compiled
def _by_shares(share: Floats, first: Ints, begins: Ints) -> Floats:
    """Of each pair the share that its value has in the class."""
    chance = np.empty(begins[-1])
    for look in range(len(first)):
        for pair in range(begins[look], begins[look + 1]):
            chance[pair] = share[first[look] + pair - begins[look]]
    return chance


@compiled
def _highest(numbers: Floats, starts: Ints, ends: Ints) -> Ints:
    places = np.empty(len(starts), np.int64)
    for one in range(len(starts)):
        top = numbers[starts[one] : ends[one]].max()
        place = starts[one]
        while numbers[place] < top - 1e-12:  # rounding must not decide between what is equally likely
            place += 1
        places[one] = place
    return places


@compiled
def _count_values(
    chance: Floats,
    seen: Floats,
    people: Floats,
    kinds: Ints,
    which: Ints,
    slots: Ints,
    bases: Ints,
    first: Ints,
    begins: Ints,
    value: Ints,
    values: int,
) -> Floats:
    """Count how many people of each kind have each value, as dealt now; give back how many have each."""
    seen[:] = 0.0
    total = np.zeros(values)
    for look in range(len(first)):
        away = first[look] - begins[look]
        for pair in range(begins[look], begins[look + 1]):
            total[value[pair + away]] += chance[pair] * people[look]
        for column in range(len(bases)):
            if which[column] < 0:
                place = bases[column] + kinds[column, look] * values
                for pair in range(begins[look], begins[look + 1]):
                    seen[place + value[pair + away]] += chance[pair] * people[look]
            else:
                for pair in range(begins[look], begins[look + 1]):
                    seen[bases[column] + slots[which[column], pair]] += chance[pair] * people[look]
    return total


@compiled
def _deal_values(
    chance: Floats,
    seen: Floats,
    usual: Floats,
    weight: Floats,
    times: Floats,
    room: Floats,
    inner: int,
    kinds: Ints,
    which: Ints,
    slots: Ints,
    bases: Ints,
    first: Ints,
    begins: Ints,
    value: Ints,
    values: int,
) -> float:
    """Deal the values of every class anew by what others of the same kinds say; how much that moved."""
    moved, filled, start = 0.0, np.zeros(len(room)), 0
    while start < len(first):
        end = start
        while end < len(first) and first[end] == first[start]:
            end += 1
        before = chance[begins[start] : begins[end]].copy()
        for look in range(start, end):
            away = first[look] - begins[look]
            chance[begins[look] : begins[look + 1]] = 1.0
            for column in range(len(bases)):
                most = 0.0
                place = bases[column] + kinds[column, look] * values
                for pair in range(begins[look], begins[look + 1]):
                    own = value[pair + away]
                    at = place + own if which[column] < 0 else bases[column] + slots[which[column], pair]
                    others = max(seen[at] - before[pair - begins[start]] * weight[look], 0.0)
                    chance[pair] *= others / usual[own] + MADE_UP * len(usual)
                    most = max(most, chance[pair])
                for pair in range(begins[look], begins[look + 1]):
                    chance[pair] /= most  # the highest of each look is 1
        for _ in range(inner):
            _fill(chance, start, end, first, begins, weight, times, room, filled)
        for look in range(start, end):
            for pair in range(begins[look], begins[look + 1]):
                moved += times[look] * abs(chance[pair] - before[pair - begins[start]])
        start = end
    return moved


@compiled
def _fill(
    chance: Floats,
    start: int,
    end: int,
    first: Ints,
    begins: Ints,
    weight: Floats,
    times: Floats,
    room: Floats,
    filled: Floats,
) -> None:
    """Bring odds nearer to chances that fill a class: factors for its values, then for its persons."""
    filled[first[start] : first[start] + begins[start + 1] - begins[start]] = 0.0
    for look in range(start, end):
        away, people = first[look] - begins[look], weight[look] * times[look]
        for pair in range(begins[look], begins[look + 1]):
            filled[pair + away] += chance[pair] * people
    for look in range(start, end):
        away, one = first[look] - begins[look], 0.0
        for pair in range(begins[look], begins[look + 1]):
            if filled[pair + away] > 0.0:  # else nobody of the class can have the value, or so it seems
                chance[pair] = chance[pair] * room[pair + away] / filled[pair + away]
            one += chance[pair]
        for pair in range(begins[look], begins[look + 1]):
            chance[pair] /= one
