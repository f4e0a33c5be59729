"""Carry out `diff`: a release beside its original."""

from __future__ import annotations

from typing import Any

from shoal.core.cache import remembering
from shoal.core.errors import BadParameter
from shoal.jobs.tables.owner_requests import DiffTable, ReleasedTable
from shoal.jobs.tables.source import frame_of, hierarchies_of, manifest_of, read_table, with_roles
from shoal.tables.appraisal.before_after import BeforeAfter, before_after
from shoal.tables.attacker_reasoning.manifest_clues import rows_made_up
from shoal.tables.manifest import Manifest
from shoal.tables.table import Table


def diff_table(job: DiffTable) -> BeforeAfter:
    """Both tables side by side, for the owner alone."""
    with remembering():
        manifest = manifest_of(job)
        released = with_roles(read_table(job), job, manifest)
        original = read_original(job, released)
        hierarchies = hierarchies_of(original, job, released.quasi)
        changed = manifest is not None and (manifest.steps or rows_made_up(manifest.method))
        levels = None if manifest is None else manifest.levels
        given: dict[str, Any] = {"first": job.first, "show": job.show, "paired": not changed}
        return before_after(original.frame, released, hierarchies, levels, **given)


def read_original(job: ReleasedTable, released: Table) -> Table:
    """The table that a release was made from."""
    frame = frame_of(job.original, job)
    lost = [column for column in released.quasi if column not in frame.columns]
    if lost:
        raise BadParameter(f"the original has no column '{lost[0]}'; it has {', '.join(frame.columns)}")
    return Table(frame, quasi=released.quasi, hierarchies=released.hierarchies)


def levels_of(manifest: Manifest | None) -> dict[str, int]:
    """The level of every column, from the record of a release that has one for each."""
    if manifest is None:
        raise BadParameter("no manifest beside the release, so nobody knows its levels; keep it beside it")
    if manifest.levels is None:
        raise BadParameter(
            f"{manifest.method} gives every group labels of its own, so no value has one label; a mapping "
            "is there for releases by optimal, heuristic and the like"
        )
    return dict(manifest.levels)
