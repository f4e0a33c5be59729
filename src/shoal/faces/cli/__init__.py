"""The command line, as `shoal` and `python -m shoal` start it."""

from shoal.faces.cli.app import main

__all__ = ["main"]
