"""What pages ask of a working process. Nothing here knows the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.core.progress import tell
from shoal.faces.studio.history import write_json
from shoal.faces.studio.project import HIDDEN, TableFolder
from shoal.faces.studio.settings import Settings
from shoal.faces.studio.worker import follow


def inspect(folder: str) -> dict[str, Any]:
    """Look at a table: roles with reasons, risky combinations; keeps the rows for paging."""
    from shoal.core.cache import remembering
    from shoal.jobs.tables.inspect import inspect_table
    from shoal.jobs.tables.preview import keep_rows
    from shoal.jobs.tables.requests import InspectTable

    table = TableFolder(Path(folder))
    job = InspectTable(data=str(table.file))
    with remembering():
        tell(0, 2, "reading the file")
        rows = keep_rows(job, table.rows_file)
        tell(1, 2, "looking at the columns")
        found = inspect_table(job)
    told = {**found.to_json(), "rows": rows}
    for name, report in found.columns.items():
        told["columns"][name]["understood"] = report.understood
    write_json(table.folder / HIDDEN / "inspection.json", told)
    return told


def page(rows_file: str, first: int, count: int) -> list[list[str | None]]:
    """Some rows of a table that was looked at, as texts."""
    from shoal.jobs.tables.preview import rows_between

    return rows_between(rows_file, first, count)


def protect(folder: str, settings: dict[str, Any], place: str) -> dict[str, Any]:
    """A run: the release, its manifest and the project file that makes it again, in one folder."""
    from shoal.jobs import run

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    job = table.protect_job(Path(place) / "release.csv", asked)
    outcome = run(job, follow).to_json()
    table.save_project_file(Path(place) / "shoal.toml", str(Path(place) / "release.csv"), asked)
    return outcome


def save(folder: str, settings: dict[str, Any]) -> None:
    """Write the project file of a table."""
    TableFolder(Path(folder)).save_project_file(settings=Settings.from_json(settings))


def hospital(place: str, voter_list: str) -> None:
    """The made-up hospital that comes with Shoal, and the voter list of its attacker, as files."""
    from shoal.demo.hospital import patients, voters
    from shoal.jobs.tables.preview import write_rows

    people = patients()
    write_rows(people, place)
    write_rows(voters(people), voter_list)


def catalog_forms() -> dict[str, Any]:
    """Models and methods for tables as forms, and the questions that lead to a model."""
    from shoal.jobs.part_forms import forms_of, objectives_in_words, questions_of

    models = forms_of("model", "table")
    return {
        "models": models,
        "methods": forms_of("method", "table"),
        "questions": questions_of(models),
        "objectives": objectives_in_words(),
    }


def unguarded(folder: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Sensitive columns of several values that no promise guards, and the promises that would."""
    from shoal.jobs.tables.hierarchy_editing import kept_column
    from shoal.jobs.tables.suggest import USUAL_L, diverse, unguarded

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    sensitive = asked.columns("sensitive")
    open_ones = unguarded(asked.model, sensitive)
    able = [one for one in open_ones if kept_column(table.rows_file, one).n_unique() >= USUAL_L]
    return {"columns": list(able), "promises": list(diverse(able, sensitive))}


def fill_in(kind: Any, name: str, given: dict[str, str]) -> dict[str, Any]:
    """A part from the fields of its form: the spelling, and the sentence."""
    from shoal.jobs.part_forms import filled_in

    return filled_in(kind, name, given)


def hierarchy_in_short(folder: str, column: str, spec: str | None) -> dict[str, Any]:
    """The levels of one column's hierarchy, in short."""
    from shoal.jobs.tables.hierarchy_editing import found_hierarchy, kept_column, levels_in_short

    table = TableFolder(Path(folder))
    values = kept_column(table.rows_file, column)
    return levels_in_short(found_hierarchy(values, column, spec and table.located(spec)))


def hierarchy_parents(
    folder: str, column: str, spec: str | None, level: int, first: int, count: int
) -> dict[str, Any]:
    """Some labels with their parents on a level, and how many there are; all parents to choose from."""
    from shoal.jobs.tables.hierarchy_editing import found_hierarchy, kept_column, parents_on_level

    table = TableFolder(Path(folder))
    found = found_hierarchy(kept_column(table.rows_file, column), column, spec and table.located(spec))
    pairs = [pair for pair in parents_on_level(found.hierarchy, level).items() if pair[0] is not None]
    choices = list(dict.fromkeys(parent for _, parent in pairs))
    return {"pairs": pairs[first : first + count], "labels": len(pairs), "choices": choices[:500]}


def hierarchy_branches(
    folder: str, column: str, spec: str | None, height: int | None, label: str | None, first: int, count: int
) -> dict[str, Any]:
    """Some of the labels directly below one, seen as a tree; below the top where no height is given."""
    from shoal.jobs.tables.hierarchy_editing import branches, found_hierarchy, kept_column

    table = TableFolder(Path(folder))
    values = kept_column(table.rows_file, column)
    found = found_hierarchy(values, column, spec and table.located(spec)).hierarchy
    level = found.height if height is None else height
    below = branches(found, level, found.names[-1][0] if height is None else label)
    shown = [[one.label, one.leaves] for one in below[first : first + count]]
    return {"level": level, "top": found.height, "below": shown, "labels": len(below)}


def edit_hierarchy(folder: str, column: str, number: int, spec: str | None, what: str, *given: Any) -> str:
    """Move labels (`move`, level, moves), `add` a level or `drop` one; the new hierarchy is a file."""
    from shoal.jobs.tables import hierarchy_editing as editing

    table = TableFolder(Path(folder))
    values = editing.kept_column(table.rows_file, column)
    old = editing.found_hierarchy(values, column, spec and table.located(spec)).hierarchy
    acts: dict[str, Any] = {"move": editing.moved, "add": editing.with_level, "drop": editing.without_level}
    place = table.new_hierarchy_file(number)
    editing.save_hierarchy(acts[what](old, *given), place)
    return place.relative_to(table.folder).as_posix()


def import_hierarchy(folder: str, column: str, number: int, file: str) -> dict[str, Any]:
    """A hierarchy from an uploaded file, or the values of the column that it does not cover."""
    from shoal.jobs.tables.hierarchy_editing import LISTED, import_hierarchy, kept_column

    table = TableFolder(Path(folder))
    place = table.new_hierarchy_file(number)
    missing = import_hierarchy(file, kept_column(table.rows_file, column), place)
    spec = place.relative_to(table.folder).as_posix()
    return {"missing": missing[:LISTED], "count": len(missing), "spec": "" if missing else spec}


def export_hierarchy(folder: str, column: str, number: int, spec: str | None) -> str:
    """A hierarchy as CSV; where the file is."""
    from shoal.jobs.tables.hierarchy_editing import found_hierarchy, kept_column, save_hierarchy

    table = TableFolder(Path(folder))
    found = found_hierarchy(kept_column(table.rows_file, column), column, spec and table.located(spec))
    place = table.folder / HIDDEN / f"column-{number + 1}.csv"
    save_hierarchy(found.hierarchy, place)
    return str(place)


def effect(folder: str, settings: dict[str, Any], levels: dict[str, int], k: int) -> dict[str, Any]:
    """How many groups of rows look alike when every quasi-identifier goes up to a level."""
    from shoal.jobs.tables.hierarchy_editing import effect_of_levels

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    specs = {column: asked.hierarchy.get(column) for column in asked.columns("quasi")}
    located = {column: spec and table.located(spec) for column, spec in specs.items()}
    return effect_of_levels(table.rows_file, located, levels, k)
