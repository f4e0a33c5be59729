"""`shoal query report`."""

from __future__ import annotations

from dataclasses import replace

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, Typed, with_flags
from shoal.faces.cli.query_flags import Config
from shoal.jobs.queries.requests import OwnerReport


@with_flags(OwnerReport, without=("separator", "encoding"), config=False)
def report(typed: Typed, config: Config = None, as_json: AsJson = False) -> None:
    """Who spent what on what, is the ledger whole, does the noise pass an audit: a report to sign."""
    from shoal.faces.cli.show import say, show
    from shoal.report.owner_report import make_owner_report

    if not as_json and typed.flags["output"] is None and typed.flags["pdf"] is None:
        raise BadParameter("nowhere to write the report; give -o report.html")
    if as_json and typed.flags["output"] == "-":
        raise BadParameter("-o - and --json both want standard output; write the report to a file")
    job: OwnerReport = replace(typed, flags={**typed.flags, "config": config}).job()
    dossier = make_owner_report(job)
    if job.output != "-":
        show(dossier, as_json)
    say("shoal: the report tells who asked what; it stays in the house")
    raise typer.Exit(0 if dossier.holds else 1)
