"""`shoal graph …`: one function per command."""

from __future__ import annotations

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, SaveConfig, flagged
from shoal.faces.cli.once import Commands
from shoal.faces.cli.settings import Typed
from shoal.jobs.graphs.requests import AskGraph, MeasureGraph, ProtectGraph, VerifyGraph

app = Commands(no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.command()
@flagged(ProtectGraph)
def protect(typed: Typed, save_config: SaveConfig = None, as_json: AsJson = False) -> None:
    """Make a release that keeps the promises, checked from the written file, with a manifest beside it."""
    from shoal.faces.cli.show import progress, say, show
    from shoal.jobs.config import save
    from shoal.jobs.graphs.output import check_project_file
    from shoal.jobs.graphs.protect import protect_graph

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
    for note in release.notes:
        say(f"shoal: {note}")
    if settings["output"] != "-":
        show(release, as_json)


@app.command()
@flagged(VerifyGraph)
def verify(typed: Typed, as_json: AsJson = False) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.graphs.verify import verify_graph

    verdict = verify_graph(typed.job())
    for note in verdict.notes:
        say(f"shoal: {note}")
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
@flagged(MeasureGraph)
def measure(typed: Typed, as_json: AsJson = False) -> None:
    """What the graph is like and what risk is left; with --original also what was changed."""
    from shoal.faces.cli.show import following, say, show
    from shoal.jobs.graphs.measure import measure_graph

    with following("measuring") as follow:
        found = measure_graph(typed.job(), follow)
    for note in found.notes:
        say(f"shoal: {note}")
    show(found, as_json)


@app.command()
@flagged(AskGraph)
def ask(typed: Typed, as_json: AsJson = False) -> None:
    """One answer with noise that hides an edge or a person, paid for before the file is read."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.graphs.ask import ask_graph

    answer = ask_graph(typed.job())
    for note in answer.notes:
        say(f"shoal: {note}")
    show(answer, as_json)
