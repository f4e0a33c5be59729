"""`shoal table …`: one function per command, all flags optional so that a project file can give them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer(
    help="Tables released once: inspect, protect, verify, measure, attack.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[
    str | None, typer.Argument(metavar="FILE", help="CSV, TSV, Parquet or Arrow; - is standard input.")
]
Config = Annotated[str | None, typer.Option("--config", help="A project file; flags override it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Separator = Annotated[str | None, typer.Option(help="The separator of text files, when detection is wrong.")]
Encoding = Annotated[str | None, typer.Option(help="The encoding of text files, when detection is wrong.")]
Identifier = Annotated[str | None, typer.Option(help="Columns that name a person: a,b,c. Always removed.")]
Quasi = Annotated[str | None, typer.Option(help="Quasi-identifiers: columns that others may know: a,b,c.")]
Sensitive = Annotated[str | None, typer.Option(help="Columns nobody should learn about a person: a,b,c.")]
Insensitive = Annotated[str | None, typer.Option(help="Columns to keep as they are: a,b,c.")]
Hierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        help="COLUMN=FILE.csv, or a rule such as age=interval(width=5), zip=mask(), born=date(). Repeatable.",
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help='A promise, as in "l-diversity(l=3,kind=entropy)". Repeatable.'),
]
K = Annotated[int | None, typer.Option("--k", help="Short for --model k-anonymity(k=N).")]

SHARED = {
    "file": "text",
    "separator": "text",
    "encoding": "text",
    "identifier": "texts",
    "quasi": "texts",
    "sensitive": "texts",
    "insensitive": "texts",
    "hierarchy": "mapping",
}
PROTECT = {
    **SHARED,
    "output": "text",
    "model": "texts",
    "k": "whole",
    "method": "text",
    "suppress": "number",
    "objective": "text",
    "class-column": "text",
    "time-limit": "number",
    "seed": "whole",
}
VERIFY = {**SHARED, "model": "texts", "k": "whole"}
MEASURE = {**SHARED, "original": "text", "population": "text", "k": "whole"}
ATTACK = {**SHARED, "attack": "text", "external": "text"}


@app.command()
def inspect(
    file: File = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Suggest a role for every column and list the combinations that single people out."""
    from shoal.faces.cli.show import show
    from shoal.jobs import InspectTable, run

    settings = _settings(
        "inspect", SHARED, config, {"file": file, "separator": separator, "encoding": encoding}
    )
    show(run(_job(InspectTable, settings)), as_json)


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
    method: Annotated[str | None, typer.Option(help="How to get there; see `shoal catalog`.")] = None,
    suppress: Annotated[
        float | None, typer.Option(help="Share of rows that may be left out, 0 to 1.")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="What to optimise: loss, precision, discernibility, average-class-size or entropy."
        ),
    ] = None,
    class_column: Annotated[
        str | None, typer.Option(help="A column to keep predictable (for grown()).")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds after which the best so far will do.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the order of rows repeatable.")] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    save_config: Annotated[str | None, typer.Option(help="Write these settings as a project file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a release that keeps the promises, checked from the written file, with a manifest beside it."""
    from shoal.core.errors import BadParameter
    from shoal.faces.cli.show import progress, say, show
    from shoal.jobs import ProtectTable
    from shoal.jobs.config import save
    from shoal.jobs.run import protect_table

    settings = _settings(
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
            "hierarchy": _pairs(hierarchy),
            "model": model,
            "k": k,
            "method": method,
            "suppress": suppress,
            "objective": objective,
            "class-column": class_column,
            "time-limit": time_limit,
            "seed": seed,
            "separator": separator,
            "encoding": encoding,
        },
    )
    if "output" not in settings:
        raise BadParameter("nowhere to write the release; give -o OUT.csv")
    if settings["output"] == "-" and as_json:
        raise BadParameter("-o - and --json both want standard output; write the release to a file")
    with progress(quiet=False) as watch:
        release = protect_table(_job(ProtectTable, settings), watch)
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

    settings = _settings(
        "verify",
        VERIFY,
        config,
        {
            "file": file,
            "quasi": quasi,
            "sensitive": sensitive,
            "model": model,
            "k": k,
            "hierarchy": _pairs(hierarchy),
            "separator": separator,
            "encoding": encoding,
        },
    )
    verdict = verify_table(_job(VerifyTable, settings))
    for note in verdict.notes:
        say(f"shoal: {note}")
    show(verdict, as_json)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def measure(
    file: File = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    original: Annotated[str | None, typer.Option(help="The table the release was made from.")] = None,
    population: Annotated[str | None, typer.Option(help="The people the table was drawn from.")] = None,
    hierarchy: Hierarchies = None,
    k: Annotated[int | None, typer.Option("--k", help="The k that class sizes are measured in.")] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Classes, distinction, separation and risk; with --original also what was lost."""
    from shoal.faces.cli.show import show
    from shoal.jobs import MeasureTable, run

    settings = _settings(
        "measure",
        MEASURE,
        config,
        {
            "file": file,
            "quasi": quasi,
            "sensitive": sensitive,
            "original": original,
            "population": population,
            "hierarchy": _pairs(hierarchy),
            "k": k,
            "separator": separator,
            "encoding": encoding,
        },
    )
    show(run(_job(MeasureTable, settings)), as_json)


@app.command()
def attack(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An attack of `shoal catalog`, as in linkage.")],
    file: File = None,
    external: Annotated[
        str | None, typer.Option(help="A list of named people that the attacker holds.")
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchy: Hierarchies = None,
    separator: Separator = None,
    encoding: Encoding = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Attack a release: who is hit, what is learned, and what would stop it."""
    from shoal.faces.cli.show import say, show
    from shoal.jobs import AttackTable
    from shoal.jobs.run import attack_table

    settings = _settings(
        "attack",
        ATTACK,
        config,
        {
            "attack": name,
            "file": file,
            "external": external,
            "quasi": quasi,
            "sensitive": sensitive,
            "hierarchy": _pairs(hierarchy),
            "separator": separator,
            "encoding": encoding,
        },
    )
    finding = attack_table(_job(AttackTable, settings))
    show(finding, as_json)
    say(f"shoal: {finding.cure}")


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
    from shoal.jobs import LadderOf, run

    settings = {
        "file": file,
        "column": column,
        "hierarchy": _pairs(hierarchy) or {},
        "output": output,
        "separator": separator,
        "encoding": encoding,
    }
    show(run(_job(LadderOf, settings)), as_json)


def _pairs(given: list[str] | None) -> dict[str, str] | None:
    """`COLUMN=SPEC` flags as a mapping."""
    from shoal.core.errors import BadParameter

    if given is None:
        return None
    pairs = {}
    for text in given:
        column, sign, spec = text.partition("=")
        if not sign or not column or not spec:
            raise BadParameter(f"--hierarchy takes COLUMN=FILE.csv or COLUMN=rule(…), not '{text}'")
        pairs[column] = spec
    return pairs


def _settings(verb: str, known: dict[str, str], config: str | None, flags: dict[str, Any]) -> dict[str, Any]:
    """The project file's settings with the flags on top; hierarchies are merged column by column."""
    settings: dict[str, Any] = {}
    if config is not None:
        from shoal.jobs.config import load

        settings = load(config, "table", verb, known)
    for key, value in flags.items():
        if value is None:
            continue
        if key == "hierarchy":
            value = {**settings.get(key, {}), **value}
        if key in ("model", "k") and flags.get("model") is None:
            settings.pop("model", None)  # --k alone asks for k-anonymity, not for the file's models as well
        if key == "model":
            settings.pop("k", None)
        settings[key] = value
    return settings


def _job(request: type[Any], settings: dict[str, Any]) -> Any:
    given = {key.replace("-", "_"): value for key, value in settings.items() if value is not None}
    given["data"] = given.pop("file", None)
    if "model" in given:
        given["model"] = (given["model"],) if isinstance(given["model"], str) else tuple(given["model"])
    return request(**given)
