"""Commands that are made when somebody asks for them, so that `shoal --help` answers at once."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand


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
