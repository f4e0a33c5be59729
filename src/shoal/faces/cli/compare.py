"""`shoal table compare`."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.faces.cli.flags import (
    COMPARE,
    AsJson,
    Config,
    Encoding,
    File,
    Hierarchies,
    Identifier,
    Insensitive,
    Quasi,
    Seed,
    Sensitive,
    Separator,
    TimeLimit,
)
from shoal.faces.cli.settings import job_of, pairs_of, settings_of


def compare(
    file: File = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The curve as .svg, .png, .html or .json.")
    ] = None,
    identifier: Identifier = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    insensitive: Insensitive = None,
    hierarchy: Hierarchies = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", help='A promise; braces list what to try: "l-diversity(l={2,3,5})". Repeatable.'
        ),
    ] = None,
    k: Annotated[str | None, typer.Option("--k", metavar="N,N", help="Values of k to try: 2,5,10.")] = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", help="A method to try; auto by default. Repeatable.")
    ] = None,
    suppress: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE,SHARE", help="Shares of rows that may be left out: 0,0.05. Default: 0.05."
        ),
    ] = None,
    objective: Annotated[str | None, typer.Option(help="What every release optimises; as protect.")] = None,
    class_column: Annotated[str | None, typer.Option(help="A column that people would predict.")] = None,
    risk: Annotated[
        str | None,
        typer.Option(
            help="prosecutor-highest (default), prosecutor-average, marketer, or an attack's success."
        ),
    ] = None,
    utility: Annotated[
        str | None,
        typer.Option(
            help="loss (default), precision, discernibility, average-class-size, entropy, suppressed, "
            "workload-error, information-gain or classifier-accuracy."
        ),
    ] = None,
    time_limit: TimeLimit = None,
    seed: Seed = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Try many settings: risk against usefulness, which settings no other beats, and the curve."""
    from shoal.faces.cli.show import following, say, show
    from shoal.jobs import CompareTable
    from shoal.jobs.comparing import compare_table

    settings = settings_of(
        "compare",
        COMPARE,
        config,
        {
            "file": file,
            "output": output,
            "identifier": identifier,
            "quasi": quasi,
            "sensitive": sensitive,
            "insensitive": insensitive,
            "hierarchy": pairs_of(hierarchy),
            "model": model,
            "k": k,
            "method": method,
            "suppress": suppress,
            "objective": objective,
            "class-column": class_column,
            "risk": risk,
            "utility": utility,
            "time-limit": time_limit,
            "seed": seed,
            "separator": separator,
            "encoding": encoding,
        },
    )
    job = job_of(CompareTable, settings)
    with following("comparing") as follow:
        curve = compare_table(job, follow)
    for note in curve.notes:
        say(f"shoal: {note}")
    show(curve, as_json)
    best = "; ".join(curve.setting(point) for point in curve.front)
    say(f"shoal: best trade-offs, safest first: {best}" if best else "shoal: no trade-off")
