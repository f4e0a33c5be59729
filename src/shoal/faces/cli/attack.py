"""`shoal table attack`."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import (
    ATTACK,
    AsJson,
    Config,
    Encoding,
    Hierarchies,
    Quasi,
    Seed,
    Sensitive,
    Separator,
    whole,
)
from shoal.faces.cli.settings import job_of, pairs_of, settings_of


def attack(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help='An attack of `shoal catalog`, as in "homogeneity".')
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="The release; for attacks on several, all of them, newest last."),
    ] = None,
    external: Annotated[
        str | None, typer.Option(help="A list of people that the attacker knows, with or without names.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", help="One such person, as in name=Bob,zip=47678,age=27. Repeatable."),
    ] = None,
    other: Annotated[
        list[str] | None,
        typer.Option("--other", help="Another release about the same people. Repeatable."),
    ] = None,
    original: Annotated[
        str | None, typer.Option(help="The table the release was made from: tells right guesses from wrong.")
    ] = None,
    control: Annotated[
        str | None, typer.Option(help="People like those in the data who are not in it.")
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchy: Hierarchies = None,
    show: Annotated[
        int | None,
        typer.Option("--show", parser=whole, metavar="N", help="How many people to tell of; 0 for all."),
    ] = None,
    seed: Seed = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Attack a release: who is hit, what is learned, and what would stop it."""
    from shoal.faces.cli.show import say
    from shoal.faces.cli.show import show as print_outcome
    from shoal.jobs import AttackTable
    from shoal.jobs.run import attack_table

    if name is None and config is None:
        raise BadParameter("no attack named; give its NAME and a file, and see `shoal catalog` for names")
    first, *more = files or [""]
    settings = settings_of(
        "attack",
        ATTACK,
        config,
        {
            "attack": name,
            "file": first or None,
            "external": external,
            "target": target,
            "other": [*more, *(other or [])] or None,
            "original": original,
            "control": control,
            "quasi": quasi,
            "sensitive": sensitive,
            "hierarchy": pairs_of(hierarchy),
            "show": show,
            "seed": seed,
            "separator": separator,
            "encoding": encoding,
        },
    )
    finding = attack_table(job_of(AttackTable, settings))
    print_outcome(finding, as_json)
    say(f"shoal: {finding.cure}")
