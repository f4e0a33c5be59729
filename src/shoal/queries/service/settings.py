"""How the service behaves: how often people may ask, how many at a time."""

from __future__ import annotations

import math
import os
import random
from dataclasses import dataclass, field, fields
from fractions import Fraction

from shoal.core.errors import BadParameter


def _workers() -> int:
    # Twice the cores: half of them wait for the ledger's disk, all in one commit. One more than that, because
    # a person leaves one to others (`python -m benchmarks queries --only service`: 142 answers a second with
    # 3, 177 with 5, 165 with 9, on two busy cores).
    return 2 * max(1, min(8, os.cpu_count() or 1)) + 1


_EARLIER = 0.2  # of the time that a question has
SOONEST = 0.001  # seconds; earlier times are none that a clock of ours could keep


@dataclass(frozen=True)
class Settings:
    """Figures with defaults that suit one machine and a team."""

    rate: float = 50.0  # requests per second of a person
    burst: float = 100.0
    failures: float = 1.0  # wrong tokens per second from an address
    failures_burst: float = 20.0
    workers: int = field(default_factory=_workers)
    waiting: int = 64  # requests that may wait for a worker before others are sent away
    deadline: float = 30.0  # seconds in which a question must be done; what is not is ended in the engine
    first_bucket: float = 0.1  # answers leave after this, 3 times this, 10 times this … seconds
    answer_after: float = 0.0  # seconds after which every answer leaves; 0 for the buckets above
    least_epsilon: float = 1e-3  # a question costs no less: the times of many have an average
    blur: float = 0.05  # seconds: what is not a question is looked at after a time up to this, drawn for each
    connections: int = 1000  # at a time, fewer where the system has not so many descriptors
    connections_each: int = 100  # of one address; behind a proxy, which is one address, as many as in all

    def within(self) -> float:
        """Seconds that a question may take; with some left to make the answer where its time is fixed.

        Drawn anew for each, up to a fifth less: else one row would decide whether a question tuned to the
        end is done in time, and an answer without rows would tell.
        """
        most = min(self.deadline, 0.9 * self.answer_after) if self.answer_after else self.deadline
        return most * (1 - _EARLIER * random.SystemRandom().random())

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            least = {
                "waiting": 0,
                "workers": 1,
                "burst": 1,
                "failures_burst": 1,
                "connections": 1,
                "connections_each": 1,
                "least_epsilon": 0,
                "answer_after": 0,
                "blur": 0,
            }.get(part.name)
            if part.name == "answer_after" and 0 < value < SOONEST:
                raise BadParameter(f"answer_after is {value}; it must be 0, or {SOONEST} seconds or more")
            right = math.isfinite(value) and (value > 0 if least is None else value >= least)
            if not right or (part.type == "int" and not isinstance(value, int)):
                asked = "above 0" if least is None else f"{least} or more"
                raise BadParameter(f"{part.name} is {value}; it must be a number, {asked}")

    def check_worth(self, epsilon: Fraction) -> None:
        """Refuse a question that costs next to nothing."""
        least = Fraction(repr(self.least_epsilon))
        if epsilon < least:
            raise BadParameter(
                f"ε of {float(epsilon):g} is too little for a question; {float(least):g} is the least here"
            )
