"""From what is typed to a request: flags from its fields, above the settings of a project file."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.commands import parameter_of, with_signature
from shoal.jobs.request import Kind, Request, Setting, known

Config = Annotated[str | None, typer.Option("--config", help="A project file; flags override it.")]
SaveConfig = Annotated[str | None, typer.Option(help="Write these settings as a project file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


@dataclass(frozen=True)
class Typed:
    """What somebody typed: the flags of a request, and perhaps the project file that they stand above."""

    request: type[Request]
    flags: dict[str, Any]
    config: str | None = None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The project file's settings with the flags on top; hierarchies are merged column by column."""
        found: dict[str, Any] = {}
        if self.config is not None:
            from shoal.jobs.config import load

            found = load(self.config, self.request)
        for key, value in self.flags.items():
            if value is None:
                continue
            if key == "hierarchy":
                value = {**found.get(key, {}), **value}
            if key in ("model", "k") and self.flags.get("model") is None:
                found.pop("model", None)  # --k alone asks for that, not for the file's models as well
            if key == "model":
                found.pop("k", None)
            found[key] = value
        return found

    def about(self, request: type[Request]) -> Typed:
        """The same words for another request, which must know all of them."""
        given = {word: value for word, value in self.flags.items() if value is not None}
        knows = known(request)
        for word in given:
            if word not in knows:
                flags = ", ".join(f"--{one}" for one, asked in knows.items() if not asked.placed)
                raise BadParameter(f"--{word} is not for a {request.noun}; {request.verb} takes {flags}")
        return replace(self, request=request, flags=given)

    def job(self) -> Any:
        """The request that they make."""
        given = {word.replace("-", "_"): value for word, value in self.settings.items() if value is not None}
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        return self.request(**{"data" if name == "file" else name: value for name, value in given.items()})


def with_flags(
    request: type[Request],
    without: Collection[str] = (),
    also: type[Request] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose flags are the settings of a request that it has flags for, `without` some, and what
    its function adds.

    All of them are optional, so that a project file can give them; the function gets them as `Typed`.
    A command about two subjects has the flags of the other one `also`, and chooses with `Typed.about`.
    """
    both = {**({} if also is None else known(also)), **known(request)}
    asked = {word: one for word, one in both.items() if word not in (*without, *request.flagless)}

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def called(**given: Any) -> None:
            flags = {word: given.pop(word.replace("-", "_")) for word in asked}
            if flags.get("hierarchy") is not None:
                flags["hierarchy"] = pairs_of(flags["hierarchy"])
            config = given.pop("config", None) if request.filed else None
            function(Typed(request, flags, config), **given)

        # How to read a file is told after what to do with it.
        made = [parameter(word, one) for word, one in sorted(asked.items(), key=lambda item: item[1].last)]
        if request.filed:
            made.append(parameter_of("config", Config))
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        told = sorted((*made, *own), key=lambda one: one.name != "data")  # what it is about comes first
        return with_signature(called, [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in told])

    return decorate


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


# What Typer makes of a kind, where it is not one text.
_TYPES: dict[Kind, Any] = {
    **dict.fromkeys(("texts", "paths", "mapping"), list[str] | None),
    "whole": int | None,
    "number": float | None,
    "flag": bool | None,
}
_PARSERS: dict[Kind, Callable[[str], Any]] = {"whole": whole, "number": number}


def parameter(word: str, setting: Setting) -> inspect.Parameter:
    """A setting as Typer reads it from a signature."""
    look: dict[str, Any] = {"help": setting.help, "metavar": setting.metavar}
    if setting.metavar is not None:  # else Typer reads numbers itself, and says what it wants
        look["parser"] = _PARSERS.get(setting.kind)
    short = [] if setting.short is None else [setting.short]
    info = typer.Argument(**look) if setting.placed else typer.Option(f"--{word}", *short, **look)
    return inspect.Parameter(
        word.replace("-", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[_TYPES.get(setting.kind, str | None), info],
    )


# A column name that holds an equals sign stands in double quotes: "a=b"=mask().
_PAIR = re.compile(r'(?:"((?:[^"]|"")+)"|([^=]+))=(.+)', re.DOTALL)


def pairs_of(given: list[str]) -> dict[str, str]:
    """`COLUMN=SPEC` flags as a mapping."""
    pairs: dict[str, str] = {}
    for text in given:
        found = _PAIR.fullmatch(text)
        if not found:
            raise BadParameter(f"--hierarchy takes COLUMN=FILE.csv or COLUMN=rule(…), not '{text}'")
        column = found[1].replace('""', '"') if found[1] else found[2]
        if column in pairs:
            raise BadParameter(f"--hierarchy names '{column}' twice, as {pairs[column]} and {found[3]}")
        pairs[column] = found[3]
    return pairs
