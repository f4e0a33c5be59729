"""`shoal table measure`."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.faces.cli.flags import (
    MEASURE,
    AsJson,
    Config,
    Encoding,
    File,
    Hierarchies,
    Quasi,
    Sensitive,
    Separator,
    number,
    whole,
)
from shoal.faces.cli.settings import job_of, pairs_of, settings_of


def measure(
    file: File = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    original: Annotated[str | None, typer.Option(help="The table the release was made from.")] = None,
    population: Annotated[str | None, typer.Option(help="The people the table was drawn from.")] = None,
    population_size: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="How many people the table was drawn from."),
    ] = None,
    sampling_fraction: Annotated[
        float | None,
        typer.Option(parser=number, metavar="SHARE", help="The same as the share of them in the table."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(parser=number, metavar="RISK", help="Count the rows above this risk. Default: 0.2."),
    ] = None,
    combinations: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="How many columns to look at together. Default: 3; 0 for none."
        ),
    ] = None,
    safe_harbor: Annotated[
        bool | None,
        typer.Option("--safe-harbor", help="Look for the 18 identifier kinds of HIPAA's Safe Harbor."),
    ] = None,
    class_column: Annotated[
        str | None, typer.Option(help="A column that people would predict; with --original.")
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", help="What a column counts in the loss, as in age=2. Repeatable."),
    ] = None,
    hierarchy: Hierarchies = None,
    k: Annotated[
        int | None,
        typer.Option("--k", parser=whole, metavar="N", help="The k that class sizes are measured in."),
    ] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Classes, risk and where it comes from; with --original also what was lost."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs import MeasureTable
    from shoal.jobs.measuring import measure_table

    settings = settings_of(
        "measure",
        MEASURE,
        config,
        {
            "file": file,
            "quasi": quasi,
            "sensitive": sensitive,
            "original": original,
            "population": population,
            "population-size": population_size,
            "sampling-fraction": sampling_fraction,
            "threshold": threshold,
            "combinations": combinations,
            "safe-harbor": safe_harbor,
            "class-column": class_column,
            "weight": weight,
            "hierarchy": pairs_of(hierarchy),
            "k": k,
            "separator": separator,
            "encoding": encoding,
        },
    )
    found = measure_table(job_of(MeasureTable, settings))
    show(found, as_json)
    if isinstance(found, Appraisal) and found.safe_harbor is not None:
        say(f"shoal: {found.safe_harbor.note}")
