"""The flags that query commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import whole
from shoal.jobs.graphs.requests import AskGraph
from shoal.jobs.request import known

TOKEN = "SHOAL_TOKEN"

Data = Annotated[
    list[str] | None,
    typer.Option("--data", help="A private table, NAME=FILE. Repeatable.", metavar="NAME=FILE"),
]
Public = Annotated[
    list[str] | None,
    typer.Option(
        "--public", help="A table about nobody, NAME=FILE, to join with. Repeatable.", metavar="NAME=FILE"
    ),
]
Parent = Annotated[
    list[str] | None,
    typer.Option(
        "--parent",
        help="A private table without the unit hangs on another one, TABLE=COLUMN:PARENT.KEY:ROWS, as in "
        "orders=customer_id:customers.id:10: of each row of the parent at most ROWS count (1). Repeatable.",
        metavar="TABLE=COLUMN:PARENT.KEY:ROWS",
    ),
]
Encoding = Annotated[
    str | None, typer.Option(help="The encoding of text files, when detection is wrong.", metavar="TEXT")
]
Unit = Annotated[
    str | None, typer.Option(help="The column that tells whose row it is, in every private table.")
]
Bounds = Annotated[
    list[str] | None,
    typer.Option(
        "--bounds",
        metavar="COLUMN=LOW:HIGH",
        help="What a number may be, from common knowledge and never from the data. Repeatable.",
    ),
]
Keys = Annotated[
    list[str] | None,
    typer.Option(
        "--keys", metavar="COLUMN=A,B,C", help="All values that may be shown as groups: sex=F,M. Repeatable."
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind", metavar="COLUMN=KIND", help="integer, number, text, boolean, date or timestamp. Repeatable."
    ),
]
Rows = Annotated[
    int | None,
    typer.Option("--rows", parser=whole, metavar="N", help="How many rows one person may have. Default: 1."),
]
Groups = Annotated[
    int | None,
    typer.Option(
        "--groups", parser=whole, metavar="N", help="In how many groups of an answer a person may count."
    ),
]
Epsilon = Annotated[
    str | None, typer.Option("--epsilon", metavar="E", help="What the question may cost, often 0.1 to 1.")
]
Delta = Annotated[
    str | None, typer.Option("--delta", metavar="D", help="Its δ, for groups that are found in the data.")
]
_HOW = "approximate (default), pure, zcdp or pld; with all groups listed zcdp-listed or pld-listed."
Accounts = Annotated[str | None, typer.Option("--accounting", help=_HOW)]
Budget = Annotated[
    str | None,
    typer.Option("--budget", metavar="E", help=known(AskGraph)["budget"].help),
]
LedgerFile = Annotated[str | None, typer.Option("--ledger", help=known(AskGraph)["ledger"].help)]
Config = Annotated[str | None, typer.Option("--config", help="A project file with a section [query].")]
DatasetName = Annotated[str | None, typer.Option("--dataset", help="Which data set, when there are several.")]
Analyst = Annotated[str | None, typer.Option("--analyst", help="Who asks. Default: the owner.")]
ServiceUrl = Annotated[
    str | None,
    typer.Option(
        "--service", metavar="URL", help=f"A running service; the token comes from ${TOKEN} or --token-file."
    ),
]
TokenFile = Annotated[str | None, typer.Option("--token-file", help="A file with the token for --service.")]


def token(file: str | None) -> str:
    """The token for a service. No flag takes it: a command line is seen by everybody on the machine."""
    if file is None:
        found = os.environ.get(TOKEN, "")
        if not found.strip():
            raise BadParameter(
                f"no token for the service; set the variable {TOKEN}, or give --token-file FILE"
            )
        return found.strip()
    try:
        found = Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadParameter(
            f"cannot read a token from '{file}' ({type(error).__name__}); check the file"
        ) from None
    if not found.strip():
        raise BadParameter(f"'{file}' is empty; put the token that the owner gave you into it")
    return found.strip()


def alone(flag: str, others: dict[str, object]) -> None:
    """Refuse flags that mean nothing beside another."""
    for name, value in others.items():
        if value not in (None, False, [], {}):
            raise BadParameter(f"--{name} and {flag} do not go together; leave one of them out")
