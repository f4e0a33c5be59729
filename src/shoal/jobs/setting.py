"""A setting is written once, as a field of its request: keyword argument, flag and word of the project file.

A field without `setting` is for Python alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

Kind = Literal[
    "text",
    "texts",  # repeatable on a command line
    "columns",  # a,b,c there, and a list in a project file
    "path",  # relative to the project file
    "paths",
    "mapping",  # COLUMN=SPEC there, repeatable
    "whole",
    "number",
    "numbers",  # 2,5,10 there
    "exact",  # a number that is read to its last digit
    "flag",
]
SEVERAL: tuple[Kind, ...] = ("texts", "paths")


@dataclass(frozen=True)
class Setting:
    """How a command line asks for a field, and what a project file may say in its place."""

    kind: Kind
    help: str
    metavar: str | None = None
    short: str | None = None
    placed: bool = False  # known by its place on the command line, not by a flag
    last: bool = False  # shown after the others: how to read, not what to do


def setting(
    default: Any,
    kind: Kind,
    help: str,
    *,
    metavar: str | None = None,
    short: str | None = None,
    placed: bool = False,
    last: bool = False,
) -> Any:
    """A field that is a flag and a word of the project file too; a function makes its default."""
    told = {"setting": Setting(kind, help, metavar, short, placed, last)}
    if callable(default):
        return field(default_factory=default, metadata=told)
    return field(default=default, metadata=told)


def known(request: type[Request]) -> dict[str, Setting]:
    """The settings of a request by their words, as in `time-limit`."""
    return {word_of(one.name): one.metadata["setting"] for one in fields(request) if one.metadata}


def word_of(name: str) -> str:
    """A field as flags and project files spell it."""
    return "file" if name == "data" else name.replace("_", "-")


def name_of(word: str) -> str:
    """A word of a flag or project file as Python spells it."""
    return "data" if word == "file" else word.replace("-", "_")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What every request has: where the data are, and how to read them."""

    noun: ClassVar[str]
    verb: ClassVar[str]

    data: Any = None
    separator: str | None = setting(
        None, "text", "The separator of text files, when detection is wrong.", last=True
    )
    encoding: str | None = setting(
        None, "text", "The encoding of text files, when detection is wrong.", last=True
    )
