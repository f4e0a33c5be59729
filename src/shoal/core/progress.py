"""How far a long job is, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a long job is: work done, the best value so far, the bound that no result can beat."""

    done: int
    open: int
    best: float | None
    bound: float | None


Watch = Callable[[Progress], None]


# How many parts of a job are done, how many there are (0: not known yet), and the one at work.
Follow = Callable[[int, int, str], None]

_FOLLOW: ContextVar[Follow | None] = ContextVar("follow", default=None)


@contextmanager
def following(follow: Follow | None) -> Iterator[None]:
    """Whoever tells how far they are in here is heard by `follow`."""
    token = _FOLLOW.set(follow)
    try:
        yield
    finally:
        _FOLLOW.reset(token)


def tell(done: int, parts: int, at_work: str) -> None:
    """Say how far a long job is, to whoever wants to hear it."""
    follow = _FOLLOW.get()
    if follow is not None:
        follow(done, parts, at_work)
