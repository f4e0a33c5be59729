"""Who in a class has which of its values, by what all classes together teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.core.patience import check_time
from shoal.tables.reading.row_classes import Ints

Floats = NDArray[np.float64]

INNER = 4  # how often persons and values of a dealing are set right in one round
REST = 1e-4  # chances move less than this on average in a round: the model rests
# People like everybody that are added to every kind, per value: what few people share says little about them.
MADE_UP = 5.0
DENSE = 50_000_000  # places to count in, one for each kind with each value


@dataclass(frozen=True, eq=False)
class Pairs:
    """Looks of people with every value of their class. The pairs of one look stand together."""

    look: Ints
    value: Ints  # the place in the domain
    cell: Ints  # the number of class and value together
    begins: Ints  # where the pairs of each look begin
    weight: Floats  # people of each such look
    room: Floats  # people of each cell
    share: Floats  # of each pair, the value's share of the class


def learned(pairs: Pairs, kinds: Sequence[Ints], values: int, rounds: int) -> Floats:
    """Of each pair the chance that a person of the look has the value; `kinds[column][look]` is what counts.

    In turn a naive Bayes model is fitted to the dealing of values to people, and the dealing to the model so
    that every person has one value and every class its own values as often as it has them. What is said about
    a look is learned from all others: of itself it would only learn what it was given before.
    """
    chance = pairs.share.copy()
    if not len(chance):
        return chance
    begins = np.append(pairs.begins, len(chance))
    slots = [_slots(found[pairs.look], pairs.value, values) for found in kinds]
    for _ in range(rounds):
        check_time()
        before = chance
        people = before * np.repeat(pairs.weight, np.diff(begins))
        total = np.bincount(pairs.value, people, values)
        usual = np.maximum(total / total.sum(), 1e-12)
        chance = np.ones(len(before))
        for slot in slots:
            check_time()
            seen = np.bincount(slot, people).astype(
                np.float64
            )  # how many people of each kind have each value, as dealt now
            _weigh(chance, seen, slot, pairs.value, begins, before, pairs.weight, usual)
        _deal(chance, pairs.cell, begins, pairs.weight, pairs.room, INNER)
        if float(np.abs(chance - before).mean()) < REST:
            break
    return chance


def _slots(kind: Ints, value: Ints, values: int) -> Ints:
    """Of each pair the place where people of its kind with its value are counted."""
    places: Ints = kind.astype(np.int64) * values + value
    if (int(kind.max()) + 1) * values <= DENSE:
        return places
    # Where hardly anybody shares a value, most places would stay empty.
    return np.asarray(np.unique(places, return_inverse=True)[1], np.int64)


@compiled
def _weigh(
    odds: Floats,
    seen: Floats,
    slot: Ints,
    value: Ints,
    begins: Ints,
    chance: Floats,
    weight: Floats,
    usual: Floats,
) -> None:
    """Multiply what others of the same kind say into the odds; the highest of each look becomes 1."""
    for look in range(len(weight)):
        most = 0.0
        for pair in range(begins[look], begins[look + 1]):
            others = max(seen[slot[pair]] - chance[pair] * weight[look], 0.0)
            odds[pair] *= others / usual[value[pair]] + MADE_UP * len(usual)
            most = max(most, odds[pair])
        for pair in range(begins[look], begins[look + 1]):
            odds[pair] /= most


@compiled
def _deal(chance: Floats, cell: Ints, begins: Ints, weight: Floats, room: Floats, times: int) -> None:
    """Turn odds into chances that fill every class: factors for values and for persons, in turn."""
    for _ in range(times):
        filled = np.zeros(len(room))
        for look in range(len(weight)):
            for pair in range(begins[look], begins[look + 1]):
                filled[cell[pair]] += chance[pair] * weight[look]
        for look in range(len(weight)):
            one = 0.0
            for pair in range(begins[look], begins[look + 1]):
                if filled[cell[pair]] > 0.0:  # else nobody of the class can have the value, or so it seems
                    chance[pair] = chance[pair] * room[cell[pair]] / filled[cell[pair]]
                one += chance[pair]
            for pair in range(begins[look], begins[look + 1]):
                chance[pair] /= one
