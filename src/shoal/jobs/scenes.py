"""Set the scene of an attack: every file that an attacker may hold, with roles and ladders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter
from shoal.jobs.settle import frame_of, given_ladders, manifest_of, read_table, with_roles
from shoal.jobs.tables import AttackTable, pairs_in, path_in
from shoal.tables.adversary.scene import SHOWN, Scene
from shoal.tables.hierarchies import Hierarchy, hierarchy_of
from shoal.tables.table import Table
from shoal.tables.values import texts

# What an attack may need, and the flag that gives it.
FLAGS = {
    "external": "a list of people it knows; give --external FILE, or --target name=Ann,zip=12345",
    "others": "another release; name a second file, or give --other FILE",
    "original": "the table that the release was made from; give --original FILE",
    "control": "people who are not in the data; give --control FILE",
    "sensitive": "a sensitive column; name one with --sensitive",
    "manifest": "to know how the release was made; keep its manifest (.shoal.json) beside it",
}


def scene_of(job: AttackTable, attacker: Any) -> Scene:
    """Everything that an attack looks at; what it cannot do without is asked for."""
    manifest = manifest_of(job)
    # An attack that asks for its columns by name needs no roles.
    roles = getattr(attacker, "roles", True)
    table = with_roles(read_table(job), job, manifest) if roles else read_table(job)
    scene = Scene(
        table,
        others=tuple(_other(source, job) for source in job.other),
        external=_people(job),
        original=None if job.original is None else frame_of(job.original, job),
        control=None if job.control is None else frame_of(job.control, job),
        manifest=manifest,
        shown=SHOWN if job.show is None else job.show,
        seed=job.seed,
    )
    for need in getattr(attacker, "needs", ()):
        held = table.sensitive if need == "sensitive" else getattr(scene, need)
        if held is None or (isinstance(held, tuple) and not held):
            raise BadParameter(f"{attacker.name} needs {FLAGS[need]}")
    ladders = _ladders(scene, job)
    others = tuple(other.with_hierarchies(_present(ladders, other)) for other in scene.others)
    return replace(scene, table=table.with_hierarchies(_present(ladders, table)), others=others)


def _other(source: Any, job: AttackTable) -> Table:
    """Another release with the roles it was made with, else those of the first."""
    own = replace(job, data=source)
    table, manifest = read_table(own), manifest_of(own)

    def here(columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(column for column in columns if column in table.columns)

    roles = replace(
        own, identifier=here(job.identifier), quasi=here(job.quasi), sensitive=here(job.sensitive)
    )
    return with_roles(table, replace(roles, insensitive=here(job.insensitive), hierarchy={}), manifest)


def _people(job: AttackTable) -> pl.DataFrame | None:
    """The people an attacker knows: those of a list, and those named one by one."""
    found = [] if job.external is None else [frame_of(job.external, job)]
    if job.target:
        found.append(pl.DataFrame([pairs_in(text) for text in job.target], infer_schema_length=None))
    if len(found) < 2:
        return found[0] if found else None
    return pl.concat([frame.select(pl.all().cast(pl.String)) for frame in found], how="diagonal")


def _ladders(scene: Scene, job: AttackTable) -> dict[str, Hierarchy]:
    """Ladders from what people have to what releases say, over all values that anybody has."""
    raw = [frame for frame in (scene.external, scene.original, scene.control) if frame is not None]
    people = _stacked(raw, scene.table.quasi)
    ladders = {**scene.table.hierarchies, **given_ladders(job, scene.table, people)}
    released = _stacked([table.frame for table in (scene.table, *scene.others)], scene.table.sensitive)
    for column, spec in job.hierarchy.items():
        if column in scene.table.sensitive and released is not None:
            ladders[column] = hierarchy_of(spec, released[column], column)
        elif column not in ladders and path_in(spec) is not None:
            # A file knows its values by itself; a rule needs somebody's.
            ladders[column] = hierarchy_of(spec, pl.Series(column, [], dtype=pl.String), column)
    return ladders


def _stacked(frames: Sequence[pl.DataFrame], columns: Sequence[str]) -> pl.DataFrame | None:
    """Every value of some columns, as far as any of the frames has them."""
    found = {
        column: pl.concat([texts(frame[column]) for frame in frames if column in frame.columns]).unique()
        for column in columns
        if any(column in frame.columns for frame in frames)
    }
    if not found:
        return None
    most = max(map(len, found.values()))
    return pl.DataFrame(
        {name: values.extend_constant(values[0], most - len(values)) for name, values in found.items()}
    )


def _present(ladders: dict[str, Hierarchy], table: Table) -> dict[str, Hierarchy]:
    return {column: ladder for column, ladder in ladders.items() if column in table.columns}
