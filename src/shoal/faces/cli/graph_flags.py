"""The flags that graph commands share, and what a project file may say in their place."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.faces.cli.flags import whole

GraphFile = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="An edge list as text, CSV, TSV or Parquet, GraphML or GML; - is standard input.",
    ),
]
GraphModels = Annotated[
    list[str] | None, typer.Option("--model", help='A promise, as in "k-degree(k=10)". Repeatable.')
]
KDegree = Annotated[
    int | None, typer.Option("--k", parser=whole, metavar="N", help="Short for --model k-degree(k=N).")
]
Directed = Annotated[
    bool | None,
    typer.Option("--directed", help="An edge runs one way: a,b is another one than b,a."),
]
KindsOf = Annotated[
    str | None, typer.Option("--kinds", help="What every node is, for promises that compare it.")
]
GraphSeed = Annotated[
    int | None, typer.Option(parser=whole, metavar="N", help="Makes the release repeatable.")
]

SHARED = {
    "file": "text",
    "separator": "text",
    "encoding": "text",
    "directed": "flag",
    "kinds": "text",
}
PROTECT = {
    **SHARED,
    "output": "text",
    "model": "texts",
    "k": "whole",
    "method": "text",
    "seed": "whole",
    "labels": "text",
    "mapping": "text",
}
VERIFY = {**SHARED, "model": "texts", "k": "whole"}
MEASURE = {
    **SHARED,
    "original": "text",
    "mapping": "text",
    "exact": "flag",
    "sample": "whole",
    "x-min": "whole",
    "seed": "whole",
    "chart": "text",
}
ASK = {**SHARED, "mechanism": "text", "budget": "number", "ledger": "text"}
