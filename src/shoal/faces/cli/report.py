"""`shoal report`."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.faces.cli.flags import (
    REPORT,
    AsJson,
    Config,
    Encoding,
    Hierarchies,
    K,
    Models,
    Population,
    Quasi,
    Sensitive,
    Separator,
)
from shoal.faces.cli.settings import job_of, pairs_of, settings_of


def report(
    file: Annotated[
        str | None, typer.Argument(metavar="RELEASE", help="The release, with its manifest beside it.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Where to write it: .html, or .pdf.")
    ] = None,
    pdf: Annotated[str | None, typer.Option(help="Write it as PDF too.")] = None,
    original: Annotated[
        str | None,
        typer.Option(help="The table the release was made from: attacks before, and what was lost."),
    ] = None,
    external: Annotated[str | None, typer.Option(help="A list of people that an attacker may have.")] = None,
    other: Annotated[
        list[str] | None,
        typer.Option("--other", help="Another release about the same people. Repeatable."),
    ] = None,
    control: Annotated[
        str | None, typer.Option(help="People like those in the data who are not in it.")
    ] = None,
    population: Population = None,
    attack: Annotated[
        list[str] | None,
        typer.Option("--attack", help="Try only this attack, as in `shoal table attack`. Repeatable."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds after which attacks end; what was not finished is named. Default: 300."),
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchy: Hierarchies = None,
    model: Models = None,
    k: K = None,
    title: Annotated[str | None, typer.Option(help="The title, in place of the file's name.")] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write a report that a data-protection officer can read and sign; exit code 1 if a promise is broken."""
    from shoal.core.errors import BadParameter
    from shoal.faces.cli.show import following, say, show
    from shoal.jobs.reporting import ReportTable
    from shoal.report.writing import carried_out

    settings = settings_of(
        "report",
        REPORT,
        config,
        {
            "file": file,
            "output": output,
            "pdf": pdf,
            "original": original,
            "external": external,
            "other": other,
            "control": control,
            "population": population,
            "attack": attack,
            "time-limit": time_limit,
            "quasi": quasi,
            "sensitive": sensitive,
            "hierarchy": pairs_of(hierarchy),
            "model": model,
            "k": k,
            "title": title,
            "separator": separator,
            "encoding": encoding,
        },
    )
    if not as_json and not {"output", "pdf"} & set(settings):
        raise BadParameter("nowhere to write the report; give -o report.html")
    if as_json and settings.get("output") == "-":
        raise BadParameter("-o - and --json both want standard output; write the report to a file")
    job: ReportTable = job_of(ReportTable, settings)
    with following("reporting") as follow:
        dossier = carried_out(job, follow)
    for note in dossier.notes:
        say(f"shoal: {note}")
    if settings.get("output") != "-":
        show(dossier, as_json)
    for place in job.places().values():
        if str(place) != "-":
            say(f"shoal: the report is in {place}")
    raise typer.Exit(0 if dossier.verdict.holds else 1)
