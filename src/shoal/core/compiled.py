"""Numba's compiler with the types that a function has, so that its callers keep theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """The same function as machine code, kept on disk from the first call on."""
    made: Loop = njit(cache=True)(loop)
    return made


def compiled_without_lock(loop: Loop) -> Loop:
    """The same; other threads of Python go on while it runs."""
    made: Loop = njit(cache=True, nogil=True)(loop)
    return made
