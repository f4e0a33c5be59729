"""How long a question may be thought about: work that follows from the text alone, and still has an end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from shoal.core.errors import NotAllowed

SECONDS = 5.0  # of work, not on the clock: a busy machine must not refuse what an idle one answers
_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def within(seconds: float = SECONDS) -> Iterator[None]:
    """Whatever asks `go_on` in here is refused after so many seconds of this thread's work."""
    before = _until.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _until.reset(before)


def go_on() -> None:
    """Raises NotAllowed when the time is over; outside of `within` there is no end."""
    until = _until.get()
    if until is not None and time.thread_time() > until:
        raise NotAllowed("the question takes too long to understand; ask in several steps")
