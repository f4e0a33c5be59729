"""`shoal table …`: one function per command."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.commands import Commands
from shoal.faces.cli.flags import AsJson, SaveConfig, Typed, with_flags
from shoal.jobs.tables.owner_requests import DiffTable, ExploreTable, MappingTable
from shoal.jobs.tables.requests import (
    ROLES,
    AttackTable,
    CompareTable,
    HierarchyTable,
    InspectTable,
    MeasureTable,
    ProtectTable,
    VerifyTable,
)

app = Commands(no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.command()
@with_flags(InspectTable)
def inspect(typed: Typed, as_json: AsJson = False) -> None:
    """Suggest a role for every column; list what singles people out and what gives other columns away."""
    from shoal.faces.cli.show import show
    from shoal.jobs import run

    show(run(typed.job()), as_json)


@app.command()
@with_flags(ProtectTable)
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
    from shoal.faces.cli.guided_protect import agree_on_request, protect_with_report
    from shoal.faces.cli.show import progress, show
    from shoal.jobs.config import save
    from shoal.jobs.tables.default_outputs import Places
    from shoal.jobs.tables.output import check_project_file
    from shoal.jobs.tables.protect import protect_table

    settings = typed.settings
    if settings.get("output") == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    job: ProtectTable = typed.job()
    filed = [name for role in ROLES if typed.flags[role] is None for name in getattr(job, role)]
    job = replace(job, yes=yes, decided=dict.fromkeys(filed, "project file"))
    places = None if "output" in settings else Places.beside(settings.get("file"))
    complete = places is None and job.quasi and (job.model or job.k is not None)
    if not yes and not complete:
        job = agree_on_request(job, places)
    if places is not None:
        if save_config is not None:
            raise BadParameter(f"the project file is {places.project}; --save-config goes with -o OUT.csv")
        protect_with_report(job, settings, places, force, as_json)
        return
    if save_config is not None:
        check_project_file(save_config, job)
    with progress(quiet=False) as watch:
        release = protect_table(job, watch)
    if save_config is not None:
        save(save_config, ProtectTable, settings)
    show(release, as_json, release.notes, settings["output"] != "-")


@app.command()
@with_flags(VerifyTable)
def verify(typed: Typed, as_json: AsJson = False) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import show
    from shoal.jobs.tables.verify import verify_table

    verdict = verify_table(typed.job())
    show(verdict, as_json, verdict.notes)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
@with_flags(HierarchyTable)
def hierarchy(typed: Typed, as_json: AsJson = False) -> None:
    """Show, check or export the hierarchy of one column; suggested from the data when none is given."""
    from shoal.faces.cli.show import show
    from shoal.jobs import run

    show(run(typed.job()), as_json)


@app.command()
@with_flags(CompareTable)
def compare(typed: Typed, as_json: AsJson = False) -> None:
    """Try many settings: risk against usefulness, which settings no other beats, and the curve."""
    from shoal.faces.cli.show import progress_bar, say, show
    from shoal.jobs.tables.compare import compare_table

    job = typed.job()
    with progress_bar("comparing") as follow:
        curve = compare_table(job, follow)
    show(curve, as_json, curve.notes)
    best = "; ".join(curve.setting(point) for point in curve.front)
    say(f"shoal: best trade-offs, safest first: {best}" if best else "shoal: no trade-off")


@app.command()
@with_flags(ExploreTable)
def explore(typed: Typed, as_json: AsJson = False) -> None:
    """Which levels of the columns keep the promise, and what each choice costs; for you alone."""
    from shoal.faces.cli.show import progress_bar, say, show
    from shoal.jobs.tables.explore import explore_table

    with progress_bar("exploring") as follow:
        found = explore_table(typed.job(), follow)
    show(found, as_json, found.notes)
    say(f"shoal: {found.words()}")
    if found.optimum is not None:
        say("shoal: to release one of them: shoal table protect … --levels LEVELS")


@app.command()
@with_flags(DiffTable)
def diff(typed: Typed, as_json: AsJson = False) -> None:
    """A release beside its original: changed cells, distributions, group sizes; for you alone."""
    from shoal.faces.cli.show import show
    from shoal.jobs.tables.diff import diff_table

    found = diff_table(typed.job())
    show(found, as_json, found.notes)


@app.command()
@with_flags(MappingTable)
def mapping(typed: Typed, as_json: AsJson = False) -> None:
    """Which value became which label, as CSV, and whether that may be published."""
    from shoal.faces.cli.show import show
    from shoal.jobs.tables.mapping import mapping_table

    found = mapping_table(typed.job())
    show(found, as_json, found.notes)


@app.command()
@with_flags(AttackTable, without=("file",))
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


@app.command()
@with_flags(MeasureTable)
def measure(typed: Typed, as_json: AsJson = False) -> None:
    """Classes, risk and where it comes from; with --original also what was lost."""
    from shoal.core.measure_results import Figures
    from shoal.faces.cli.show import say, show
    from shoal.jobs.tables.measure import measure_table

    found = measure_table(typed.job())
    show(found, as_json)
    if not isinstance(found, Figures) and found.safe_harbor is not None:
        say(f"shoal: {found.safe_harbor.note}")
