"""The command line: parse → run → print. Exit codes: 0 done, 1 the promise does not hold, 2 bad input."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; every expected failure is one sentence on standard error."""
    import typer
    from typer.exceptions import TyperException

    from shoal.core.errors import ShoalError
    from shoal.faces.cli.app import app

    try:
        sys.exit(app(standalone_mode=False) or 0)
    except ShoalError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except typer.Exit as error:
        sys.exit(error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _say("stopped; nothing was written")
        sys.exit(130)
    except TyperException as error:
        _say(error.format_message())
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone; that is its right.
        sys.stderr.close()
        sys.exit(0)
    except MemoryError:
        _say("the table does not fit into memory; use fewer columns or a larger machine")
        sys.exit(2)


def _say(sentence: str) -> None:
    print(f"shoal: {' '.join(sentence.split())}", file=sys.stderr)
