"""What the record beside a release tells about how it was made: the promises, and when a method goes on.

Most methods of generalisation coarsen no more than their models ask for. Which finer table such a method
would have preferred, and who shares the blame when that one was refused, depends on the method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from shoal import catalog
from shoal.core.contract import ClassModel, Method, Refines
from shoal.core.errors import BadParameter
from shoal.core.frequency_bound import Bound
from shoal.tables.manifest import Manifest

REACHES: tuple[Refines, ...] = get_args(Refines)


def method_of(manifest: Manifest | None) -> type[Method[Any, Any, Any]] | None:
    """The method that made a release; None where nobody here knows it. The catalog is no secret."""
    return None if manifest is None else catalog.known("method", manifest.method)


def rows_made_up(method: str) -> bool:
    """Whether a method draws or changes rows by chance, so that none is anybody's."""
    found = catalog.known("method", method)
    return found is not None and found.made_up


@dataclass(frozen=True)
class ColumnPromises:
    """What a release promises about one sensitive column, as an attacker can use it."""

    k: int
    bounds: tuple[Bound, ...]
    unread: tuple[str, ...]  # models that may have stopped a method as well, and that nobody here can read


def read_promises(manifest: Manifest, column: str, sensitive: Sequence[str]) -> ColumnPromises:
    """The promises of a record about one of the sensitive columns."""
    k, bounds, unread = 1, [], []
    for text in manifest.models:
        try:
            model: ClassModel[Any] = catalog.make("model", text)
        except BadParameter:
            unread.append(text)
            continue
        k = max(k, model.people)
        if model.people and model.reads == "sizes":
            continue
        # A promise about another column may be what stopped the method.
        about = {model.column} if model.column is not None else set(sensitive)
        if model.bound is None or about != {column}:
            unread.append(text)
        else:
            bounds.append(model.bound)
    return ColumnPromises(k, tuple(bounds), tuple(unread))


def excluded_confidence(bound: Bound) -> float:
    """The confidence that a reader takes a promise to rule out."""
    return bound.figure if bound.by == "share" else 1 / bound.figure


def may_break(bound: Bound, size: int) -> int:
    """A class of a size cannot break the promise unless some value occurs more often than this.

    By `share` the answer is exact. With fewer than l `distinct` values, some value occurs more often than
    this; where one occurs more often than `must_break`, there are fewer than l.
    """
    if bound.by == "share":
        return math.floor(bound.figure * size * (1 + 1e-12))
    return -(-size // int(bound.figure - 1)) - 1


def must_break(bound: Bound, size: int) -> int:
    """A class of a size breaks the promise when some value occurs more often than this."""
    if bound.by == "share":
        return may_break(bound, size)
    return size - int(bound.figure) + 1


def only_k(manifest: Manifest) -> int:
    """The k of a release that promises how many rows look alike and nothing else; 0 of any other."""
    try:
        models: list[ClassModel[Any]] = [catalog.make("model", text) for text in manifest.models]
    except BadParameter:
        return 0
    plain = bool(models) and all(model.people and model.reads == "sizes" for model in models)
    return max(model.people for model in models) if plain else 0
