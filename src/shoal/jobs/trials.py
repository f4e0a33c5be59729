"""Every attack of the catalog that can be tried on a release, before and after its protection."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.contract import Follow
from shoal.core.errors import ShoalError
from shoal.core.outcome import Finding
from shoal.core.spelling import build, spell, split
from shoal.jobs.curing import with_cure_checked
from shoal.jobs.dossier import BY_CHANCE, Trial, Tried
from shoal.jobs.scenes import FLAGS
from shoal.tables.adversary.row_classes import RowClasses
from shoal.tables.adversary.scene import Scene

# Attacks that pick a row of somebody's class, which a promise about classes limits and does not prevent.
# A link that fits one row alone is no such pick: rows that look alike prevent it.
PICKING = ("linkability",)
# Attacks that do not guess about everybody: of whom they hit they are sure, so a single hit is one too many,
# however often a blind guess is right.
SURE = (
    "background",
    "definetti",
    "downcoding",
    "homogeneity",
    "intersection",
    "linkage",
    "minimality",
    "partly-known",
    "similarity",
    "temporal",
    "unsorted-matching",
)
_QUOTED = re.compile(r"'([^']*)'")
_REPR = re.compile(r"\"[^\"]*'[^\"]*\"")  # how Python quotes a text with an apostrophe in it


def tried_all(
    before: Scene | None, after: Scene, asked: Sequence[str] = (), follow: Follow | None = None
) -> tuple[Trial, ...]:
    """A trial for every attack asked for, or else of the catalog; of those that cannot be tried, why."""
    found: list[Trial | tuple[Any, str]] = []
    for text in asked or catalog.names("attack"):
        name, given = split(text)
        part = catalog.Part("attack", name, catalog.find("attack", name))
        if part.noun in ("graph", "query"):
            continue
        missing = [need for need in getattr(part.cls, "needs", ()) if not _held(need, after)]
        why = f"needs {_without_target(missing[0])}" if missing else ""
        try:
            attacker = build(part.cls, given)
        except ShoalError as error:
            if asked:
                raise  # what the user wrote is wrong; else it has to be told what only the user knows
            why = why or _why(name, error, after)
        if why:
            found.append(Trial(name, name, part.promise, reason=why))
            continue
        found += [(one, part.promise) for one in _variants(attacker, after)]
    trials: list[Trial] = []
    for done, one in enumerate(found):
        if not isinstance(one, Trial):
            if follow is not None:
                follow(done, len(found), f"attack {spell(one[0])}")
            one = _trial(*one, before, after)
        trials.append(one)
    return tuple(trials)


def hushed(sentence: str, known: Collection[str]) -> str:
    """A refusal without the values that it quotes, which may be somebody's; names of columns stay."""
    sentence = _REPR.sub("‘…’", sentence)
    return _QUOTED.sub(lambda found: found[0] if found[1] in known else "‘…’", sentence)


def _trial(attacker: Any, about: str, before: Scene | None, after: Scene) -> Trial:
    spelled = spell(attacker)
    try:
        finding = with_cure_checked(verbs.attack(after, attacker), attacker, after)
    except ShoalError as error:
        return Trial(attacker.name, spelled, about, reason=_why(attacker.name, error, after))
    except MemoryError:  # one attack too large for the machine is no reason to tell nothing of the others
        return Trial(attacker.name, spelled, about, reason="does not fit into the memory of this machine")
    tried = Tried.of(finding, _allowed(attacker.name, after), _sure(attacker, finding, after))
    return Trial(attacker.name, spelled, about, _on(before, attacker), tried)


def _sure(attacker: Any, finding: Finding, scene: Scene) -> bool:
    """Whether a hit is known with more confidence than the best blind guess has about anybody."""
    if scene.manifest is not None and scene.manifest.method in BY_CHANCE:
        return False
    return attacker.name in SURE and getattr(attacker, "confidence", 1.0) > finding.baseline


def _allowed(name: str, scene: Scene) -> float:
    """What rows that look alike leave to chance: who picks one of k of them is right once in k times.

    Where a row stands alone nothing is left to chance, and nothing is allowed.
    """
    if name not in PICKING:
        return 0.0
    smallest = int(RowClasses.of(scene.table.frame, scene.table.quasi).sizes.min())
    return 1 / smallest if smallest > 1 else 0.0


def _without_target(need: str) -> str:
    """What an attack needs; people one by one are for a single attack, not for a report."""
    return FLAGS[need].partition(", or --target")[0]


def _why(name: str, error: ShoalError, scene: Scene) -> str:
    """Why an attack was not tried, in the words of its refusal."""
    return hushed(str(error), scene.table.columns).removeprefix(name).strip(" :")


def _on(before: Scene | None, attacker: Any) -> Tried | None:
    """What the attack achieves on the original; None where it makes no sense there."""
    if before is None or not all(_held(need, before) for need in attacker.needs):
        return None
    try:
        finding: Finding = verbs.attack(before, attacker)
    except (ShoalError, MemoryError):
        return None
    return Tried.of(finding, sure=_sure(attacker, finding, before))


def _variants(attacker: Any, scene: Scene) -> Iterator[Any]:
    """The attack as it is; one after a single sensitive column is tried on each."""
    if getattr(attacker, "column", "") is None and len(scene.table.sensitive) > 1:
        for column in scene.table.sensitive:
            yield replace(attacker, column=column)
    else:
        yield attacker


def _held(need: str, scene: Scene) -> bool:
    held = scene.table.sensitive if need == "sensitive" else getattr(scene, need)
    return held is not None and not (isinstance(held, tuple) and not held)
