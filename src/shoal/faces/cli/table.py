"""`shoal table …`: one function per command."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.attack import attack
from shoal.faces.cli.compare import compare
from shoal.faces.cli.flags import AsJson, SaveConfig, flagged
from shoal.faces.cli.measure import measure
from shoal.faces.cli.once import Commands
from shoal.faces.cli.settings import Typed, from_file
from shoal.jobs.tables.requests import HierarchyTable, InspectTable, ProtectTable, VerifyTable

app = Commands(no_args_is_help=True, rich_markup_mode=None, add_completion=False)
ROLES = ("identifier", "quasi", "sensitive", "insensitive")


@app.command()
@flagged(InspectTable, without=(*ROLES, "hierarchy"))
def inspect(typed: Typed, as_json: AsJson = False) -> None:
    """Suggest a role for every column; list what singles people out and what gives other columns away."""
    from shoal.faces.cli.show import show
    from shoal.jobs import run

    show(run(typed.job()), as_json)


@app.command()
@flagged(ProtectTable)
def protect(
    typed: Typed,
    save_config: SaveConfig = None,
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
    from shoal.faces.cli.alone import agreed, carried_out
    from shoal.faces.cli.show import progress, say, show
    from shoal.jobs.config import save
    from shoal.jobs.tables.files_beside import Places
    from shoal.jobs.tables.output import check_project_file
    from shoal.jobs.tables.protect import protect_table

    settings = typed.settings
    if settings.get("output") == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    roles = {role: typed.flags[role] for role in ROLES}
    job = replace(typed.job(), yes=yes, decided=from_file(settings, roles))
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
        save(save_config, ProtectTable, settings)
    for note in release.notes:
        say(f"shoal: {note}")
    if settings["output"] != "-":
        show(release, as_json)


@app.command()
@flagged(VerifyTable, without=("identifier", "insensitive"))
def verify(typed: Typed, as_json: AsJson = False) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.tables.verify import verify_table

    verdict = verify_table(typed.job())
    for note in verdict.notes:
        say(f"shoal: {note}")
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
@flagged(HierarchyTable, without=ROLES, config=False)
def hierarchy(typed: Typed, as_json: AsJson = False) -> None:
    """Show, check or export the hierarchy of one column; suggested from the data when none is given."""
    from shoal.faces.cli.show import show
    from shoal.jobs import run

    show(run(typed.job()), as_json)


app.command()(compare)
app.command()(attack)
app.command()(measure)
