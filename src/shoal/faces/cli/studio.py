"""`shoal studio`."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.core.extras import require
from shoal.faces.cli.commands import Commands

app = Commands(rich_markup_mode=None, add_completion=False)


@app.command()
def studio(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="A table to begin with; it is copied into the project."),
    ] = None,
    project: Annotated[
        str, typer.Option(help="The folder of the project; made where there is none.")
    ] = "shoal-studio",
    port: Annotated[int, typer.Option(help="Where to listen on this machine; 0 is any free port.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open no browser.")
    ] = False,
) -> None:
    """Serve the studio on this machine until it is ended."""
    require("studio", "the studio")
    from shoal.faces.studio.fast_start import without_clients
    from shoal.faces.studio.project import Project

    with without_clients():
        from shoal.faces.studio.serve import serve

    serve(Project(project), file, port, not no_browser)
