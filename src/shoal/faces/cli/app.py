"""The commands. Nothing heavy is imported before a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.faces.cli.late import Late
from shoal.faces.cli.once import Commands
from shoal.version import __version__

app = Commands(
    help="Shoal makes data about people safe to share, and proves it by attacking the result first.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def shoal(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Shoal makes data about people safe to share, and proves it by attacking the result first."""


@app.command(cls=Late)
def report() -> None:
    """Write a report that a data-protection officer can read and sign; exit code 1 if a promise is broken."""


@app.command()
def catalog(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One part in full, as in k-anonymity.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only these: model, method, step, attack, measure or mechanism."),
    ] = None,
    pillar: Annotated[
        str | None, typer.Option(metavar="PILLAR", help="Only those of a table, graph or query.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List every model, method, attack and measure, with parameters and paper."""
    from shoal.faces.cli.show import show
    from shoal.jobs.catalog_entries import catalogued

    show(catalogued(name, kind, pillar), as_json)


@app.command()
def schema(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="As in: table protect. None: all of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it on one line.")] = False,
) -> None:
    """Print the JSON Schema of what a command prints with --json."""
    import json

    from shoal.jobs.schemas import schema_of

    print(json.dumps(schema_of(command or []), indent=None if as_json else 2, ensure_ascii=True))


@app.command()
def demo(
    output: Annotated[
        str, typer.Option("--output", "-o", help="Folder for the files it makes.")
    ] = "demo-output",
    rows: Annotated[int, typer.Option(help="How many patients to make up.")] = 20_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Protect a made-up hospital table, attack it before and after, then ask it live."""
    from shoal.demo.story import tell
    from shoal.faces.cli.show import say, show

    show(tell(output, rows, say), as_json)
    say(f"Now read the report in {output}/report.html, or print and sign {output}/report.pdf.")


@app.command(cls=Late)
def graph() -> None:
    """Graphs of people: protect, verify, measure, ask."""


@app.command(cls=Late)
def query() -> None:
    """Query data without releasing them: ask, serve, budget, analysts, log, check, mechanism."""


@app.command(cls=Late)
def table() -> None:
    """Tables released once: inspect, protect, compare, verify, measure, attack."""
