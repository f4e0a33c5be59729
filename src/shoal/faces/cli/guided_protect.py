"""`shoal table protect FILE` and nothing else: suggest, ask, protect, attack, write, say what matters."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter

if TYPE_CHECKING:
    from shoal.core.outcome import Json, Promise
    from shoal.jobs.tables.default_outputs import Places
    from shoal.jobs.tables.requests import ProtectTable
    from shoal.jobs.tables.suggest import Suggested
    from shoal.tables.appraisal.dossier import Dossier

NOWHERE = "nowhere to write the release"
SAID = ("accepted as suggested", "k-anonymity alone", "left out ")  # remarks that the ten lines repeat
KEEPING = "look first: if {0} names nobody, --quasi {1} keeps it, coarsened, --insensitive as it is"

CHECKED_BEFORE = "checked while it was made, which the file alone cannot show"


def agree_on_request(job: ProtectTable, places: Places | None) -> ProtectTable:
    """The request with the suggestions accepted, where it needs any: asked at a terminal, else refused."""
    from shoal.jobs.tables.protect import suggest_missing

    found = suggest_missing(job)
    if places is not None and not found.lacks and not _somebody_is_there():
        raise BadParameter(
            f"{NOWHERE}; give -o {places.release}, or --yes for a release, a project file and a report "
            "beside the table"
        )
    nowhere = [] if places is None else [NOWHERE]
    if not found.roles["quasi"] or not _somebody_is_there():
        raise found.refuse(nowhere, "" if places is None else f"-o {places.release}")
    _show(found, places)
    if not _yes():
        raise found.refuse(nowhere, "" if places is None else f"-o {places.release}")
    return replace(job, yes=True)


def protect_with_report(
    job: ProtectTable, settings: dict[str, Any], places: Places, force: bool, as_json: bool
) -> None:
    """Protect with nothing left out, and write the release, the project file and the report, or nothing."""
    from shoal.faces.cli.show import progress, progress_bar, say
    from shoal.jobs.config import save
    from shoal.jobs.tables.default_outputs import all_or_none
    from shoal.jobs.tables.protect import protect_table
    from shoal.jobs.tables.requests import ProtectTable, ReportTable
    from shoal.jobs.tables.source import frame_of
    from shoal.report.document import make_report as reported

    with all_or_none(places.every, force):
        with progress(quiet=False) as watch:
            release = protect_table(replace(job, output=places.release), watch)
        save(places.project, ProtectTable, _settings(release, job, settings, places))
        # A release is written as UTF-8, whatever the original came in.
        original = job.data if job.encoding is None else frame_of(job.data, job)
        report = ReportTable(
            data=str(places.release), original=original, output=str(places.report), separator=job.separator
        )
        with progress_bar("attacking the release") as follow:
            dossier = reported(report, follow)
    for note in release.notes:
        if not note.startswith(SAID):
            say(f"shoal: {note}")
    _tell(release, dossier, places, as_json)


def _settings(release: Any, job: ProtectTable, settings: dict[str, Any], places: Places) -> dict[str, Any]:
    """All that makes the same release again, spelled out."""
    table, decisions = release.table, release.decisions
    gone = [name for name in decisions.by if name not in table.columns and name not in decisions.left_out]
    return {
        **settings,
        "file": job.data,
        "output": str(places.release),
        "identifier": tuple(gone),
        "quasi": table.quasi,
        "sensitive": table.sensitive,
        "insensitive": tuple(name for name in table.insensitive if name not in decisions.kept),
        "k": None,
        "model": [promise.model for promise in release.promises],
        "method": settings.get("method", "auto"),
        "suppress": job.suppress,
    }


def _tell(release: Any, dossier: Dossier, places: Places, as_json: bool) -> None:
    from shoal.faces.cli.show import show_document

    files = [str(place) for place in places.every]
    if as_json:
        document: dict[str, Json] = {**release.to_json(), "files": list(files)}
        show_document(document)
        return
    for line in lines(release, dossier, files):
        print(line)


def lines(release: Any, dossier: Dossier, files: list[str]) -> list[str]:
    """The ten lines that matter."""
    table, decisions = release.table, release.decisions
    gone = [name for name in decisions.by if name not in table.columns and name not in decisions.left_out]
    allowed = "" if release.allowed is None else f"; up to {100 * release.allowed:g} % may be"
    others = ", ".join(
        f"{one.method} {one.cost:.3f}"
        for one in release.tried
        if one.cost is not None and one.method != release.method
    )
    working = list(dict.fromkeys(trial.name for trial in dossier.working))
    # Kinds, as the report counts them: an attack on three secrets is one.
    attacks = f"{len(working)} of {len({trial.name for trial in dossier.tried})} attacks tried still work"
    open_ = next((note for note in release.notes if note.startswith("k-anonymity alone")), "")
    told = [
        (
            "released",
            f"{release.released:,} of {release.rows:,} rows ({release.suppressed:,} left out{allowed})",
        ),
        ("promise", _promised(release.promises, dossier)),
        ("removed", _removed_columns_text(gone, decisions.left_out)),
        ("coarsened", ", ".join(table.quasi)),
        ("sensitive", ", ".join(table.sensitive) or "no column"),
        ("unchanged", ", ".join(table.insensitive) or "no column"),
        (
            "method",
            f"{release.method}, loss {release.losses['loss']:.3f}" + (f" ({others})" if others else ""),
        ),
        ("attacks", attacks + (f": {', '.join(working)}" if working else "")),
        ("open", open_ or ("the report says what would stop them" if working else "nothing that was tried")),
        ("files", _files(files)),
    ]
    return [f"{head:<10} {words}" for head, words in told]


def _promised(promises: Sequence[Promise], dossier: Dossier) -> str:
    """Which promises the written file was checked for, and which no reader of it can check."""
    untold = {promise.name for promise in dossier.verdict.promises if promise.holds is None}
    told = [
        (", ".join(promise.model for promise in promises if (promise.name in untold) == unchecked), how)
        for unchecked, how in ((False, "checked from the file"), (True, CHECKED_BEFORE))
    ]
    return "; ".join(f"{models}: {how}" for models, how in told if models)


def _removed_columns_text(identifiers: Sequence[str], unknown: Sequence[str]) -> str:
    """The columns that did not go out, and why."""
    told = [f"{', '.join(identifiers)} (identifiers)"] if identifiers else []
    if unknown:
        why = f"nothing tells what they hold; {KEEPING.format(unknown[0], shlex.quote(unknown[0]))}"
        told.append(f"{', '.join(unknown)} ({why})")
    return "; ".join(told) or "no column"


def _files(files: list[str]) -> str:
    """Which files are to be published, and which tell more than the release does."""
    release, record, *inside = files
    return f"publish {release} and {record}; keep {' and '.join(inside)} in the house"


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _show(found: Suggested, places: Places | None) -> None:
    from shoal.faces.cli.show import say, say_table

    rows = [["column", "role", "reason"]]
    for name, report in found.reports.items():
        reason = (
            report.reason
            if report.understood
            else f"{report.reason}; {KEEPING.format(name, shlex.quote(name))}"
        )
        rows.append([name, report.role if report.understood else "left out", reason])
    if len(rows) > 1:
        say_table("suggested roles", rows)
    if found.lacks and "promise" in " ".join(found.lacks):
        say("promise: k=5, and two different values of each sensitive column in every group where possible")
    if places is not None:
        say(f"writes {', '.join(str(place) for place in places.every)}")


def _yes() -> bool:
    import typer

    return typer.confirm("Protect it like that?", default=False, err=True)
