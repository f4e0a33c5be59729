"""What reports about anything have in common: where they go, what proves and repeats them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from shoal.core.dossier import Print
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.engines.atomic_write import check_place, write_in_place_of
from shoal.engines.files import fingerprint
from shoal.jobs import PILLARS
from shoal.jobs.command_line import command_line
from shoal.jobs.request import ReportRequest


def places(job: ReportRequest) -> dict[str, str | Path]:
    """What to write where: `html` and `pdf`, as far as asked for; refused before any work is done."""
    kind = Path(str(job.output or "")).suffix.lower()
    if job.output is not None and kind not in (".html", ".htm", ".pdf") and str(job.output) != "-":
        raise BadParameter(f"a report is .html or .pdf, not '{job.output}'; give -o report.html")
    if job.pdf is not None and Path(job.pdf).suffix.lower() != ".pdf":
        raise BadParameter(f"--pdf takes the name of a PDF, not '{job.pdf}'; give --pdf report.pdf")
    if job.pdf is not None and kind == ".pdf":
        raise BadParameter("-o and --pdf both name a PDF; give -o report.html, or one of the two")
    asked = {"pdf" if kind == ".pdf" else "html": job.output, **({"pdf": job.pdf} if job.pdf else {})}
    found = {form: place for form, place in asked.items() if place is not None}
    if "pdf" in found:
        require("report", "a PDF", "give -o report.html")
    told = import_module(f"shoal.jobs.{PILLARS[job.noun]}.report")
    for place in found.values():
        check_place(place, told.inputs(job))
    return found


def write_files(files: Mapping[str | Path, bytes]) -> None:
    """Write each file beside its place and rename it, so that it is whole or not there."""
    for place, contents in files.items():
        with write_in_place_of(place) as stream:
            stream.write(contents)


def prints_of(release: str | Path, manifest: Path) -> tuple[Print, ...]:
    """Fingerprints of what goes out; by one of the original, guesses at what is missing could be checked."""
    return tuple(
        Print(what, Path(path).name, fingerprint(path).removeprefix("sha256:"))
        for what, path in (("release", release), ("manifest", manifest))
        if Path(path).exists()
    )


def command_of(job: ReportRequest) -> str:
    """The command that makes this report again, or that only Python can."""
    try:
        return command_line(replace(job, made=None))
    except BadParameter:
        call = f"shoal.report.write_report({str(job.data)!r}, ...)"
        return f"{call}  # from Python: what it was given is in no file"


def no_progress(_done: int, _whole: int, _part: str) -> None:
    """Nobody looks."""
