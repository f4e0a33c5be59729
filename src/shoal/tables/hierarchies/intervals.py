"""Numeric intervals `[20, 30)`: of a fixed width, or between given cut points."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies.exact_numbers import (
    Number,
    decimal_text,
    digits_of,
    numbers_of,
    parameter,
    scale_to_integers,
)
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.hierarchies.leaves import distinct


def of_width(
    values: Iterable[Label],
    width: Number,
    levels: int | None = None,
    fanout: int = 2,
    origin: Number = 0,
) -> Hierarchy:
    """Intervals `width` wide, counted from `origin`; each next level joins `fanout` neighbours.

    It stops below the level that would hold all values in one interval, or after `levels` of them.
    """
    step, zero = parameter("width", width), parameter("origin", origin)
    if step <= 0:
        raise BadParameter(f"width={width} holds no value; give a width above 0")
    if fanout < 2:
        raise BadParameter(f"fanout={fanout} joins nothing; give at least 2 intervals to join")
    if levels is not None and levels < 1:
        raise BadParameter(f"levels={levels} leaves no interval; give at least 1")
    leaves = distinct(values)
    numbers = numbers_of(leaves)
    digits = digits_of([*numbers, step, zero])
    whole, (wide, start) = scale_to_integers(numbers, digits), scale_to_integers([step, zero], digits)
    indexes = [(number - start) // wide for number in whole]
    hierarchy: list[list[Label]] = [[*leaves]]
    while True:
        labels = {
            index: _between(start + index * wide, start + (index + 1) * wide, digits)
            for index in set(indexes)
        }
        hierarchy.append([labels[index] for index in indexes])
        # The intervals on both sides of the origin never meet; `*` joins them.
        if len(hierarchy) - 1 == levels or (min(indexes) >= -1 and max(indexes) <= 0):
            break
        indexes, wide = [index // fanout for index in indexes], wide * fanout
        if min(indexes) == max(indexes):
            break
    return Hierarchy.of_levels(hierarchy)


def of_cuts(values: Iterable[Label], cuts: Sequence[Number] | Sequence[Sequence[Number]]) -> Hierarchy:
    """Intervals between cut points, open at both ends: `< 18`, `[18, 65)`, `≥ 65`.

    Several lists of cuts give several levels, the finest first; each coarser list drops some of its cuts.
    """
    lists = [_sorted_cuts(each) for each in _lists(cuts)]
    for finer, coarser in pairwise(lists):
        if strange := sorted(set(coarser) - set(finer)):
            raise BadHierarchy(
                f"the cut {strange[0]} is not among the finer cuts {', '.join(map(str, finer))}; "
                "a coarser level may only drop cuts"
            )
    leaves = distinct(values)
    numbers = numbers_of(leaves)
    digits = digits_of([*numbers, *(cut for each in lists for cut in each)])
    whole = scale_to_integers(numbers, digits)
    hierarchy: list[list[Label]] = [[*leaves]]
    for each in lists:
        points = scale_to_integers(each, digits)
        labels = _between_cuts(points, digits)
        hierarchy.append([labels[bisect_right(points, number)] for number in whole])
    return Hierarchy.of_levels(hierarchy)


def _lists(cuts: Sequence[Number] | Sequence[Sequence[Number]]) -> list[list[Number]]:
    nested = [list(cut) for cut in cuts if isinstance(cut, Sequence) and not isinstance(cut, str)]
    plain = [cut for cut in cuts if not isinstance(cut, Sequence) or isinstance(cut, str)]
    if nested and plain:
        raise BadParameter(f"the cuts mix numbers and lists ({plain[0]} stands alone); give one or the other")
    return nested or [plain]


def _sorted_cuts(cuts: Sequence[Number]) -> list[Decimal]:
    if not cuts:
        raise BadParameter("there are no cut points; give at least one, such as 18")
    return sorted({parameter("cut", cut) for cut in cuts})


def _between(low: int, high: int, digits: int) -> str:
    return f"[{decimal_text(low, digits)}, {decimal_text(high, digits)})"


def _between_cuts(points: Sequence[int], digits: int) -> list[str]:
    inner = [_between(low, high, digits) for low, high in pairwise(points)]
    return [f"< {decimal_text(points[0], digits)}", *inner, f"≥ {decimal_text(points[-1], digits)}"]
