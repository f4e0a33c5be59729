"""What a mechanism must offer, and what it may add: a part like those of `contract.py`, for noise."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, cast

from shoal.core.contract import Named, Subject, Value


class Mechanism(Named, Generic[Subject, Value]):
    """A way to answer about people with differential privacy. It never takes a seed."""

    takes_real: ClassVar[bool] = False  # it has `release_real`, for one number with a fraction
    elementwise: ClassVar[bool] = False  # every number gets noise of its own: many draws are one call
    pure: ClassVar[bool] = True  # its promise has no δ
    # Numbers with and without one person, as far apart as they can be: what an audit tells apart.
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((0,), (1,))

    @abstractmethod
    def release(self, subject: Subject, /) -> Value:
        """What may be told."""

    def costing(self, epsilon: Fraction, delta: Fraction) -> Mechanism[Subject, Value]:
        """The same one at another price; δ where it has one."""
        made: Mechanism[Subject, Value] = replace(cast(Any, self), epsilon=epsilon)
        return made

    @property
    def failure(self) -> Fraction:
        """The δ that one answer costs."""
        return Fraction(0)

    @property
    def neighbours(self) -> str:
        """What one person adds or takes away, where that is a matter of choice."""
        return "edge"

    @property
    def error(self) -> float | None:
        """How far off an answer is to be expected, where that is known without looking."""
        return None

    def interval(self) -> float | None:
        """Half the width of a 95 % interval, where that is known without looking."""
        return None
