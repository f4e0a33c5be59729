"""A released column that tells what another was made to hide.

`MaritalDesc` coarsened to `*` beside a `MaritalStatusID` that nobody coarsened: every reader can undo it.
Where the column that tells is a quasi-identifier itself, every model has counted it; where not, none has.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.core.errors import BadParameter
from shoal.tables.discovery.dependencies import Dependency, dependencies
from shoal.tables.reading import given_away as reading
from shoal.tables.reading.scene import Scene
from shoal.tables.release import TableRelease
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


class GivenAway(BadParameter):
    """Columns undo what was done to others."""

    def __init__(self, found: Sequence[Dependency]) -> None:
        self.columns = tuple(dict.fromkeys(column for part in found for column in part.determining))
        pairs = "; ".join(f"{_columns(part)} gives away '{part.determined}'" for part in found)
        first = ",".join(found[0].determining)
        super().__init__(
            f"{pairs}, which the release coarsens: add --quasi {first}, or leave it out with "
            f"--identifier {first}"
        )


def given_away(table: Table, coarsened: Sequence[str], released: Sequence[str]) -> list[Dependency]:
    """Coarsened quasi-identifiers that columns of the release determine which no model has counted."""
    telling = [column for column in released if column in table.columns and column not in table.quasi]
    if not telling or not coarsened:
        return []
    found = dependencies(table.frame, [*coarsened, *telling])
    return [
        part
        for part in found
        if part.determined in coarsened and all(column in telling for column in part.determining)
    ]


def check_given_away(table: Table, release: TableRelease) -> list[str]:
    """Refuses a release in which a harmless column undoes the coarsening; remarks where a sensitive one does.

    A sensitive column has to go out as it is, and whoever knows its value need not look anything up.
    """
    coarsened = [column for column in table.quasi if _coarsened(table.frame, release.table.frame, column)]
    found = given_away(table, coarsened, release.table.columns)
    harmless = [part for part in found if not any(column in table.sensitive for column in part.determining)]
    if harmless:
        raise GivenAway(harmless)
    return [
        f"{_columns(part)} gives away '{part.determined}' in {part.share:.0%} of the rows, and is released"
        for part in found
    ]


def _columns(part: Dependency) -> str:
    return " with ".join(f"'{column}'" for column in part.determining)


def _coarsened(before: pl.DataFrame, after: pl.DataFrame, column: str) -> bool:
    """Whether the release has a label that is no value of the original."""
    if column not in after.columns:
        return False
    values = texts(before[column]).unique()
    return not texts(after[column]).unique().is_in(values.implode(), nulls_equal=True).all()


SURE_OF_IT = 0.95


def leaks(scene: Scene) -> tuple[str, ...]:
    """What columns of the release tell of each other, by the people given and by the release alone."""
    if scene.manifest is not None and scene.manifest.guarantees:
        return ()  # chance made these rows
    found = reading.given_away(scene, SURE_OF_IT)
    told = [
        f"{' and '.join(one.determining)} {'gives' if len(one.determining) == 1 else 'give'} away "
        f"{one.determined}, which was made coarser, in {int(one.rows.sum()):,} rows"
        for one in found
    ]
    known = {one.determined for one in found}
    others = [name for name in scene.table.columns if name not in scene.table.identifier]
    for one in dependencies(scene.table.frame, others):
        new = one.determined in scene.table.quasi and one.determined not in known
        if new and not set(one.determining) & set(scene.table.quasi):
            told.append(
                f"{' and '.join(one.determining)} determine{'s' * (len(one.determining) == 1)} "
                f"{one.determined} in {one.share:.1%} of the released rows, and no promise counts on "
                "anybody knowing it: it may tell more than the label does"
            )
    return tuple(told)
