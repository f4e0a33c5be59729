"""Levels that somebody chose for some columns: the part of a lattice that is left."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shoal.core.errors import BadParameter
from shoal.tables.search.distinct_tuples import Tuples

_CHOSEN = re.compile(r"(.+)=\s*([0-9]{1,6})\s*", re.DOTALL)


def chosen_part(levels: Sequence[str], tuples: Tuples) -> tuple[slice, ...]:
    """Per column the levels that are left: one where it was chosen, else all."""
    chosen: dict[str, int] = {}
    heights = {
        column: hierarchy.height for column, hierarchy in zip(tuples.columns, tuples.hierarchies, strict=True)
    }
    for text in levels:
        found = _CHOSEN.fullmatch(text)
        if found is None:
            raise BadParameter(f"--levels takes COLUMN=LEVEL, as in age=2,zip=1, not '{text}'")
        column, level = found[1].strip() if found[1] not in heights else found[1], int(found[2])
        if column not in heights:
            raise BadParameter(
                f"--levels names '{column}', which is no quasi-identifier; there is {', '.join(heights)}"
            )
        if column in chosen:
            raise BadParameter(f"--levels names '{column}' twice; keep one")
        if level > heights[column]:
            raise BadParameter(f"'{column}' has the levels 0 to {heights[column]}, not {level}")
        chosen[column] = level
    return tuple(
        slice(chosen[column], chosen[column] + 1) if column in chosen else slice(None) for column in heights
    )
