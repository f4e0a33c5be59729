"""`shoal query serve`, `budget`, `analysts`, `log`, `check`, `report`: what an owner does beside asking."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, Typed, whole, with_flags
from shoal.faces.cli.query_flags import (
    Analyst,
    Config,
    DatasetName,
    Delta,
    LedgerFile,
    ServiceUrl,
    TokenFile,
    alone,
    token,
)
from shoal.jobs.queries.requests import OwnerReport


def serve(
    config: Config = None,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(parser=whole, metavar="N", help="The port; 0 for a free one.")] = 8765,
    certificate: Annotated[str | None, typer.Option(help="A TLS certificate, as PEM.")] = None,
    key: Annotated[str | None, typer.Option(help="Its key, as PEM.")] = None,
    as_json: AsJson = False,
) -> None:
    """Answer questions over HTTP until stopped. The first start tells the owner's token, once."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.queries.serve import Serving, serve_project

    if config is None:
        raise BadParameter("which data? Give --config FILE with a section [query]")

    def tell(serving: Serving) -> None:
        say(f"shoal: answering at {serving.url}, documentation at {serving.url}/docs; Ctrl-C stops it")
        if serving.exposed:
            say("shoal: tokens and answers are readable on the way; put a proxy with TLS before it")
        if serving.token is not None and not as_json:
            say(f"shoal: the owner's token, shown only once: {serving.token}")
        if as_json:
            show(serving, as_json)
            sys.stdout.flush()

    serve_project(config, host, port, tell, certificate, key)
    say("shoal: stopped")


def budget(
    config: Config = None,
    ledger: LedgerFile = None,
    service: ServiceUrl = None,
    token_file: TokenFile = None,
    dataset: DatasetName = None,
    analyst: Analyst = None,
    change_epsilon: Annotated[
        str | None,
        typer.Option(metavar="E", help="Set another budget for a data set, or for --analyst, for good."),
    ] = None,
    change_delta: Annotated[
        str | None, typer.Option(metavar="D", help="Its δ. Default: the same as before.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What was granted, what is spent and what is left; an owner may change what is granted."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.change_budget import change_budget
    from shoal.jobs.queries.owner import budget_at, budgets, ledger_at

    if change_delta is not None and change_epsilon is None:
        raise BadParameter("--change-delta goes with --change-epsilon E; give both")
    if service is not None:
        change = {"change-epsilon": change_epsilon}
        alone("--service", {"config": config, "ledger": ledger, "analyst": analyst, **change})
        show(budget_at(service, token(token_file), dataset), as_json)
        return
    if change_epsilon is not None:
        changed = change_budget(config, ledger, dataset, analyst, change_epsilon, change_delta)
        show(changed.outcome, as_json, changed.notes)
        return
    with ledger_at(config, ledger) as found:
        show(budgets(found, dataset, analyst), as_json)


def analysts(
    config: Config = None,
    ledger: LedgerFile = None,
    add: Annotated[
        str | None, typer.Option(metavar="NAME", help="Let somebody in; prints the token, once.")
    ] = None,
    revoke: Annotated[str | None, typer.Option(metavar="NAME", help="Take a token back.")] = None,
    renew: Annotated[
        str | None, typer.Option(metavar="NAME", help="Give another token; prints it, once.")
    ] = None,
    dataset: DatasetName = None,
    epsilon: Annotated[
        str | None,
        typer.Option(metavar="E", help="The budget of --add. Default: what the data set gives to each."),
    ] = None,
    delta: Delta = None,
    as_json: AsJson = False,
) -> None:
    """Who may ask. A running service knows at once."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries import owner as owning

    if sum(name is not None for name in (add, revoke, renew)) > 1:
        raise BadParameter("--add, --revoke and --renew are one at a time; run the command twice")
    if add is None and any(value is not None for value in (dataset, epsilon, delta)):
        raise BadParameter("--dataset, --epsilon and --delta are for --add NAME")
    with owning.ledger_at(config, ledger, adding=dataset) as found:
        if add is not None:
            each = owning.each_of(config, dataset)
            show(owning.add(found, add, dataset, epsilon, delta, each), as_json)
        elif renew is not None:
            show(owning.renew(found, renew), as_json)
        else:
            show(owning.people(found) if revoke is None else owning.revoke(found, revoke), as_json)


def log(
    config: Config = None,
    ledger: LedgerFile = None,
    service: ServiceUrl = None,
    token_file: TokenFile = None,
    dataset: DatasetName = None,
    analyst: Analyst = None,
    limit: Annotated[int, typer.Option(parser=whole, metavar="N", help="How many entries.")] = 100,
    as_json: AsJson = False,
) -> None:
    """What was asked and what it cost, the newest first."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries import owner as owning

    if service is not None:
        alone("--service", {"config": config, "ledger": ledger, "analyst": analyst})
        show(owning.log_at(service, token(token_file), dataset, limit), as_json)
        return
    with owning.ledger_at(config, ledger) as found:
        show(owning.log(found, dataset, analyst, limit), as_json)


def check(config: Config = None, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Recalculate the ledger; exit code 0 if everything agrees, 1 if something was changed."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries import owner as owning

    with owning.ledger_at(config, ledger) as found:
        verdict = owning.check(found)
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@with_flags(OwnerReport)
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
