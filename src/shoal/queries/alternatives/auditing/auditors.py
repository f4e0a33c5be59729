"""Three auditors: each remembers what was answered and says whether one more answer would tell too much."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
PRIME = 2**31 - 1  # products of two residues fit 64 bits
MANY = 300  # groups that follow from others; an auditor has to stop somewhere


class Auditor(Protocol):
    """Whoever decides whether a question is answered."""

    def discloses(self, about: Mask, answer: float) -> bool:
        """Whether the answer would, with all before it, fix the value of somebody."""

    def remember(self, about: Mask, answer: float) -> None:
        """The answer goes out."""


class SumAuditor:
    """Sums of numbers of which nothing is known: linear algebra over the questions, never over the answers.

    Somebody's number follows from sums if and only if their unit vector is a combination of the questions.
    The questions are kept as a reduced matrix; a unit vector is among its combinations if and only if it is
    one of its rows. Reckoned modulo a prime, which is exact unless the prime divides a minor.
    """

    def __init__(self, people: int) -> None:
        self._rows = np.zeros((0, people), np.int64)

    def discloses(self, about: Mask, answer: float) -> bool:
        return bool(((self._with(about) != 0).sum(axis=1) == 1).any())

    def remember(self, about: Mask, answer: float) -> None:
        self._rows = self._with(about)

    def _with(self, about: Mask) -> NDArray[np.int64]:
        new = about.astype(np.int64)
        pivots = (self._rows != 0).argmax(axis=1)
        for row, pivot in zip(self._rows, pivots, strict=True):
            new = (new - new[pivot] * row) % PRIME
        if not new.any():
            return self._rows  # it follows from the others, and tells nothing new
        pivot = int(np.flatnonzero(new)[0])
        new = new * pow(int(new[pivot]), -1, PRIME) % PRIME
        rows = (self._rows - self._rows[:, [pivot]] * new) % PRIME
        return np.vstack((rows, new))


class CountAuditor:
    """Counts of a yes or no, judged by the answers: refuses what would fix somebody's.

    A count of nought, or of all, fixes everybody in it. What is left of one question when another lies inside
    it, or when people are fixed, is a count again. Whether anybody is fixed by many counts together is
    coNP-hard (Kleinberg, Papadimitriou, Raghavan 2000); this one looks for what follows step by step.
    """

    def __init__(self, people: int) -> None:
        self._told: dict[frozenset[int], int] = {}

    def discloses(self, about: Mask, answer: float) -> bool:
        return any(count in (0, len(group)) for group, count in self._closure(about, answer).items() if group)

    def remember(self, about: Mask, answer: float) -> None:
        self._told[frozenset(np.flatnonzero(about).tolist())] = round(answer)

    def _closure(self, about: Mask, answer: float) -> dict[frozenset[int], int]:
        found = {**self._told, frozenset(np.flatnonzero(about).tolist()): round(answer)}
        waiting = list(found)
        while waiting and len(found) < MANY:
            one = waiting.pop()
            for other in list(found):
                small, large = sorted((one, other), key=len)
                if small < large and large - small not in found:
                    found[large - small] = found[large] - found[small]
                    waiting.append(large - small)
        return found


class MaxAuditor:
    """Maxima, judged by the answers: refuses what would leave one person alone to have the maximum.

    Nobody is above the least maximum of a question that they are in; of each question, those may have its
    maximum whom no other question keeps below it.

    Chin, "Security problems on inference control for SUM, MAX, and MIN queries", 1986.
    """

    def __init__(self, people: int) -> None:
        self._limits = np.full(people, np.inf)
        self._told: list[tuple[Mask, float]] = []

    def discloses(self, about: Mask, answer: float) -> bool:
        limits = self._lowered(about, answer)
        return any(
            int((group & (limits >= most)).sum()) == 1 for group, most in [*self._told, (about, answer)]
        )

    def remember(self, about: Mask, answer: float) -> None:
        self._limits = self._lowered(about, answer)
        self._told.append((about, answer))

    def _lowered(self, about: Mask, answer: float) -> NDArray[np.float64]:
        return np.where(about, np.minimum(self._limits, answer), self._limits)
