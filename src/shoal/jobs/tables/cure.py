"""A cure is one only when the attack fails after it: apply it, attack again, and tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.errors import ShoalError
from shoal.core.memory import remembering
from shoal.core.outcome import Cured, Finding
from shoal.tables.appraisal.comparison import keyed
from shoal.tables.reading.scene import Scene
from shoal.tables.release import TableModel
from shoal.tables.seen.classes import Classes
from shoal.tables.seen.domains import domains_of
from shoal.tables.table import Table


def with_cure_checked(finding: Finding, attacker: Attack[Scene], scene: Scene) -> Finding:
    """The finding with what the attack still achieves after its cure; as it was where none can be tried.

    An attack that knows its own cure gives the scene after it (`remedied`). Else classes that break
    the model it names are left out of the release, the cheapest way to a release that keeps it.
    """
    if not finding.rate.hits:
        return finding
    changed: Scene | None
    try:
        own = attacker.remedied(scene)
        if own is not None:
            changed, how = own
        elif finding.remedy is not None:
            changed, how = _kept(scene, finding.remedy)
        else:
            return finding
        if changed is None:
            return finding
        with remembering():  # of its own: what is worked out from the cured release is of no use later
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
    seen = Classes.of(table, domains_of(table, models))
    good = np.logical_and.reduce([model.holds(seen) for model in models])
    labels = keyed(
        pl.Series(column, seen.names[column], dtype=pl.String).gather(seen.labels[column])
        for column in table.quasi
    )
    rows = keyed(table.frame[column] for column in table.quasi).with_row_index("row")
    kept = rows.join(labels.filter(good), on=labels.columns, how="semi", nulls_equal=True)["row"]
    return table.with_frame(table.frame[kept.sort()]) if len(kept) else None
