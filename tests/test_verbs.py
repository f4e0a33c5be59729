"""The promises, enforced in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from shoal import verbs
from shoal.core.contract import (
    Attack,
    AttackKind,
    ClassModel,
    Mask,
    Measure,
    Method,
    Model,
    Need,
    Reads,
    Scope,
)
from shoal.core.errors import ShoalError
from shoal.core.outcome import Finding, Promise, Rate
from shoal.core.progress import Watch


@dataclass(frozen=True)
class AtLeast(ClassModel[Sequence[int]]):
    """Every number is at least n. Nobody 2020."""

    name: ClassVar[str] = "at-least"
    stops: ClassVar[tuple[AttackKind, ...]] = ()
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "class"

    n: int

    def level(self, seen: Sequence[int]) -> float:
        return float(min(seen))

    def holds(self, seen: Sequence[int]) -> Mask:
        return np.array([number >= self.n for number in seen])

    def doomed(self, seen: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.zeros(len(seen))


@dataclass(frozen=True)
class Made:
    numbers: tuple[int, ...]
    promises: tuple[Promise, ...] = ()

    def seen(self) -> Sequence[int]:
        return self.numbers

    def promised(self, promises: tuple[Promise, ...]) -> "Made":
        return replace(self, promises=promises)


@dataclass(frozen=True)
class Honest(Method[Sequence[int], Model[Sequence[int]], Made]):
    """Adds to every number."""

    name: ClassVar[str] = "honest"
    more: int = 0

    def protect(
        self, subject: Sequence[int], models: Sequence[Model[Sequence[int]]], watch: Watch | None
    ) -> Made:
        return Made(tuple(number + self.more for number in subject))


@dataclass(frozen=True)
class Liar(Honest):
    """Claims what it does not keep."""

    def protect(
        self, subject: Sequence[int], models: Sequence[Model[Sequence[int]]], watch: Watch | None
    ) -> Made:
        return Made(tuple(subject), (Promise("at-least", 99.0, True),))


def test_verify_asks_every_model() -> None:
    verdict = verbs.verify([3, 5], [AtLeast(2), AtLeast(4)], ["a note"])
    assert [promise.holds for promise in verdict.promises] == [True, False]
    assert [promise.level for promise in verdict.promises] == [3.0, 3.0]
    assert verdict.promises[1].model == "at-least(n=4)" and verdict.notes == ("a note",)


def test_a_release_carries_the_outcome_of_its_check() -> None:
    made = verbs.protect([1, 2], Honest(3), [AtLeast(4)], None)
    assert made.promises == (Promise("at-least", 4.0, True, "at-least(n=4)"),)


def test_a_release_that_its_models_reject_is_never_returned() -> None:
    for method in (Honest(1), Liar()):
        with pytest.raises(verbs.BrokenPromise, match="withheld") as caught:
            verbs.protect([1, 2], method, [AtLeast(1), AtLeast(4)], None)
        assert isinstance(caught.value, ShoalError) and caught.value.exit_code == 1


def test_attack_and_measure_hand_over_the_subject() -> None:
    @dataclass(frozen=True)
    class Count(Measure[Sequence[int], int]):
        name: ClassVar[str] = "count"

        def measure(self, subject: Sequence[int]) -> int:
            return len(subject)

    @dataclass(frozen=True)
    class Counting(Attack[Sequence[int]]):
        name: ClassVar[str] = "counting"
        needs: ClassVar[tuple[Need, ...]] = ()

        def attack(self, subject: Sequence[int]) -> Finding:
            return Finding("count", Rate(len(subject), 9), 0.1, (), "")

    assert verbs.measure([1, 2], Count()) == 2
    assert verbs.attack([1, 2], Counting()).rate.hits == 2
