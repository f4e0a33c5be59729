"""Work that is done together with other work of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Done = TypeVar("Done")


@dataclass(frozen=True, eq=False)
class Joint(Generic[Done]):
    """A piece of work that is done together with others of its kind that wait at the same time.

    `do_all` gets the pieces and gives the result of each, or the error to raise instead, or what is to be
    done `Apart` from the others.
    """

    piece: Any
    do_all: Callable[[list[Any]], Sequence[Done | Exception | Apart[Done]]]


@dataclass(frozen=True, eq=False)
class Apart(Generic[Done]):
    """What is left of a piece of joint work that takes long: nobody else waits for it."""

    work: Callable[[], Done]


def do_all(works: list[Joint[Any]]) -> list[Any]:
    """What becomes of each piece; those of one kind are done together."""
    kinds: dict[Callable[[list[Any]], Sequence[Any]], list[int]] = {}
    for place, work in enumerate(works):
        kinds.setdefault(work.do_all, []).append(place)
    found: dict[int, Any] = {}
    for do_all, places in kinds.items():
        found |= zip(places, do_all([works[place].piece for place in places]), strict=True)
    return [found[place] for place in range(len(works))]
