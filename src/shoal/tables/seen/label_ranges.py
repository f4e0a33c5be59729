"""What a label of numbers covers, read from its text: 34, [30, 40), 30-39, 476**, < 18, ≥ 65, *."""

from __future__ import annotations

import re

import numpy as np

from shoal.tables.hierarchies.numbers import number_of
from shoal.tables.seen.values import Label

_NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
_BETWEEN = re.compile(rf"[\[(]{_NUMBER}[,;]{_NUMBER}[\])\[]|{_NUMBER}[-–]{_NUMBER}")
_BELOW = re.compile(rf"\s*(?:<|<=|≤){_NUMBER}")
_ABOVE = re.compile(rf"\s*(?:>|>=|≥){_NUMBER}")
_MASK = re.compile(r"(\d+)(\*+)")


def stretch_of(label: Label) -> tuple[float, float] | None:
    """Where a label begins and ends; endless where it does not say, None when it speaks of no numbers."""
    if label is None:
        return None
    if label == "*":
        return (-np.inf, np.inf)
    number = number_of(label)
    if number is not None:
        return (float(number), float(number))
    if found := _MASK.fullmatch(label):
        return (float(found[1] + "0" * len(found[2])), float(found[1] + "9" * len(found[2])))
    if found := _BELOW.fullmatch(label):
        return (-np.inf, float(found[1]))
    if found := _ABOVE.fullmatch(label):
        return (float(found[1]), np.inf)
    if found := _BETWEEN.fullmatch(label):
        low, high = sorted(float(end) for end in found.groups() if end is not None)
        return (low, high)
    return None
