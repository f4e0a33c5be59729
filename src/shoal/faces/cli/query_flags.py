"""The flags that query commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from shoal.core.errors import BadParameter
from shoal.jobs.queries.question_requests import LEDGER, SERVICE, TOKEN

Data = Annotated[
    list[str] | None,
    typer.Option("--data", help="A private table, NAME=FILE. Repeatable.", metavar="NAME=FILE"),
]
Delta = Annotated[
    str | None, typer.Option("--delta", metavar="D", help="Its δ, for groups that are found in the data.")
]
LedgerFile = Annotated[str | None, typer.Option("--ledger", help=LEDGER)]
Config = Annotated[str | None, typer.Option("--config", help="A project file with a section [query].")]
DatasetName = Annotated[str | None, typer.Option("--dataset", help="Which data set, when there are several.")]
Analyst = Annotated[str | None, typer.Option("--analyst", help="Who asks. Default: the owner.")]
ServiceUrl = Annotated[str | None, typer.Option("--service", metavar="URL", help=SERVICE)]
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
