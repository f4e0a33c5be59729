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
from numba.core import environment, event
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """The same function as machine code, kept on disk from the first call on."""
    return _kept(loop, njit()(loop))


def compiled_without_lock(loop: Loop) -> Loop:
    """The same; other threads of Python go on while it runs."""
    return _kept(loop, njit(nogil=True)(loop))


def _kept(loop: Loop, made: Any) -> Loop:
    """The compiled loop with a cache of ours."""
    made._cache = _Kept(loop)  # type: ignore[no-untyped-call]
    return cast("Loop", made)


class _Kept(FunctionCache):
    """Numba's cache, which reads machine code without loading what only a compilation needs.

    Numba prepares its compiler before it looks whether there is anything to compile: everything it knows of
    NumPy, a third of its start. What was compiled before needs the allocator alone. Where there is nothing on
    disk, the compiler prepares itself.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        environment._rebuild_env = _helper_of_numba  # whoever loads or compiles holds Numba's lock
        try:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        finally:
            environment._rebuild_env = _USUAL
        if found is None:
            _load_without_blas()
        return found


def _helper_of_numba(module: str, constants: list[Any], name: str) -> Any:
    """What a loop needs to know of a helper compiled into it: its constants, not the module it came from.

    Only code that calls back into Python looks its names up there, and Numba's own helpers never do.
    """
    if not module.startswith("numba.") or module in sys.modules:
        return _USUAL(module, constants, name)  # type: ignore[no-untyped-call]
    found = environment.lookup_environment(name)  # type: ignore[no-untyped-call]
    if found is None:
        found = environment.Environment({"__name__": module})
        found.consts[:] = constants
        found.env_name = name
        environment.Environment._memo[name] = found
    return found


_USUAL = environment._rebuild_env


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
