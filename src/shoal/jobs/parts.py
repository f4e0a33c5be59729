"""Parts of the catalog by their spelling, refused where they belong to another pillar."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from shoal import catalog
from shoal.catalog import Kind, Part
from shoal.core.contract import Model
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.spelling import split

_WORDS = {"table": "tables", "graph": "graphs", "query": "questions"}


def part_of(kind: Kind, spelling: str, noun: str) -> Any:
    """A part from its spelling; one that another pillar brought is refused, one of another package is not."""
    name, _ = split(spelling)
    if name not in catalog.names(kind):
        raise BadParameter(f"no {kind} '{name}'; there is {_ours(kind, noun)}")
    other = noun_of(kind, name)
    if other != noun and other in _WORDS:
        raise BadParameter(
            f"'{name}' is a {kind} for {_WORDS[other]}; for {_WORDS[noun]} there is {_ours(kind, noun)}"
        )
    return catalog.make(kind, spelling)


def parts_of(kind: Kind, given: Any, noun: str) -> list[Any]:
    """Parts from one spelling or object, or several of them."""
    several = given if isinstance(given, list | tuple) else [] if given is None else [given]
    return [given_part(kind, part, noun) for part in several]


def models_of(given: Any, k: int | None, noun: str, short: type[Any]) -> list[Any]:
    """Models from spellings or objects; `k` is short for one of them."""
    models = parts_of("model", given, noun)
    return models if k is None else [short(k), *models]


def check_size(model: Model[Any], size: int, what: str, one: str) -> None:
    """Refuse at once a number of rows or people alike that can never be reached."""
    if model.people > size:
        have = f"1 {one}" if size == 1 else f"{size:,} {one}s"
        raise BadParameter(
            f"k={model.people} is larger than the {what}, which has {have}; choose a smaller k"
        )


def given_part(kind: Kind, part: Any, noun: str) -> Any:
    """A part from its spelling, or the object itself."""
    if isinstance(part, str):
        return part_of(kind, part, noun)
    catalog.check(kind, type(part))
    return part


def noun_of(kind: Kind, part: Any) -> str:
    """The pillar that a part belongs to, given by its spelling or as an object."""
    if not isinstance(part, str):
        catalog.check(kind, type(part))
        return Part(kind, part.name, type(part)).noun
    name, _ = split(part)
    return Part(kind, name, catalog.find(kind, name)).noun


def _ours(kind: Kind, noun: str) -> str:
    return ", ".join(
        name
        for name in catalog.names(kind)
        if noun_of(kind, name) == noun or noun_of(kind, name) not in _WORDS
    )


def brought(kind: Kind) -> list[Any]:
    """What other packages registered, as far as it needs no parameters."""
    found = []
    for name in catalog.foreign(kind):
        with suppress(ShoalError):
            found.append(catalog.make(kind, name))
    return found


def with_settings(ruler: Any, named: Any, asked: Mapping[str, Any]) -> Any:
    """A part with what a request says, where its own spelling leaves it open."""
    said = split(named)[1] if isinstance(named, str) else {field.name: None for field in fields(ruler)}
    takes = {field.name for field in fields(ruler)} - set(said)
    return replace(ruler, **{name: value for name, value in asked.items() if name in takes})
