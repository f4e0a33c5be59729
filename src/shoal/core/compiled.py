"""Numba's compiler with the types that a function has, so that its callers keep theirs."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
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


def _load_without_blas() -> None:
    """Numba's array functions without SciPy's linear algebra, which they load to see whether it is there.

    That takes a quarter of what Numba needs to start, for `np.dot`, which no loop of ours calls. A loop of
    somebody else that does loads it then, as if nothing had been spared.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # how Python is told that a module is not to be had
    try:
        from numba.np import arraymath
    finally:
        del sys.modules[blas]
    with suppress(ImportError):
        arraymath._HAVE_BLAS = find_spec("scipy") is not None


_load_without_blas()


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
