"""Flags from the fields of a request, and the few that are the command line's own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.settings import Typed, pairs_of
from shoal.jobs.setting import Kind, Request, Setting, known


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


Config = Annotated[str | None, typer.Option("--config", help="A project file; flags override it.")]
SaveConfig = Annotated[str | None, typer.Option(help="Write these settings as a project file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]

# What Typer makes of a kind, where it is not one text.
_TYPES: dict[Kind, Any] = {
    **dict.fromkeys(("texts", "paths", "mapping"), list[str] | None),
    "whole": int | None,
    "number": float | None,
    "flag": bool | None,
}
_PARSERS: dict[Kind, Callable[[str], Any]] = {"whole": whole, "number": number}


def flagged(
    request: type[Request], without: Collection[str] = (), config: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose flags are the settings of a request, `without` some, and what its function adds.

    All of them are optional, so that a project file can give them; the function gets them as `Typed`.
    """
    asked = {word: one for word, one in known(request).items() if word not in without}

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def called(**given: Any) -> None:
            flags = {word: given.pop(word.replace("-", "_")) for word in asked}
            if "hierarchy" in flags:
                flags["hierarchy"] = pairs_of(flags["hierarchy"])
            function(Typed(request, flags, given.pop("config", None)), **given)

        made = [parameter(word, one) for word, one in sorted(asked.items(), key=_order)]
        if config:
            made.append(_parameter("config", Config))
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        keyword = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*made, *own)]
        called.__signature__ = inspect.Signature(keyword)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in keyword}
        return called

    return decorate


def parameter(word: str, setting: Setting) -> inspect.Parameter:
    """A setting as Typer reads it from a signature."""
    look: dict[str, Any] = {"help": setting.help, "metavar": setting.metavar}
    if setting.metavar is not None:  # else Typer reads numbers itself, and says what it wants
        look["parser"] = _PARSERS.get(setting.kind)
    short = [] if setting.short is None else [setting.short]
    info = typer.Argument(**look) if setting.placed else typer.Option(f"--{word}", *short, **look)
    return _parameter(word.replace("-", "_"), Annotated[_TYPES.get(setting.kind, str | None), info])


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _order(item: tuple[str, Setting]) -> bool:
    """How to read a file is told after what to do with it."""
    return item[1].last
