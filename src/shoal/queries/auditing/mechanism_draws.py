"""Many draws of one mechanism, or of any function, as rows of numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from shoal.core.mechanism import Mechanism
from shoal.queries.auditing.audit import Side
from shoal.queries.auditing.lower_bound import Draws


def mechanism_side(mechanism: Mechanism[Any, Any], numbers: tuple[int, ...]) -> Side:
    """Draws of a mechanism on the numbers of one neighbour."""
    if not mechanism.elementwise:
        return function_side(mechanism.release, np.array(numbers))

    def drawn(number: int) -> Draws:
        tiled = np.tile(np.array(numbers), number)
        return np.asarray(mechanism.release(tiled), np.float64).reshape(number, -1)

    return drawn


def function_side(function: Callable[[Any], Any], given: Any) -> Side:
    """Draws of any function of one input: a number, an array, or an object of numbers."""

    def drawn(number: int) -> Draws:
        rows = [_row(function(given)) for _ in range(number)]
        table = np.full((number, max(map(len, rows))), np.nan)  # some say no more after a while
        for place, row in enumerate(rows):
            table[place, : len(row)] = row
        return table

    return drawn


def _row(told: Any) -> Draws:
    if dataclasses.is_dataclass(told) and not isinstance(told, type):
        parts = [value for value in vars(told).values() if isinstance(value, int | float | np.ndarray)]
        return np.concatenate([np.ravel(np.asarray(part, np.float64)) for part in parts])
    return np.ravel(np.asarray(told, np.float64))
