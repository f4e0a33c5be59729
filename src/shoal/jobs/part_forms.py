"""A part of the catalog as a form: its parameters, of what kind they are, and its plain sentence."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal

from shoal import catalog
from shoal.catalog import Catalog, Kind
from shoal.core.contract import AttackKind
from shoal.core.part_syntax import build, spell, split
from shoal.tables.appraisal.losses import LOSSES

Form = dict[str, Any]

# Parameters that mean the same wherever they are.
USUAL = {
    "column": "the sensitive column it speaks of; leave it open for each of them",
    "values": "the values to protect, with | between them; leave it open for all",
}


def forms_of(kind: Kind, noun: str) -> list[Form]:
    """A form for every part of a kind: its name, promise, paper and parameters."""
    return [
        {
            "name": part.name,
            "promise": _of_groups(part.promise.replace("`", "")),
            "paper": part.paper,
            "stops": list(part.cls.stops) if kind == "model" else [],
            "question": part.cls.question if kind == "model" else "",
            "mechanisms": list(part.cls.mechanisms) if kind == "model" else [],
            "parameters": parameters_of(part.cls),
        }
        for part in Catalog.whole().parts
        if part.kind == kind and part.noun == noun
    ]


def _of_groups(promise: str) -> str:
    """What papers call a class is a group to everybody else."""
    return re.sub(r"\bclass(es)?\b", lambda found: "groups" if found[1] else "group", promise)


def questions_of(forms: list[Form]) -> list[Form]:
    """The forms of models that answer a question, in the order of what an attacker is after."""
    order = typing.get_args(AttackKind)
    asked = [form for form in forms if form["question"]]
    return sorted(asked, key=lambda form: min(order.index(kind) for kind in form["stops"]))


def parameters_of(cls: type[Any]) -> list[Form]:
    """Every parameter: its name in a spelling and in words, its kind, choices, default, one to begin with."""
    hints = typing.get_type_hints(cls)
    _, tried = split(f"x({cls.example})") if cls.example else ("", {})
    found = []
    for one in dataclasses.fields(cls):
        word = one.name.replace("_", "-")
        kind, choices = _kind(hints[one.name])
        needed = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        default = None if needed or one.default is dataclasses.MISSING else one.default
        found.append(
            {
                "name": word,
                "words": cls.asks.get(one.name, USUAL.get(one.name, "")),
                "kind": kind,
                "choices": choices,
                "needed": needed,
                "default": "|".join(default) if isinstance(default, tuple) else default,
                "example": tried.get(word, ""),
            }
        )
    return found


def filled_in(kind: Kind, name: str, given: Mapping[str, str]) -> Form:
    """A part from what was filled in: its spelling, and what it promises or does in one sentence."""
    part = build(catalog.find(kind, name), {word: text for word, text in given.items() if text != ""})
    return {"spelling": spell(part), "words": in_words(part)}


def described(kind: Kind, spelling: str) -> Form:
    """A part from its spelling: its name, what was filled in, and the sentence."""
    name, given = split(spelling)
    return {"name": name, "given": given, "words": in_words(catalog.make(kind, spelling))}


def in_words(part: Any) -> str:
    """The plain sentence of a model or a method."""
    return str(part.in_words() if callable(part.in_words) else part.in_words)


def _kind(hint: Any) -> tuple[str, list[str]]:
    if typing.get_origin(hint) in (typing.Union, UnionType):
        inner = [one for one in typing.get_args(hint) if one is not NoneType]
        return _kind(inner[0])
    if typing.get_origin(hint) is Literal:
        return "choice", [str(one) for one in typing.get_args(hint)]
    if typing.get_origin(hint) is tuple:
        return "texts", []
    return {int: "whole", float: "number", bool: "flag"}.get(hint, "text"), []


def objectives_in_words() -> dict[str, str]:
    """What a search can be asked to keep, by name, each with a plain sentence."""
    return {loss.name: f"{loss.name}: {loss.in_words}" for loss in LOSSES}
