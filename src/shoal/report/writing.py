"""Make a report and write it: everything is found out and drawn before the first file is touched."""

from __future__ import annotations

from typing import Any

from shoal.core.progress import Follow
from shoal.jobs.tables.dossier import Dossier
from shoal.jobs.tables.report import places, report_table, write_files
from shoal.jobs.tables.report_request import ReportTable
from shoal.report.document import document
from shoal.report.html import html


def write_report(data: Any, follow: Follow | None = None, **options: Any) -> Dossier:
    """The report of one release, written to `output` (.html or .pdf) and to `pdf`, as far as given.

    Options are those of the command line: original, external, other, control, population, hierarchy, title…
    `follow` is told which attack is at work.
    """
    return carried_out(ReportTable(data=data, **options), follow)


def carried_out(job: ReportTable, follow: Follow | None = None) -> Dossier:
    """What a report tells, after it was written to the places that the request names."""
    dossier = report_table(job, follow)
    told = document(dossier)
    made: dict[str, bytes] = {}
    for form in places(job):
        if form == "html":
            made[form] = html(told).encode()
        else:
            from shoal.report.pdf import pdf

            made[form] = pdf(told)
    write_files({place: made[form] for form, place in places(job).items()})
    return dossier
