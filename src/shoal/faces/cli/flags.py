"""The flags that table commands share, and what a project file may say in their place."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.core.errors import BadParameter


def whole(text: str) -> int:
    """A whole number from a flag."""
    try:
        return int(text)
    except ValueError:
        raise BadParameter(f"'{text}' is not a whole number; give one such as 5") from None


def number(text: str) -> float:
    """A number from a flag."""
    try:
        return float(text)
    except ValueError:
        raise BadParameter(f"'{text}' is not a number; give one such as 0.05") from None


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
K = Annotated[
    int | None,
    typer.Option("--k", parser=whole, metavar="N", help="Short for --model k-anonymity(k=N)."),
]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        "--step", help='A change to make before, as in "noise(column=income)"; in this order. Repeatable.'
    ),
]
Suppress = Annotated[
    float | None,
    typer.Option(parser=number, metavar="SHARE", help="Share of rows that may be left out, 0 to 1."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(parser=number, metavar="SECONDS", help="Seconds after which the best so far will do."),
]
Population = Annotated[str | None, typer.Option(help="Everybody the table was drawn from.")]
Join = Annotated[
    list[str] | None,
    typer.Option("--join", help="Another table about the same people, joined by --person. Repeatable."),
]
Person = Annotated[str | None, typer.Option(help="The column that says who is who in joined tables.")]
UndeclaredColumns = Annotated[
    str | None,
    typer.Option(
        "--undeclared",
        help="Columns without a role: drop (default) leaves them out, refuse stops, keep releases them.",
    ),
]
Seed = Annotated[
    int | None, typer.Option(parser=whole, metavar="N", help="Makes the order of rows repeatable.")
]

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
    "step": "texts",
    "method": "text",
    "suppress": "number",
    "objective": "text",
    "class-column": "text",
    "time-limit": "number",
    "seed": "whole",
    "population": "text",
    "join": "texts",
    "person": "text",
    "undeclared": "text",
    "escape-formulas": "flag",
}
COMPARE = {
    **SHARED,
    "output": "text",
    "model": "texts",
    "k": "numbers",
    "method": "texts",
    "suppress": "numbers",
    "objective": "text",
    "class-column": "text",
    "risk": "text",
    "utility": "text",
    "time-limit": "number",
    "seed": "whole",
}
VERIFY = {**SHARED, "population": "text", "model": "texts", "k": "whole"}
MEASURE = {
    **SHARED,
    "original": "text",
    "population": "text",
    "population-size": "whole",
    "sampling-fraction": "number",
    "threshold": "number",
    "combinations": "whole",
    "safe-harbor": "flag",
    "class-column": "text",
    "weight": "texts",
    "k": "whole",
}
ATTACK = {
    **SHARED,
    "attack": "text",
    "external": "text",
    "target": "texts",
    "other": "texts",
    "original": "text",
    "control": "text",
    "show": "whole",
    "seed": "whole",
}
REPORT = {
    **SHARED,
    "output": "text",
    "pdf": "text",
    "title": "text",
    "model": "texts",
    "k": "whole",
    "original": "text",
    "external": "text",
    "other": "texts",
    "control": "text",
    "population": "text",
    "attack": "texts",
    "time-limit": "number",
}
