"""`shoal table …`: one function per command, all flags optional so that a project file can give them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from shoal.faces.cli.attack import attack
from shoal.faces.cli.compare import compare
from shoal.faces.cli.flags import (
    PROTECT,
    SHARED,
    VERIFY,
    AsJson,
    Config,
    Encoding,
    File,
    Hierarchies,
    Identifier,
    Insensitive,
    Join,
    K,
    Models,
    Person,
    Population,
    Quasi,
    Seed,
    Sensitive,
    Separator,
    Steps,
    Suppress,
    TimeLimit,
    UndeclaredColumns,
)
from shoal.faces.cli.measure import measure
from shoal.faces.cli.once import Commands
from shoal.faces.cli.settings import from_file, job_of, pairs_of, settings_of

app = Commands(
    help="Tables released once: inspect, protect, compare, verify, measure, attack.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def inspect(
    file: File = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Suggest a role for every column; list what singles people out and what gives other columns away."""
    from shoal.faces.cli.show import show
    from shoal.jobs import InspectTable
    from shoal.jobs.run import run

    settings = settings_of(
        "inspect", SHARED, config, {"file": file, "separator": separator, "encoding": encoding}
    )
    show(run(job_of(InspectTable, settings)), as_json)


@app.command()
def protect(
    file: File = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Where to write the release.")] = None,
    identifier: Identifier = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    insensitive: Insensitive = None,
    hierarchy: Hierarchies = None,
    model: Models = None,
    k: K = None,
    step: Steps = None,
    method: Annotated[str | None, typer.Option(help="How to get there; see `shoal catalog`.")] = None,
    suppress: Suppress = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="What to optimise: loss, precision, discernibility, average-class-size or entropy."
        ),
    ] = None,
    class_column: Annotated[
        str | None, typer.Option(help="A column to keep predictable (for grown()).")
    ] = None,
    time_limit: TimeLimit = None,
    seed: Seed = None,
    population: Population = None,
    join: Join = None,
    person: Person = None,
    undeclared: UndeclaredColumns = None,
    escape_formulas: Annotated[
        bool,
        typer.Option(
            "--escape-formulas",
            help="In CSV, write ' before texts that a spreadsheet would run as formulas.",
        ),
    ] = False,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    save_config: Annotated[str | None, typer.Option(help="Write these settings as a project file.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Accept the suggested roles, and k=5 if no promise is named.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Without -o: replace files that an earlier run wrote.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make a release that keeps the promises, checked from the written file, with a manifest beside it.

    With nothing but a file, shows the suggested roles and asks (--yes: accepts them), and writes the release,
    a project file and a report beside it.
    """
    from shoal.core.errors import BadParameter
    from shoal.faces.cli.alone import agreed, carried_out
    from shoal.faces.cli.show import progress, say, show
    from shoal.jobs import ProtectTable
    from shoal.jobs.config import save
    from shoal.jobs.protecting import protect_table
    from shoal.jobs.together import Places
    from shoal.jobs.writing import check_project_file

    settings = settings_of(
        "protect",
        PROTECT,
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
            "step": step,
            "method": method,
            "suppress": suppress,
            "objective": objective,
            "class-column": class_column,
            "time-limit": time_limit,
            "seed": seed,
            "population": population,
            "join": join,
            "person": person,
            "undeclared": undeclared,
            "escape-formulas": escape_formulas or None,
            "separator": separator,
            "encoding": encoding,
        },
    )
    if settings.get("output") == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    flags = {"identifier": identifier, "quasi": quasi, "sensitive": sensitive, "insensitive": insensitive}
    job = replace(job_of(ProtectTable, settings), yes=yes, decided=from_file(settings, flags))
    places = None if "output" in settings else Places.beside(settings.get("file"))
    if not yes:
        job = agreed(job, places)
    if places is not None:
        if save_config is not None:
            raise BadParameter(f"the project file is {places.project}; --save-config goes with -o OUT.csv")
        carried_out(job, settings, places, force, as_json)
        return
    if save_config is not None:
        check_project_file(save_config, job)
    with progress(quiet=False) as watch:
        release = protect_table(job, watch)
    if save_config is not None:
        save(save_config, "table", "protect", settings)
    for note in release.notes:
        say(f"shoal: {note}")
    if settings["output"] != "-":
        show(release, as_json)


@app.command()
def verify(
    file: File = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    model: Models = None,
    k: K = None,
    population: Population = None,
    hierarchy: Hierarchies = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs import VerifyTable
    from shoal.jobs.run import verify_table

    settings = settings_of(
        "verify",
        VERIFY,
        config,
        {
            "file": file,
            "quasi": quasi,
            "sensitive": sensitive,
            "model": model,
            "k": k,
            "population": population,
            "hierarchy": pairs_of(hierarchy),
            "separator": separator,
            "encoding": encoding,
        },
    )
    verdict = verify_table(job_of(VerifyTable, settings))
    for note in verdict.notes:
        say(f"shoal: {note}")
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def hierarchy(
    file: File = None,
    column: Annotated[str, typer.Option(help="The column it is for.")] = "",
    hierarchy: Hierarchies = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Where to write it as CSV.")] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    as_json: AsJson = False,
) -> None:
    """Show, check or export the hierarchy of one column; suggested from the data when none is given."""
    from shoal.faces.cli.show import show
    from shoal.jobs import LadderOf
    from shoal.jobs.run import run

    settings = {
        "file": file,
        "column": column,
        "hierarchy": pairs_of(hierarchy) or {},
        "output": output,
        "separator": separator,
        "encoding": encoding,
    }
    show(run(job_of(LadderOf, settings)), as_json)


app.command()(compare)
app.command()(attack)
app.command()(measure)
