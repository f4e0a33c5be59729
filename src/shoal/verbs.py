"""protect · attack · measure · verify: the only place where the promises are enforced.

`protect` never returns a release that its models reject. `verify` looks at the released subject alone.
`attack` always says what blind guessing would have achieved. `measure` never alters its input.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from shoal.core.contract import Attack, Measure, Method, Model
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import Finding, Promise, Release, Verdict
from shoal.core.part_syntax import spell
from shoal.core.progress import Watch

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


def split_uncheckable(
    models: Sequence[Kept],
    vouched: Callable[[Kept], bool],
    what: str,
    uncounted: Callable[[Kept], str] | None = None,
) -> tuple[list[Kept], list[Promise], list[str]]:
    """The models that a file can be checked for, the promises of the others, and why.

    A promise of a method stands only where its record vouches for it; `what` may have been changed since.
    `uncounted` names what a model counts and the file does not have.
    """
    told: list[Kept] = []
    promises: list[Promise] = []
    notes: list[str] = []
    for model in models:
        lost = "" if uncounted is None else uncounted(model)
        if not lost and not model.mechanisms:
            told.append(model)
        elif not lost and vouched(model):
            told.append(model)
            notes.append(
                f"{model.name} is a promise of the method; no file can prove it, the level is the manifest's"
            )
        else:
            notes.append(
                f"{model.name} cannot be checked from the file: it counts '{lost}', which was not released"
                if lost
                else f"{model.name} is a promise of the method that made a release; without its manifest, or "
                f"with {what} changed since, nobody can tell whether it holds"
            )
            promises.append(Promise(model.name, None, None, spell(model)))
    return told, promises, notes


def protect(
    subject: Subject, method: Method[Subject, Kept, Made], models: Sequence[Kept], watch: Watch | None
) -> Made:
    """A release of the subject that keeps every promise, checked from the released subject alone."""
    asked = ", ".join(spell(model) for model in models)
    LOG.info("protecting by %s: %s", method.name, asked)
    release = method.protect(subject, models, watch)
    LOG.info("made a release by %s; checking it", method.name)
    # What a method releases is what its models look at.
    return release.promised(require_kept(verify(release.seen(), models)).promises)


def require_kept(verdict: Verdict) -> Verdict:
    """The verdict, if every promise holds; nothing may leave the house otherwise."""
    for promise in verdict.promises:
        if not promise.holds:
            raise BrokenPromise(
                f"the release does not keep {promise.model} (it offers {promise.level}), so it is withheld; "
                "this is a defect of Shoal, please report it"
            )
    return verdict


def check_size(model: Model[Any], size: int, what: str, one: str) -> None:
    """Refuse at once a number of rows or people alike that can never be reached."""
    if model.people > size:
        have = f"1 {one}" if size == 1 else f"{size:,} {one}s"
        raise BadParameter(
            f"k={model.people} is larger than the {what}, which has {have}; choose a smaller k"
        )


def attack(subject: Subject, attacker: Attack[Subject]) -> Finding:
    """What an attacker achieves against a subject."""
    return attacker.attack(subject)


def measure(subject: Subject, ruler: Measure[Subject, Value]) -> Value:
    """One figure about a subject."""
    return ruler.measure(subject)
