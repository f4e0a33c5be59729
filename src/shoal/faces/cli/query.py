"""`shoal query …`: ask with privacy, at a file or at a service; draw from one mechanism; attack."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Any

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.commands import Commands
from shoal.faces.cli.flags import AsJson, Typed, with_flags
from shoal.faces.cli.query_flags import Config, Data, TokenFile, token
from shoal.faces.cli.query_learn import learn, stream
from shoal.faces.cli.query_owner import analysts, budget, check, log, report, serve
from shoal.jobs.queries.question_requests import AskQuery, AuditQuery, EpsilonQuery
from shoal.jobs.queries.requests import AttackQuery, CompareQuery

app = Commands(no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.command()
@with_flags(AskQuery)
def ask(
    typed: Typed,
    data: Data = None,
    config: Config = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask a question in SQL; the answer has noise, tells how much, and is paid for from a budget."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.ask import ask_query

    sql = _question(typed.flags["sql"], data or ())
    replied = ask_query(_asked(typed, data, config, token_file, sql=sql))
    show(replied.outcome, as_json, replied.notes)


@app.command()
def mechanism(
    spelling: Annotated[
        str, typer.Argument(metavar="MECHANISM", help='As in "laplace(epsilon=0.5,sensitivity=7)".')
    ],
    value: Annotated[str | None, typer.Option("--value", metavar="N", help="One true number.")] = None,
    values: Annotated[
        str | None,
        typer.Option("--values", metavar="N,N", help="Several, or the counts of a histogram: 3,0,5."),
    ] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", metavar="N,N", help="How good each candidate is: 10,12,7.")
    ] = None,
    real: Annotated[bool, typer.Option("--real", help="The one number is real, not whole.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw once from a mechanism of the catalog. Each draw costs its ε again, and no ledger records it."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.queries.draw_from_mechanism import draw

    given = [text for text in (value, values, scores) if text is not None]
    if len(given) != 1:
        raise BadParameter("give the true numbers once: --value 14, --values 3,0,5 or --scores 10,12,7")
    drawn = draw(spelling, given[0] if value is not None else given[0].split(","), real)
    say("shoal: no ledger notes this draw; every further one about the same people adds to its cost")
    show(drawn, as_json)


@app.command()
@with_flags(AuditQuery)
def audit(typed: Typed, data: Data = None, as_json: AsJson = False) -> None:
    """Bound ε from below by experiment; exit code 1 if that is more than was claimed.

    The result is about your rows and without noise: it is for you alone.
    """
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.audit import audit_query

    found = audit_query(replace(typed, flags={**typed.flags, "file": data}).job())
    show(found, as_json)
    raise typer.Exit(0 if found.passed else 1)


@app.command()
@with_flags(AttackQuery)
def attack(typed: Typed, data: Data = None, token_file: TokenFile = None, as_json: AsJson = False) -> None:
    """Attack somebody who answers questions: whose secret is learned, and what would stop it."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.queries.attack import attack_query

    if typed.flags["attack"] is None:
        raise BadParameter("no attack named; give its NAME, and see `shoal catalog --kind attack` for names")
    finding = attack_query(_asked(typed, data, None, token_file))
    show(finding, as_json)
    say(f"shoal: {finding.cure}")
    if "stopped" in finding.details:
        say(f"shoal: stopped early: {finding.details['stopped']}")
        raise typer.Exit(1)


@app.command()
@with_flags(CompareQuery)
def compare(typed: Typed, data: Data = None, as_json: AsJson = False) -> None:
    """Ways to answer side by side: how far off counts are, what is refused, and what attackers learn."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.compare import compare_query

    found = compare_query(replace(typed, flags={**typed.flags, "file": data}).job())
    show(found, as_json, found.notes)


def _asked(
    typed: Typed, data: list[str] | None, config: str | None, token_file: str | None, **more: Any
) -> Any:
    """The request about tables, a project file or a service; the token never stands on a command line."""
    service = typed.flags["service"]
    if service is None and token_file is not None:
        raise BadParameter("--token-file is for --service URL; give that, too")
    job = replace(typed, flags={**typed.flags, "file": data, "config": config, **more}).job()
    return job if service is None else replace(job, token=token(token_file))


def _question(sql: str | None, sources: Any) -> str:
    if sql is None:
        raise BadParameter('no question given; write it in quotes, as in "SELECT COUNT(*) FROM visits"')
    if sql != "-":
        return sql
    if any(source.partition("=")[2] == "-" for source in sources):
        raise BadParameter("the question and a table both want standard input; give one of them as a file")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadParameter("the question on standard input is not UTF-8; save it as UTF-8") from None


@with_flags(EpsilonQuery)
def epsilon(
    typed: Typed,
    data: Data = None,
    config: Config = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """The ε for an error that you can live with, and what an ε means; no row is read, nothing is spent."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.epsilon import epsilon_query

    found = epsilon_query(_asked(typed, data, config, token_file))
    show(found, as_json, found.notes)


for command in (epsilon, report, learn, stream, serve, budget, analysts, log, check):
    app.command()(command)
