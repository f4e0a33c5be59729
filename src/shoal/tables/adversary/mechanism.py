"""What the record beside a release tells about how it was made: the promises, and when a method goes on.

Most methods of generalisation coarsen no more than their models ask for. Which finer table such a method
would have preferred, and who shares the blame when that one was refused, depends on the method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.core.errors import BadParameter
from shoal.core.spelling import build, split
from shoal.tables.manifest import Manifest

# What is made finer in one step: a column of the whole table, a label wherever it stands, or one class.
Reach = Literal["column", "label", "class"]
REACHES: tuple[Reach, ...] = ("column", "label", "class")
# Missing are methods of which a coarse class proves nothing: local-recoding and cell-suppression treat many
# rows at once and do not come back to cut a class further, others add noise.
REACH: dict[str, Reach] = {
    "heuristic": "column",
    "mondrian": "class",
    "optimal": "column",
    "top-down": "label",
}


@dataclass(frozen=True)
class _Written:
    """The parameters of the models that this module can read."""

    name: ClassVar[str] = "model"

    k: int | None = None
    l: float | None = None  # noqa: E741  the papers' letter
    kind: str = "distinct"
    c: float | None = None
    alpha: float | None = None
    h: float | None = None
    values: tuple[str, ...] = ()
    column: str | None = None


@dataclass(frozen=True)
class Bound:
    """How often one value may occur in a class before a promise is broken.

    By `share` the answer is exact. With fewer than l `distinct` values, some value occurs more often than
    `may_break` says; where one occurs more often than `must_break`, there are fewer than l.
    """

    model: str
    by: Literal["share", "distinct"]
    figure: float  # the largest share, or l
    values: tuple[str, ...] = ()  # the values it speaks of, none for all

    @property
    def promised(self) -> float:
        """The confidence that a reader takes the promise to rule out."""
        return self.figure if self.by == "share" else 1 / self.figure


@dataclass(frozen=True)
class Promised:
    """What a release promises about one sensitive column, as an attacker can use it."""

    k: int
    bounds: tuple[Bound, ...]
    unread: tuple[str, ...]  # models that may have stopped a method as well, and that nobody here can read


def promised(manifest: Manifest, column: str, sensitive: Sequence[str]) -> Promised:
    """The promises of a record about one of the sensitive columns."""
    k, bounds, unread = 1, [], []
    for text in manifest.models:
        name, given = split(text)
        try:
            asked = build(_Written, given)
        except BadParameter:
            unread.append(text)
            continue
        k = max(k, asked.k or 1)
        bound = _bound(text, name, asked)
        if name == "k-anonymity":
            continue
        # A promise about another column may be what stopped the method.
        about = {asked.column} if asked.column is not None else set(sensitive)
        if bound is None or about != {column}:
            unread.append(text)
        else:
            bounds.append(bound)
    return Promised(k, tuple(bounds), tuple(unread))


def _bound(text: str, name: str, asked: _Written) -> Bound | None:
    if name == "l-diversity" and asked.l is not None:
        if asked.kind == "probabilistic":
            return Bound(text, "share", 1 / asked.l)
        return Bound(text, "distinct", asked.l) if asked.kind == "distinct" and asked.l > 1 else None
    if name == "alpha-k-anonymity" and asked.alpha is not None:
        return Bound(text, "share", asked.alpha, asked.values)
    if name == "confidence-bounding" and asked.h is not None:
        return Bound(text, "share", asked.h, asked.values)
    return None


def may_break(bound: Bound, size: int) -> int:
    """A class of a size cannot break the promise unless some value occurs more often than this."""
    if bound.by == "share":
        return math.floor(bound.figure * size * (1 + 1e-12))
    return -(-size // int(bound.figure - 1)) - 1


def must_break(bound: Bound, size: int) -> int:
    """A class of a size breaks the promise when some value occurs more often than this."""
    if bound.by == "share":
        return may_break(bound, size)
    return size - int(bound.figure) + 1


def only_k(manifest: Manifest) -> int:
    """The k of a release that promises k-anonymity and nothing else; 0 of any other."""
    found = [split(text) for text in manifest.models]
    if not found or any(name != "k-anonymity" for name, _ in found):
        return 0
    return max(int(given["k"]) for _, given in found)
