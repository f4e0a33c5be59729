"""Numba's compiler with the types that a function has, so that its callers keep theirs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """The same function as machine code, kept on disk from the first call on."""
    made: Any = njit(cache=True)(loop)
    return cast("Loop", made)


def compiled_without_lock(loop: Loop) -> Loop:
    """The same; other threads of Python go on while it runs."""
    made: Any = njit(cache=True, nogil=True)(loop)
    return cast("Loop", made)


class _Own(threading.local):
    """What one thread has compiled."""

    depth = 0
    begun = seconds = 0.0


class _Compiling(event.Listener):
    """How long each thread has compiled; a loop that calls another compiles that one on the way."""

    def __init__(self) -> None:
        self.own = _Own()

    def on_start(self, event: Any) -> None:
        if not self.own.depth:
            self.own.begun = time.thread_time()
        self.own.depth += 1

    def on_end(self, event: Any) -> None:
        self.own.depth -= 1
        if not self.own.depth:
            self.own.seconds += time.thread_time() - self.own.begun


_LISTENER = _Compiling()
event.register("numba:compile", _LISTENER)  # type: ignore[no-untyped-call]


def seconds_compiling() -> float:
    """The CPU seconds that this thread has spent on compiling loops."""
    return _LISTENER.own.seconds
