"""The command line: parse → run → print. Exit codes: 0 done, 1 the promise does not hold, 2 bad input.

Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from shoal.core.errors import ShoalError
from shoal.faces.cli.commands import Commands
from shoal.version import __version__

BETWEEN = 50_000  # things made before Python looks for rings of forgotten ones; loading modules makes many


class Late(TyperCommand):
    """A command, or a group of them, that stands in the module of its name as `app`. The help is its own."""

    @cached_property
    def made(self) -> Any:
        """The command itself."""
        found = typer.main.get_command(import_module(f"shoal.faces.cli.{self.name}").app)
        found.name, found.help = self.name, self.help
        return found

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Where the command is asked for: from here on it is the one that was made."""
        return self.made.make_context(info_name, args, parent, **extra)


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
    from shoal.jobs.catalog_entries import entries_of

    show(entries_of(name, kind, pillar), as_json)


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
def studio() -> None:
    """Shoal in a browser on this machine: decide, protect, attack and report without a command."""


@app.command(cls=Late)
def table() -> None:
    """Tables released once: inspect, protect, compare, verify, measure, attack."""


def main() -> None:
    """Run the command line; every failure is one sentence on standard error."""
    gc.set_threshold(BETWEEN)
    atexit.register(_leave)
    _listen()
    try:
        code = app(standalone_mode=False, prog_name="shoal")
        sys.stdout.flush()
    except ShoalError as error:
        if "Broken pipe" in str(error.__cause__):
            _reader_has_gone()
        _say(str(error))
        sys.exit(error.exit_code)
    except typer.Exit as error:
        sys.exit(error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _say("stopped; nothing was written")
        sys.exit(130)
    except TyperException as error:
        message = error.format_message()
        if message.startswith("Usage:"):  # no command given: the help as it is
            print(message, file=sys.stderr)
        else:
            _say(message)
        sys.exit(2)
    except BrokenPipeError:
        _reader_has_gone()
    except SystemExit as error:
        if error.code in (0, None):  # a shell has got its completion
            sys.exit(0)
        _reader_has_gone()  # Typer's answer to a broken pipe
    except MemoryError:
        _say("the table does not fit into memory; use fewer columns or a larger machine")
        sys.exit(2)
    except Exception as error:
        what = f"{type(error).__name__}: {error} ({_place(error)})"
        _say(f"{what}; this is a defect of Shoal, please report it")
        sys.exit(2)
    sys.exit(code or 0)


def _leave() -> None:
    """Python would look through all that was loaded twice more before it goes, a fifth of its time.

    DuckDB counts what is left of it then, and complains.
    """
    if "_duckdb" not in sys.modules:
        gc.freeze()


def _listen() -> None:
    """What the library logs goes to standard error: remarks always, what is being done with --verbose."""

    class Remarks(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            _say(record.getMessage())

    log = logging.getLogger("shoal")
    if not any(type(handler).__name__ == "Remarks" for handler in log.handlers):
        log.addHandler(Remarks())
    log.setLevel(logging.WARNING)


def _reader_has_gone() -> None:
    """Whoever read our output wants no more of it. The code is that of any tool whose pipe breaks, never 0:
    a verdict that nobody read must not pass for a good one.
    """
    # Python would complain once more when it closes standard output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)


def _place(error: Exception) -> str:
    """Where in our code an unexpected failure came from, for the report."""
    import traceback

    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "shoal" in frame.filename]
    return f"{ours[-1].filename}:{ours[-1].lineno}" if ours else "outside"


def _say(sentence: str) -> None:
    print(f"shoal: {' '.join(sentence.split())}", file=sys.stderr)
