"""When an answer leaves: at one of a few times, so that the clock tells next to nothing about rows.

How long a question takes depends on the rows. An answer therefore waits for the next of 0.1, 0.3, 1, 3, 10 …
seconds after its question came, or for the one time that the owner chose. `sql/work.py` sees to it that one
person's rows move the real time by thousandths of a second only.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

from shoal.queries.service.settings import Settings

_STEPS = (1.0, 3.0)


def leaves_after(seconds: float, first: float, fixed: float = 0.0) -> float:
    """The time after the question at which an answer that was ready after so many seconds leaves."""
    if fixed:
        return fixed * max(1, math.ceil(seconds / fixed))
    while True:
        for step in _STEPS:
            if seconds <= first * step:
                return first * step
        first *= 10


class Clock:
    """One question's: it begins when the question has come."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._now = settings, now
        self._begun = now()

    async def strike(self) -> None:
        """Wait until the answer may leave."""
        taken = self._now() - self._begun
        settings = self._settings
        await asyncio.sleep(leaves_after(taken, settings.first_bucket, settings.answer_after) - taken)
