"""How long a request with many parts may take, and what is said of a part that did not end."""

from __future__ import annotations

import time

from shoal.core.deadline import OutOfTime


class TimeLimit:
    """So many seconds from now on, for all parts together; None is no end."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.end = seconds, None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end

    @property
    def words(self) -> str:
        """Why a part was not begun."""
        return f"the time limit of {self.seconds:g} s was over; give --time-limit more"

    def given_up(self, error: OutOfTime) -> str:
        """Why a part that was at work has no result."""
        return f"it was {error} of {self.seconds:g} s; give --time-limit more"
