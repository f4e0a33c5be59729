"""`shoal table attack`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, flagged
from shoal.faces.cli.settings import Typed
from shoal.jobs.tables.requests import AttackTable


@flagged(AttackTable, without=("file", "identifier", "insensitive"))
def attack(
    typed: Typed,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="The release; for attacks on several, all of them, newest last."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Attack a release: who is hit, what is learned, and what would stop it."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.tables.attack import attack_table

    flags = typed.flags
    if flags["attack"] is None and typed.config is None:
        raise BadParameter("no attack named; give its NAME and a file, and see `shoal catalog` for names")
    first, *more = files or [""]
    others = [*more, *(flags["other"] or [])]
    typed = replace(typed, flags={**flags, "file": first or None, "other": others or None})
    finding = attack_table(typed.job())
    show(finding, as_json)
    say(f"shoal: {finding.cure}")
