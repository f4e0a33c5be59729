"""How long something has taken: by the clock on the wall, or by the work that was done.

A limit that somebody sets is one of the wall. A limit that a method sets itself must not make its result
depend on what else runs on the machine, or on whether loops were compiled before: that one counts work.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from shoal.core.compiled import seconds_compiling

_WORK: ContextVar[bool] = ContextVar("work", default=False)


def now() -> float:
    """Seconds since some moment: of the wall, or within `counting_work` of this thread's own work."""
    return time.thread_time() - seconds_compiling() if _WORK.get() else time.monotonic()


@contextmanager
def counting_work(really: bool = True) -> Iterator[None]:
    """Within this, `now` counts what this thread works, without what it compiles."""
    token = _WORK.set(really)
    try:
        yield
    finally:
        _WORK.reset(token)
