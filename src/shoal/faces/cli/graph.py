"""`shoal graph …`: one function per command."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.commands import Commands
from shoal.faces.cli.flags import AsJson, SaveConfig, Typed, with_flags
from shoal.jobs.graphs.requests import (
    AskGraph,
    AttackGraph,
    MatrixGraph,
    MeasureGraph,
    ProtectGraph,
    VerifyGraph,
)

app = Commands(no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.command()
@with_flags(ProtectGraph)
def protect(typed: Typed, save_config: SaveConfig = None, as_json: AsJson = False) -> None:
    """Make a release that keeps the promises, checked from the written file, with a manifest beside it."""
    from shoal.faces.cli.show import progress, show
    from shoal.jobs.config import save
    from shoal.jobs.graphs.protect import check_project_file, protect_graph

    settings = typed.settings
    if "output" not in settings:
        raise BadParameter("nowhere to write the release; give -o OUT.csv")
    if settings["output"] == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    job = typed.job()
    if save_config is not None:
        check_project_file(save_config, job)
    with progress(quiet=False) as watch:
        release = protect_graph(job, watch)
    if save_config is not None:
        save(save_config, ProtectGraph, settings)
    show(release, as_json, release.notes, settings["output"] != "-")


@app.command()
@with_flags(VerifyGraph)
def verify(typed: Typed, as_json: AsJson = False) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import show
    from shoal.jobs.graphs.verify import verify_graph

    verdict = verify_graph(typed.job())
    show(verdict, as_json, verdict.notes)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
@with_flags(MeasureGraph)
def measure(typed: Typed, as_json: AsJson = False) -> None:
    """What the graph is like and what risk is left; with --original also what was changed."""
    from shoal.faces.cli.show import progress_bar, show
    from shoal.jobs.graphs.measure import measure_graph

    with progress_bar("measuring") as follow:
        found = measure_graph(typed.job(), follow)
    show(found, as_json, found.notes)


@app.command()
@with_flags(AttackGraph, without=("file",))
def attack(
    typed: Typed,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The release.")] = None,
    as_json: AsJson = False,
) -> None:
    """Attack a release: who is found, what is learned, and what would stop it."""
    from shoal.faces.cli.show import progress_bar, say, show
    from shoal.jobs.graphs.attack import attack_graph

    if typed.flags["attack"] is None and typed.config is None:
        raise BadParameter("no attack named; give its NAME and a file, and see `shoal catalog` for names")
    if typed.flags["attack"] == "matrix":
        raise BadParameter("the flags of a matrix come after it; write shoal graph attack matrix FILE …")
    job = replace(typed, flags={**typed.flags, "file": file}).job()
    with progress_bar("attacking") as follow:
        finding = attack_graph(job, follow)
    show(finding, as_json)
    say(f"shoal: {finding.cure}")


@app.command("attack matrix")
@with_flags(MatrixGraph)
def attack_matrix(typed: Typed, as_json: AsJson = False) -> None:
    """Play every attack against every protection of your own network: one table, and with -o one picture."""
    from shoal.faces.cli.show import progress_bar, say, show
    from shoal.jobs.graphs.matrix import matrix_graph

    job: MatrixGraph = typed.job()
    with progress_bar("attacking") as follow:
        matrix = matrix_graph(job, follow)
    show(matrix, as_json, matrix.notes)
    if job.output is not None:
        say(f"shoal: the picture is in {job.output}")


@app.command()
@with_flags(AskGraph)
def ask(typed: Typed, as_json: AsJson = False) -> None:
    """One answer with noise that hides an edge or a person, paid for before the file is read."""
    from shoal.faces.cli.show import show
    from shoal.jobs.graphs.ask import ask_graph

    answer = ask_graph(typed.job())
    show(answer, as_json, answer.notes)
