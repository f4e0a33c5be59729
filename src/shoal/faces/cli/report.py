"""`shoal report`."""

from __future__ import annotations

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.commands import Commands
from shoal.faces.cli.flags import AsJson, Typed, with_flags
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.tables.requests import ReportTable

app = Commands(rich_markup_mode=None, add_completion=False)


@app.command()
@with_flags(ReportTable, also=ReportGraph)
def report(typed: Typed, as_json: AsJson = False) -> None:
    """Find out all there is to tell about a release of a table or a network, and write it."""
    from shoal.faces.cli.show import progress_bar, say, show
    from shoal.jobs.report_files import places
    from shoal.report.document import make_report

    typed = typed.about(ReportGraph if _of_network(typed) else ReportTable)
    settings = typed.settings
    if not as_json and not {"output", "pdf"} & set(settings):
        raise BadParameter("nowhere to write the report; give -o report.html")
    if as_json and settings.get("output") == "-":
        raise BadParameter("-o - and --json both want standard output; write the report to a file")
    job = typed.job()
    with progress_bar("reporting") as follow:
        dossier = make_report(job, follow)
    show(dossier, as_json, dossier.notes, settings.get("output") != "-")
    for place in places(job).values():
        if str(place) != "-":
            say(f"shoal: the report is in {place}")
    raise typer.Exit(0 if dossier.verdict.holds else 1)


def _of_network(typed: Typed) -> bool:
    """Whether the release is a network: by the flags, the file and its manifest, else by the project file."""
    from shoal.jobs.config import has_section
    from shoal.jobs.graphs.is_graph_call import about_graph

    if typed.flags["file"] is None and typed.config is not None:
        return has_section(typed.config, "graph") and not has_section(typed.config, "table")
    given = {word: value for word, value in typed.flags.items() if value is not None}
    return about_graph(typed.flags["file"], given)
