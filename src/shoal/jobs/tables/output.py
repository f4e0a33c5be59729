"""What goes out: nothing that undoes the rest, and a file that is checked before it gets its name.

`MaritalDesc` coarsened to `*` beside a `MaritalStatusID` that nobody coarsened: every reader can undo it.
Where the column that tells is a quasi-identifier itself, every model has counted it; where not, none has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal import verbs
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.outcome import Json
from shoal.engines.address import output_address
from shoal.engines.atomic_write import ARROW, PARQUET, TEXT, both_or_none, check_place, file_kind
from shoal.engines.files import fingerprint, read_frame, write_frame, write_text
from shoal.engines.formula_escaping import escape_formulas, unescape_formulas
from shoal.engines.frames import quote_value
from shoal.jobs.tables.apply_steps import TableStep, spell_without_secrets
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.appraisal.losses import objective_file, with_objective_file
from shoal.tables.discovery.dependencies import Dependency, dependencies
from shoal.tables.hierarchies.spec import declares, path_in
from shoal.tables.manifest import beside, record
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table


def check_recorded(job: ProtectTable) -> None:
    """Refuse a record of nothing."""
    if job.manifest is not None and job.output is None:
        raise BadParameter(
            "--manifest is the record of a release that is written; give -o as well, or leave it out"
        )


def check_output(job: ProtectTable) -> None:
    """Refuse an output that could not be written after the search, or that is one of the inputs."""
    check_recorded(job)
    if job.output is None:
        return
    if (place := output_address(job.output)) is not None:
        raise BadParameter(
            f"{quote_value(place)} is no file, and the table is one; write a file, or bring the table into "
            "an engine first"
        )
    check_place(job.output, read_by(job))
    if job.manifest is not None:
        if str(job.output) == "-":
            raise BadParameter("a record is of a file; write one with -o FILE, or leave out --manifest")
        check_place(job.manifest, [*read_by(job), job.output])
    kind, packed = file_kind(job.output)
    if kind not in (TEXT if packed else (*TEXT, *ARROW, *PARQUET)):
        raise BadParameter(
            f"cannot write '{job.output}': unknown extension; use .csv, .tsv, .txt, .parquet or .arrow"
        )
    if kind not in TEXT:
        require("arrow", f"reading '{job.output}' back", "write .csv")
    if job.escape_formulas and kind not in TEXT:
        raise BadParameter(
            f"--escape-formulas is for text, and '{job.output}' has types of its own: nothing in it can be "
            "taken for a formula; leave it out, or write .csv"
        )


def check_project_file(path: str | Path, job: ProtectTable) -> None:
    """Refuse a project file that could not be written after the release, or that would replace another."""
    written = [] if job.output is None else [job.output, beside(job.output)]
    check_place(path, [*read_by(job), *written])


@dataclass(frozen=True)
class Made:
    """A release that was not written yet."""

    release: TableRelease
    job: ProtectTable
    identifier: tuple[str, ...]
    models: list[TableModel]

    def noted(self, notes: Sequence[str]) -> Made:
        """The same with more remarks."""
        return replace(self, release=self.release.noted(notes))


def write_release(made: Made, steps: Sequence[TableStep]) -> None:
    """The released rows and their manifest, or nothing at all."""
    job, release = made.job, made.release
    assert job.output is not None
    settings: dict[str, Json] = {
        **searched_for(job),
        "suppress": job.suppress,
        "time_limit": job.time_limit,
        "step": [spell_without_secrets(step) for step in steps],
        **({"escape_formulas": True} if job.escape_formulas else {}),
    }
    frame = release.table.frame
    if file_kind(job.output)[0] in TEXT:
        # A text file has no types: what is written is what Shoal compares, so that reading changes nothing.
        frame = frame.select(texts(column) for column in frame)
        frame = escape_formulas(frame) if job.escape_formulas else frame
    if str(job.output) == "-":
        write_frame(frame, "-", job.separator)
        return
    place = beside(job.output) if job.manifest is None else Path(job.manifest)
    with both_or_none(job.output, place) as (trial, trial_record):
        write_frame(frame, trial, job.separator)
        # The release on disk is what people get, so that is what must keep the promise.
        back = read_frame(trial, job.separator)
        back = unescape_formulas(back) if job.escape_formulas else back
        verbs.require_kept(verbs.verify(release.seen_in(back), made.models))
        # No fingerprint of the original: whoever tries values for a row would know by it which are right.
        text = record(release, made.identifier, settings, fingerprint(trial), declared_columns(job))
        write_text(text, trial_record)


def searched_for(job: ProtectTable) -> dict[str, Json]:
    """What was optimised, as a record may say it: without the folder that a file of queries is in."""
    told = with_objective_file(job.objective, lambda path: Path(path).name)
    return {"objective": told, **({"weight": list(job.weight)} if job.weight else {})}


def read_by(job: ProtectTable) -> list[Any]:
    """All files that a request reads."""
    read = [job.data, job.population, objective_file(job.objective)]
    return [*read, *job.join, *map(path_in, job.hierarchy.values())]


def declared_columns(job: ProtectTable) -> list[str]:
    """The columns whose hierarchy was given, and not taken from the data."""
    own: Mapping[str, Any] = job.data.hierarchies if isinstance(job.data, Table) else {}
    return [column for column, spec in {**own, **job.hierarchy}.items() if declares(spec)]


class GivenAway(BadParameter):
    """Columns undo what was done to others."""

    def __init__(self, found: Sequence[Dependency]) -> None:
        self.columns = tuple(dict.fromkeys(column for part in found for column in part.determining))
        pairs = "; ".join(f"{_columns(part)} gives away '{part.determined}'" for part in found)
        first = ",".join(found[0].determining)
        super().__init__(
            f"{pairs}, which the release coarsens: add --quasi {first}, or leave it out with "
            f"--identifier {first}"
        )


def find_given_away(table: Table, coarsened: Sequence[str], released: Sequence[str]) -> list[Dependency]:
    """Coarsened quasi-identifiers that columns of the release determine which no model has counted."""
    telling = [column for column in released if column in table.columns and column not in table.quasi]
    if not telling or not coarsened:
        return []
    found = dependencies(table.frame, [*coarsened, *telling])
    return [
        part
        for part in found
        if part.determined in coarsened and all(column in telling for column in part.determining)
    ]


def check_given_away(table: Table, release: TableRelease) -> list[str]:
    """Refuses a release in which a harmless column undoes the coarsening; remarks where a sensitive one does.

    A sensitive column has to go out as it is, and whoever knows its value need not look anything up.
    """
    coarsened = [column for column in table.quasi if is_coarsened(table.frame, release.table.frame, column)]
    return refuse_given_away(find_given_away(table, coarsened, release.table.columns), table.sensitive)


def refuse_given_away(found: Sequence[Dependency], sensitive: Sequence[str]) -> list[str]:
    """The same once it is known what gives what away."""
    harmless = [part for part in found if not any(column in sensitive for column in part.determining)]
    if harmless:
        raise GivenAway(harmless)
    return [
        f"{_columns(part)} gives away '{part.determined}' in {part.share:.0%} of the rows, and is released"
        for part in found
    ]


def _columns(part: Dependency) -> str:
    return " with ".join(f"'{column}'" for column in part.determining)


def is_coarsened(before: pl.DataFrame, after: pl.DataFrame, column: str) -> bool:
    """Whether the release has a label that is no value of the original."""
    if column not in after.columns:
        return False
    values = texts(before[column]).unique()
    return not texts(after[column]).unique().is_in(values.implode(), nulls_equal=True).all()
