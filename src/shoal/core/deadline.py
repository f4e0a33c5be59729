"""A time by which work must end: set by those who wait, looked at by those who work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from shoal.core.errors import ShoalError
from shoal.core.progress import Progress

_END: ContextVar[float | None] = ContextVar("end", default=None)


class OutOfTime(ShoalError):
    """Work that was given up because its time was over."""

    exit_code = 1


@contextmanager
def until(end: float | None) -> Iterator[None]:
    """Whoever looks at the time in here after `end` (of `time.monotonic`) gives up; None is no end."""
    token = _END.set(end)
    try:
        yield
    finally:
        _END.reset(token)


def check_time() -> None:
    """Give up if the time is over; called in every loop and before every step that may take long."""
    end = _END.get()
    if end is not None and time.monotonic() >= end:
        raise OutOfTime("not finished within its time")


def give_up_in_time(_state: Progress) -> None:
    """The same for a method, which tells how far it is while it searches."""
    check_time()
