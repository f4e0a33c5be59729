"""The record beside a release, and which of its promises a file can be checked for; for every pillar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from shoal.core.contract import Model
from shoal.core.outcome import Promise
from shoal.core.spelling import spell
from shoal.engines.local import fingerprint

Checked = TypeVar("Checked", bound=Model[Any])


Record = TypeVar("Record")


def on_disk(data: Any) -> bool:
    """Whether data are a file, which may have a record beside it."""
    return isinstance(data, str | Path) and str(data) != "-"


def record_beside(data: Any, read: Callable[[Path], Record], beside: Callable[[Any], Path]) -> Record | None:
    """The record beside a file, where there is one."""
    if not on_disk(data):
        return None
    path = beside(data)
    return read(path) if path.exists() else None


def changed(data: Any, output: str | None) -> bool:
    """Whether a file is another than the one whose fingerprint its record has."""
    return isinstance(data, str | Path) and output is not None and fingerprint(data) != output


def untold(
    models: Sequence[Checked],
    vouched: Callable[[Checked], bool],
    what: str,
    uncounted: Callable[[Checked], str] | None = None,
) -> tuple[list[Checked], list[Promise], list[str]]:
    """The models that a file can be checked for, the promises of the others, and why.

    A promise of a method stands only where its record vouches for it; `what` may have been changed since.
    `uncounted` names what a model counts and the file does not have.
    """
    told: list[Checked] = []
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
