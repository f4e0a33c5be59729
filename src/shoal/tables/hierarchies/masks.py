"""Masks for codes: 47677 → 4767* → 476** → 47*** → 4**** → `*`."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies.hierarchy import TOP, Hierarchy, Label
from shoal.tables.hierarchies.leaves import distinct


def masked(values: Iterable[Label], sign: str = TOP, keep_left: bool = True, step: int = 1) -> Hierarchy:
    """Hide `step` more characters on every level, from the right, or from the left with `keep_left=False`.

    A value shorter than the longest one stays itself until the mask has reached its last character:
    the code 476 joins 47677 as 476**.
    """
    if len(sign) != 1:
        raise BadParameter(f"the mask sign {sign!r} must be one character, such as '*'")
    if step < 1:
        raise BadParameter(f"step={step} hides nothing; give at least 1 character per level")
    leaves = distinct(values)
    length = max(map(len, leaves))
    levels = [leaves]
    for hidden in range(step, length, step):
        levels.append([_mask(leaf, length - hidden, sign * hidden, keep_left) for leaf in leaves])
    # All characters hidden is the top, whatever the sign and the length.
    return Hierarchy.of_levels([*levels, [TOP] * len(leaves)])


def _mask(value: str, kept: int, signs: str, keep_left: bool) -> str:
    if len(value) < kept:
        return value
    return value[:kept] + signs if keep_left else signs + value[len(value) - kept :]
