"""The command line: parse → run → print. Exit codes: 0 done, 1 the promise does not hold, 2 bad input."""

from __future__ import annotations

import gc
import os
import sys

BETWEEN = 50_000  # things made before Python looks for rings of forgotten ones; loading modules makes many


def main() -> None:
    """Run the command line; every failure is one sentence on standard error."""
    gc.set_threshold(BETWEEN)
    import typer
    from typer.exceptions import TyperException

    from shoal.core.errors import ShoalError
    from shoal.faces.cli.app import app

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


def _listen() -> None:
    """What the library logs goes to standard error: remarks always, what is being done with --verbose."""
    import logging

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
