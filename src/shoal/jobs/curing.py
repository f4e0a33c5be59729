"""A cure is one only when the attack fails after it: apply it, attack again, and tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.errors import ShoalError
from shoal.core.outcome import Cured, Finding
from shoal.jobs.settle import TableModel
from shoal.tables.adversary.row_classes import RowClasses
from shoal.tables.adversary.scene import Scene
from shoal.tables.classes import Classes
from shoal.tables.domains import domains_of
from shoal.tables.table import Table


def with_cure_checked(finding: Finding, attacker: Attack[Scene], scene: Scene) -> Finding:
    """The finding with what the attack still achieves after its cure; as it was where none can be tried.

    An attack that knows its own cure has `remedied`, which gives the scene after it. Else classes that break
    the model it names are left out of the release, the cheapest way to a release that keeps it.
    """
    if not finding.rate.hits:
        return finding
    own: Any = getattr(attacker, "remedied", None)
    try:
        if own is not None:
            changed, how = own(scene)
        elif finding.remedy is not None:
            changed, how = _kept(scene, finding.remedy)
        else:
            return finding
        if changed is None:
            return finding
        again = verbs.attack(replace(changed, readable=True), attacker)
    except ShoalError:
        return finding  # nothing is left to attack, or the cure makes no sense here: then nothing is proved
    lost = (scene.table.rows - changed.table.rows) / scene.table.rows
    return replace(finding, cured=Cured(how, again.rate, lost))


def _kept(scene: Scene, remedy: str) -> tuple[Scene | None, str]:
    """The scene with only the classes that keep a model."""
    model: TableModel = catalog.make("model", remedy)
    table = only_classes_that_keep([model], scene.table)
    if table is None:
        return None, ""
    how = f"without the {scene.table.rows - table.rows:,} rows whose classes break {remedy}"
    return replace(scene, table=table), how


def only_classes_that_keep(models: Sequence[TableModel], table: Table) -> Table | None:
    """The rows of the classes that keep every model; None when no row is left."""
    of_row = RowClasses.of(table.frame, table.quasi)
    seen = Classes.of(table, domains_of(table, models))
    keep = {labels for labels, good in zip(_labels(seen), _holding(models, seen), strict=True) if good}
    good = np.array([row in keep for row in of_row.labels.iter_rows()])
    rows = np.flatnonzero(good[of_row.of_row])
    return table.with_frame(table.frame[rows]) if len(rows) else None


def _holding(models: Sequence[TableModel], seen: Classes) -> list[bool]:
    kept = [model.holds(seen) for model in models]
    return [all(mask[number] for mask in kept) for number in range(len(seen))]


def _labels(seen: Classes) -> list[tuple[str | None, ...]]:
    columns = [[seen.names[column][code] for code in codes.tolist()] for column, codes in seen.labels.items()]
    return list(zip(*columns, strict=True))
