"""Every attack of the catalog that can be tried on a release, before and after its protection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.attack_results import Trial, Tried
from shoal.core.cache import remembering
from shoal.core.contract import Attack
from shoal.core.deadline import OutOfTime
from shoal.core.errors import ShoalError
from shoal.core.outcome import Finding
from shoal.core.part_syntax import build, spell, split
from shoal.core.progress import Follow
from shoal.jobs.attack_trials import hide_quoted_values, run_trials
from shoal.jobs.tables.attack import FLAGS, with_cure_checked
from shoal.tables.attacker_reasoning.manifest_clues import rows_made_up
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacker_reasoning.scene import Scene


@remembering()  # what several attacks work out is kept for all
def try_attacks(
    before: Scene | None,
    after: Scene,
    asked: Sequence[str] = (),
    follow: Follow | None = None,
    limit: float | None = None,
) -> tuple[Trial, ...]:
    """A trial for every attack asked for, or else of the catalog; of those that are not tried, why."""
    found: list[Trial | tuple[Any, str]] = []
    for text in asked or catalog.names("attack"):
        name, given = split(text)
        part = catalog.Part("attack", name, catalog.find("attack", name))
        if part.noun in ("graph", "query"):
            continue
        missing = [need for need in part.cls.needs if not _scene_has(need, after)]
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
    return run_trials(
        found,
        lambda attacker, about: _trial(attacker, about, after),
        None if before is None else lambda attacker: _on(before, attacker),
        follow,
        limit,
    )


def _trial(attacker: Any, about: str, after: Scene) -> Trial:
    spelled = spell(attacker)
    try:
        finding = verbs.attack(after, attacker)
        allowed, sure = _chance_share(attacker, after), _sure(attacker, finding, after)
        if Tried.of(finding, allowed, sure).works:  # what does not succeed needs no cure
            finding = with_cure_checked(finding, attacker, after)
    except OutOfTime:
        raise
    except ShoalError as error:
        return Trial(attacker.name, spelled, about, reason=_why(attacker.name, error, after))
    except MemoryError:  # one attack too large for the machine is no reason to tell nothing of the others
        return Trial(attacker.name, spelled, about, reason="does not fit into the memory of this machine")
    return Trial(attacker.name, spelled, about, None, Tried.of(finding, allowed, sure))


def _sure(attacker: Attack[Scene], finding: Finding, scene: Scene) -> bool:
    """Whether a hit is known with more confidence than the best blind guess has about anybody."""
    if scene.manifest is not None and rows_made_up(scene.manifest.method):
        return False
    return attacker.sure and attacker.confidence > finding.baseline


def _chance_share(attacker: Attack[Scene], scene: Scene) -> float:
    """What rows that look alike leave to chance: who picks one of k of them is right once in k times.

    Where a row stands alone nothing is left to chance, and nothing is allowed.
    """
    if not attacker.picks:
        return 0.0
    smallest = int(RowClasses.of(scene.table.frame, scene.table.quasi).sizes.min())
    return 1 / smallest if smallest > 1 else 0.0


def _without_target(need: str) -> str:
    """What an attack needs; people one by one are for a single attack, not for a report."""
    return FLAGS[need].partition(", or --target")[0]


def _why(name: str, error: ShoalError, scene: Scene) -> str:
    """Why an attack was not tried, in the words of its refusal."""
    return hide_quoted_values(str(error), scene.table.columns).removeprefix(name).strip(" :")


def _on(before: Scene, attacker: Attack[Scene]) -> Tried | None:
    """What the attack achieves on the original; None where it makes no sense there."""
    if not all(_scene_has(need, before) for need in attacker.needs):
        return None
    try:
        finding: Finding = verbs.attack(before, attacker)
    except OutOfTime:
        raise
    except (ShoalError, MemoryError):
        return None
    return Tried.of(finding, sure=_sure(attacker, finding, before))


def _variants(attacker: Any, scene: Scene) -> Iterator[Any]:
    """The attack as it is; one after a single sensitive column is tried on each."""
    if attacker.column is None and len(scene.table.sensitive) > 1:
        for column in scene.table.sensitive:
            yield replace(attacker, column=column)
    else:
        yield attacker


def _scene_has(need: str, scene: Scene) -> bool:
    held = scene.table.sensitive if need == "sensitive" else getattr(scene, need)
    return held is not None and not (isinstance(held, tuple) and not held)
