"""Write a release: the file is checked before it gets its name, and the manifest goes beside it."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal import verbs
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.outcome import Json
from shoal.engines.formulas import escaped, unescaped
from shoal.engines.local import fingerprint, read_frame, write_frame, write_text
from shoal.engines.write import ARROW, PARQUET, TEXT, file_kind
from shoal.jobs.output import check_place
from shoal.jobs.parsing import declares, path_in
from shoal.jobs.tables.requests import ProtectTable
from shoal.jobs.tables.steps import shown, steps_of
from shoal.tables.manifest import beside, record
from shoal.tables.release import TableRelease
from shoal.tables.seen.classes import Classes
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


def check_output(job: ProtectTable) -> None:
    """Refuse an output that could not be written after the search, or that is one of the inputs."""
    if job.output is None:
        return
    check_place(job.output, _read_by(job))
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
    check_place(path, [*_read_by(job), *written])


def write_release(
    release: TableRelease,
    job: ProtectTable,
    identifier: tuple[str, ...],
    models: Sequence[ClassModel[Classes]],
) -> None:
    """The released rows and their manifest, or nothing at all."""
    assert job.output is not None
    settings: dict[str, Json] = {
        "objective": job.objective,
        "suppress": job.suppress,
        "time_limit": job.time_limit,
        "step": [shown(step) for step in steps_of(job.step)],
        **({"escape_formulas": True} if job.escape_formulas else {}),
    }
    frame = release.table.frame
    if file_kind(job.output)[0] in TEXT:
        # A text file has no types: what is written is what Shoal compares, so that reading changes nothing.
        frame = frame.select(texts(column) for column in frame)
        frame = escaped(frame) if job.escape_formulas else frame
    if str(job.output) == "-":
        write_frame(frame, "-", job.separator)
        return
    output = Path(job.output).resolve()  # a link keeps pointing where it points
    mark = output.with_name(f".shoal-{secrets.token_hex(6)}")
    trial, trial_record = Path(f"{mark}{''.join(output.suffixes[-2:])}"), Path(f"{mark}.json")
    try:
        write_frame(frame, trial, job.separator)
        # The release on disk is what people get, so that is what must keep the promise.
        back = read_frame(trial, job.separator)
        back = unescaped(back) if job.escape_formulas else back
        verbs.kept(verbs.verify(release.seen_in(back), models))
        # No fingerprint of the original: whoever tries values for a row would know by it which are right.
        text = record(release, identifier, settings, fingerprint(trial), _declared(job))
        write_text(text, trial_record)
        if output.exists():
            trial.chmod(stat.S_IMODE(output.stat().st_mode))
        # Both are on disk; what is left are two renames, which need no space.
        trial_record.replace(beside(job.output))
        trial.replace(output)
    except OSError as error:
        raise BadParameter(f"cannot write '{job.output}': {error.strerror}; choose another name") from error
    finally:
        trial.unlink(missing_ok=True)
        trial_record.unlink(missing_ok=True)


def _read_by(job: ProtectTable) -> list[Any]:
    return [job.data, job.population, *job.join, *map(path_in, job.hierarchy.values())]


def _declared(job: ProtectTable) -> list[str]:
    """The columns whose ladder was given, and not taken from the data."""
    own: Mapping[str, Any] = job.data.hierarchies if isinstance(job.data, Table) else {}
    return [column for column, spec in {**own, **job.hierarchy}.items() if declares(spec)]
