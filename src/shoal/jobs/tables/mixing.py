"""Steps that mix rows, done anew over those that go out: nobody who is left out is in what others show.

A method chooses whom to leave out after the steps. The mean of a group that lost a row leads to the value of
that row, and what is left of the group may be smaller than its k. So the steps from the first that mixes on
are done again, over the rows that were kept, and then nobody else may be left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter, Unreachable
from shoal.jobs.tables.steps import TableStep
from shoal.tables.appraisal.losses import with_left_out
from shoal.tables.release import TableRelease
from shoal.tables.table import Table


def before_mixing(steps: Sequence[TableStep]) -> int:
    """How many steps come before the first that mixes rows; all, where none does."""
    return next((place for place, step in enumerate(steps) if step.mixes), len(steps))


def numbered(table: Table) -> Table:
    """The table with the number of every row among its identifiers, which a release keeps in the house."""
    column = _number_column(table)
    frame = table.frame.with_columns(pl.Series(column, np.arange(table.rows)))
    return dataclasses.replace(table, frame=frame, identifier=(*table.identifier, column))


def without_numbers(changed: Table, table: Table) -> Table:
    """What steps made of the `numbered` table, without the numbers."""
    return changed.with_frame(changed.frame.drop(_number_column(table)))


def kept_of(table: Table, release: TableRelease) -> Table:
    """The rows of a table of which a release of the `numbered` one was made."""
    held, column = release.known_here().held, _number_column(table)
    if held is None or column not in held.columns:
        raise BadParameter(
            f"{release.method} does not say which rows it left out, and a step that mixes rows must know; "
            "use another method"
        )
    numbers = held[column].to_numpy()
    # Rows that a step added have other numbers.
    return table.with_frame(table.frame[np.sort(numbers[numbers < table.rows])])


def leaving_nobody_out(method: Any) -> Any:
    """The method that must release every row."""
    return dataclasses.replace(method, suppress=0.0) if method.suppress else method


def done_anew(release: TableRelease, left_out: int, steps: Sequence[TableStep]) -> TableRelease:
    """A release over the rows that were kept, with those that were left out before in its figures."""
    if release.suppressed:
        raise never_whole(left_out, steps)
    return dataclasses.replace(
        release,
        rows=release.rows + left_out,
        losses=with_left_out(release.losses, release.released, left_out),
        optimal=None,  # of the rows that were kept it may be; of all it is not proved
    ).noted(
        [
            f"{left_out:,} rows were left out, and {_names(steps)} was done anew over the others: nothing "
            "of theirs is in a group that went out"
        ]
    )


def never_whole(left_out: int, steps: Sequence[TableStep]) -> Unreachable:
    """That more rows would have to go whenever the step is done anew."""
    return Unreachable(
        f"{_names(steps)} was done anew without the {left_out:,} rows that were left out, and now no release "
        "keeps the promise without leaving out more; leave out the step, or ask for a weaker promise"
    )


def _names(steps: Sequence[TableStep]) -> str:
    return " and ".join(dict.fromkeys(step.name for step in steps if step.mixes))


def _number_column(table: Table) -> str:
    """A name that no column has."""
    return "number of the row" + "'" * sum(column.startswith("number of the row") for column in table.columns)
