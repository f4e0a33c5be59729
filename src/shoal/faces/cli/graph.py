"""`shoal graph …`: one function per command, all flags optional so that a project file can give them."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, Config, Encoding, Separator, whole
from shoal.faces.cli.graph_flags import (
    ASK,
    MEASURE,
    PROTECT,
    VERIFY,
    Directed,
    GraphFile,
    GraphModels,
    GraphSeed,
    KDegree,
    KindsOf,
)
from shoal.faces.cli.once import Commands
from shoal.faces.cli.query_flags import Budget, LedgerFile
from shoal.faces.cli.settings import job_of, settings_of

app = Commands(
    help="Graphs of people: protect, verify, measure, ask.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def protect(
    file: GraphFile = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Where to write the release.")] = None,
    model: GraphModels = None,
    k: KDegree = None,
    method: Annotated[
        str | None, typer.Option(help="How to get there; see `shoal catalog`. Default: by the model.")
    ] = None,
    seed: GraphSeed = None,
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="keep|random",
            help="Names of nodes in the release. Default: random numbers instead of text.",
        ),
    ] = None,
    mapping: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write who is who, for you alone, where labels are random."),
    ] = None,
    directed: Directed = None,
    kinds: KindsOf = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    save_config: Annotated[str | None, typer.Option(help="Write these settings as a project file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a release that keeps the promises, checked from the written file, with a manifest beside it."""
    from shoal.faces.cli.show import progress, say, show
    from shoal.jobs.config import save
    from shoal.jobs.graph_run import protect_graph
    from shoal.jobs.graph_writing import check_project_file
    from shoal.jobs.graphs import ProtectGraph

    settings = settings_of(
        "protect",
        PROTECT,
        config,
        {
            "file": file,
            "output": output,
            "model": model,
            "k": k,
            "method": method,
            "seed": seed,
            "labels": labels,
            "mapping": mapping,
            "directed": directed,
            "kinds": kinds,
            "separator": separator,
            "encoding": encoding,
        },
        "graph",
    )
    if "output" not in settings:
        raise BadParameter("nowhere to write the release; give -o OUT.csv")
    if settings["output"] == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    job = job_of(ProtectGraph, settings)
    if save_config is not None:
        check_project_file(save_config, job)
    with progress(quiet=False) as watch:
        release = protect_graph(job, watch)
    if save_config is not None:
        save(save_config, "graph", "protect", settings)
    for note in release.notes:
        say(f"shoal: {note}")
    if settings["output"] != "-":
        show(release, as_json)


@app.command()
def verify(
    file: GraphFile = None,
    model: GraphModels = None,
    k: KDegree = None,
    directed: Directed = None,
    kinds: KindsOf = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Check a release from its files alone; exit code 0 when every promise holds, 1 when not."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.graph_run import verify_graph
    from shoal.jobs.graphs import VerifyGraph

    settings = settings_of(
        "verify",
        VERIFY,
        config,
        {
            "file": file,
            "model": model,
            "k": k,
            "directed": directed,
            "kinds": kinds,
            "separator": separator,
            "encoding": encoding,
        },
        "graph",
    )
    verdict = verify_graph(job_of(VerifyGraph, settings))
    for note in verdict.notes:
        say(f"shoal: {note}")
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def measure(
    file: GraphFile = None,
    original: Annotated[str | None, typer.Option(help="The graph the release was made from.")] = None,
    mapping: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Who is who in the original, where labels are random."),
    ] = None,
    exact: Annotated[
        bool | None, typer.Option("--exact", help="Every figure in full, however long it takes.")
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            metavar="N",
            help="How many nodes to start from for paths, and pairs to draw for clustering.",
        ),
    ] = None,
    x_min: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="The smallest degree of the power law. Default: 3."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="Makes the samples repeatable.")
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the degrees, before and after, as .svg, .png or .html."),
    ] = None,
    directed: Directed = None,
    kinds: KindsOf = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """What the graph is like and what risk is left; with --original also what was changed."""
    from shoal.faces.cli.show import following, say, show
    from shoal.jobs.graph_measuring import measure_graph
    from shoal.jobs.graphs import MeasureGraph

    settings = settings_of(
        "measure",
        MEASURE,
        config,
        {
            "file": file,
            "original": original,
            "mapping": mapping,
            "exact": exact,
            "sample": sample,
            "x-min": x_min,
            "seed": seed,
            "chart": chart,
            "directed": directed,
            "kinds": kinds,
            "separator": separator,
            "encoding": encoding,
        },
        "graph",
    )
    with following("measuring") as follow:
        found = measure_graph(job_of(MeasureGraph, settings), follow)
    for note in found.notes:
        say(f"shoal: {note}")
    show(found, as_json)


@app.command()
def ask(
    file: GraphFile = None,
    mechanism: Annotated[
        str | None, typer.Argument(metavar="MECHANISM", help='As in "triangles(epsilon=0.5)".')
    ] = None,
    budget: Budget = None,
    ledger: LedgerFile = None,
    directed: Directed = None,
    kinds: KindsOf = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """One answer with noise that hides an edge or a person, paid for before the file is read."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs.graph_asking import ask_graph
    from shoal.jobs.graphs import AskGraph

    settings = settings_of(
        "ask",
        ASK,
        config,
        {
            "file": file,
            "mechanism": mechanism,
            "budget": budget,
            "ledger": ledger,
            "directed": directed,
            "kinds": kinds,
            "separator": separator,
            "encoding": encoding,
        },
        "graph",
    )
    answer = ask_graph(job_of(AskGraph, settings))
    for note in answer.notes:
        say(f"shoal: {note}")
    show(answer, as_json)
