"""How far a long job is, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable
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
