"""The six protocols: what a model, a method, a step, an attack, a measure and a mechanism must offer.

Every part is a frozen dataclass: parameters in the constructor, data in the call.
`name` is what users write; the class docstring is the promise, then the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.outcome import Finding

Mask = NDArray[np.bool_]
# Class sizes alone, the sensitive values of each class too, or also those of the whole table.
Reads = Literal["sizes", "values", "distribution"]
# Whether a class keeps a promise by itself, or only the table as a whole does.
Scope = Literal["class", "table"]
Need = Literal["external", "others", "original", "control", "sensitive", "manifest"]
AttackKind = Literal["record linkage", "attribute linkage", "table linkage", "probabilistic"]

Seen = TypeVar("Seen", contravariant=True)
Subject = TypeVar("Subject", contravariant=True)
Value = TypeVar("Value", covariant=True)
Made = TypeVar("Made", covariant=True)


class Model(Protocol[Seen]):
    """A promise about a subject: how much it offers, and whether that is enough."""

    name: ClassVar[str]
    stops: ClassVar[tuple[AttackKind, ...]]

    def level(self, seen: Seen, /) -> float:
        """What the subject offers, in the model's own unit (k, l, t …)."""

    def holds(self, seen: Seen, /) -> Mask:
        """Per class or node, whether it keeps the promise; a model of the whole answers alike for all."""


class ClassModel(Model[Seen], Protocol[Seen]):
    """A promise about classes of rows, which a search may ask ahead."""

    reads: ClassVar[Reads]
    scope: ClassVar[Scope]

    def doomed(self, seen: Seen, /) -> NDArray[np.float64]:
        """Per class, how many of its rows no refinement of the class can ever release.

        This is all that a search may know about a model. Too low only costs time; too high would lose the
        optimum. 0 is always right; a superset-monotone model (k-anonymity) gives the whole failing class.
        """


Kept = TypeVar("Kept", bound=Model[Any], contravariant=True)


@dataclass(frozen=True)
class Progress:
    """How far a long job is: work done, the best value so far, the bound that no result can beat."""

    done: int
    open: int
    best: float | None
    bound: float | None


Watch = Callable[[Progress], None]
# How many parts of a job are done, how many there are (0: not known yet), and the one at work.
Follow = Callable[[int, int, str], None]


class Method(Protocol[Subject, Kept, Made]):
    """A way to change a subject until the models hold."""

    name: ClassVar[str]

    def protect(self, subject: Subject, models: Sequence[Kept], watch: Watch | None, /) -> Made:
        """A release of the subject; raises Unreachable when there is none."""


Changed = TypeVar("Changed")


class Step(Protocol[Changed]):
    """A change made before a method runs: noise, swapping, sampling, pseudonyms.

    Two more things are for steps that need them: `hidden` names the parameters that no record may show, and
    `keeps` the columns that would be removed as identifiers but for this step.
    """

    name: ClassVar[str]
    remark: ClassVar[str]  # what everybody should know who gets the result

    def apply(self, subject: Changed, chance: np.random.Generator, /) -> Changed:
        """The changed subject; the one given is left alone."""


class Attack(Protocol[Subject]):
    """Somebody who breaks a release.

    Two more things are for attacks that need them: `remedied` gives the scene after a cure that is no model,
    and says how; `roles = False` is for attacks that ask for their columns by name.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]]  # what it cannot do without, besides the release

    def attack(self, subject: Subject, /) -> Finding:
        """Who was hit, what was learned, how sure, and what would stop it."""


class Measure(Protocol[Subject, Value]):
    """What a change cost, or what risk is left."""

    name: ClassVar[str]

    def measure(self, subject: Subject, /) -> Value:
        """The figure; never alters its input."""


class Mechanism(Protocol[Subject, Value]):
    """A way to answer about people with differential privacy. It never takes a seed."""

    name: ClassVar[str]

    def release(self, subject: Subject, /) -> Value:
        """What may be told."""
