"""protect · attack · measure · verify: the only place where the promises are enforced.

`protect` never returns a release that its models reject. `verify` looks at the released subject alone.
`attack` always says what blind guessing would have achieved. `measure` never alters its input.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, TypeVar

from shoal.core.contract import Attack, Measure, Method, Model
from shoal.core.errors import ShoalError
from shoal.core.outcome import Finding, Promise, Release, Verdict
from shoal.core.progress import Watch
from shoal.core.spelling import spell

LOG = logging.getLogger("shoal")

Seen = TypeVar("Seen")
Subject = TypeVar("Subject")
Kept = TypeVar("Kept", bound=Model[Any])
Value = TypeVar("Value")
Made = TypeVar("Made", bound=Release[object])


class BrokenPromise(ShoalError):
    """A method made a release that its models reject: a defect of ours, never handed out as a result."""

    exit_code = 1


def verify(seen: Seen, models: Sequence[Model[Seen]], notes: Sequence[str] = ()) -> Verdict:
    """Every model against a released subject: what it offers, and whether that is enough."""
    promises = tuple(
        Promise(model.name, model.level(seen), bool(model.holds(seen).all()), spell(model))
        for model in models
    )
    return Verdict(promises, tuple(notes))


def protect(
    subject: Subject, method: Method[Subject, Kept, Made], models: Sequence[Kept], watch: Watch | None
) -> Made:
    """A release of the subject that keeps every promise, checked from the released subject alone."""
    asked = ", ".join(spell(model) for model in models)
    LOG.info("protecting by %s: %s", method.name, asked)
    release = method.protect(subject, models, watch)
    LOG.info("made a release by %s; checking it", method.name)
    # What a method releases is what its models look at.
    return release.promised(kept(verify(release.seen(), models)).promises)


def kept(verdict: Verdict) -> Verdict:
    """The verdict, if every promise holds; nothing may leave the house otherwise."""
    for promise in verdict.promises:
        if not promise.holds:
            raise BrokenPromise(
                f"the release does not keep {promise.model} (it offers {promise.level}), so it is withheld; "
                "this is a defect of Shoal, please report it"
            )
    return verdict


def attack(subject: Subject, attacker: Attack[Subject]) -> Finding:
    """What an attacker achieves against a subject."""
    return attacker.attack(subject)


def measure(subject: Subject, ruler: Measure[Subject, Value]) -> Value:
    """One figure about a subject."""
    return ruler.measure(subject)
