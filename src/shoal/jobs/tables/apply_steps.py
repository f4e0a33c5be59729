"""Carry out the steps of a request: the changes made before a method runs.

Steps that mix rows are done anew over those that go out, so that nobody who is left out is in what others
show. A method chooses whom to leave out after the steps. The mean of a group that lost a row leads to the
value of that row, and what is left of the group may be smaller than its k. So the steps from the first that
mixes on are done again, over the rows that were kept, and then nobody else may be left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import catalog
from shoal.core.contract import Step
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.part_syntax import spell
from shoal.core.randomness import generator
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.appraisal.losses import with_left_out
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

TableStep = Step[Table]
SEEDED = "whoever guesses the seed can undo these steps; leave it away for the release that goes out"


def steps_of(given: Any) -> list[TableStep]:
    """Steps from spellings or objects, in order."""
    steps: list[TableStep] = catalog.parts_of("step", given, "table")
    return steps


def spell_without_secrets(step: TableStep) -> str:
    """A step's spelling without what must stay secret."""
    hidden: dict[str, Any] = dict.fromkeys(step.hidden)
    return spell(replace(step, **hidden))  # type: ignore[type-var]


def release_after_steps(
    steps: Sequence[TableStep], table: Table, seed: int | None, release_of: Callable[..., TableRelease]
) -> tuple[Table, TableRelease, list[str]]:
    """The table after the steps, its release, and what they did; `release_of(table, everybody)` makes one."""
    first = next((place for place, step in enumerate(steps) if step.mixes), len(steps))
    table, done = apply_steps(table, steps[:first], seed)
    if first == len(steps):
        return table, release_of(table), done
    mixing = steps[first:]
    changed, more = apply_steps(number_rows(table), mixing, seed, stream=1)
    release = release_of(changed)
    if release.suppressed:
        kept = rows_released(table, release)
        changed, more = apply_steps(kept, mixing, seed, stream=1)
        left_out = table.rows - kept.rows
        try:
            release = done_anew(release_of(changed, everybody=True), left_out, mixing)
        except Unreachable as error:
            raise never_whole(left_out, mixing) from error
    else:
        changed = without_numbers(changed, table)
    # That remark comes last.
    return changed, release, sorted(dict.fromkeys([*done, *more]), key=SEEDED.__eq__)


def apply_steps(
    table: Table, steps: Sequence[TableStep], seed: int | None, stream: int = 0
) -> tuple[Table, list[str]]:
    """The table after all steps, and what each of them did; each `stream` of a seed draws otherwise."""
    # Not the seed's own stream: the method draws from that.
    chance = generator(seed).spawn(stream + 1)[stream]
    begun = chance.bit_generator.state
    notes, mixed = [], ""
    for step in steps:
        changed = step.apply(table, chance)
        if mixed and changed.rows < table.rows:
            raise BadParameter(
                f"{step.name} after {mixed} leaves out rows whose values are in what others show; "
                f"put {step.name} first"
            )
        mixed = mixed or (step.name if step.mixes else "")
        notes.append(f"step {spell_without_secrets(step)} {_done(table, changed)}; {step.remark}")
        table = changed
    if seed is not None and chance.bit_generator.state != begun:
        notes.append(SEEDED)
    return table, notes


def check_steps(steps: Sequence[TableStep], job: ProtectTable) -> None:
    """Refuse a seed for noise: a release that can be replayed can be undone; and a key in a wrong place."""
    for step in steps:
        if job.seed is not None and step.seedless:
            raise BadParameter(
                f"{step.name} takes no seed: whoever guesses {job.seed} could take it off; leave out --seed"
            )
    for path in _keys(steps):
        if path.is_dir():
            raise BadParameter(f"the key '{path}' is a folder; name a file")
        written = job.output is not None and str(job.output) != "-"
        if written and path.resolve().parent == Path(str(job.output)).resolve().parent:
            raise BadParameter(
                f"the key '{path}' would lie beside the release, and go out with its folder; "
                "keep it in another folder"
            )
        if not path.parent.is_dir():
            raise BadParameter(f"no folder '{path.parent}' for the key '{path.name}'; create it")
        if isinstance(job.data, str | Path) and path.resolve() == Path(job.data).resolve():
            raise BadParameter(f"the key '{path}' is the table itself; name another file")


@contextmanager
def no_key_left_behind(steps: Sequence[TableStep]) -> Iterator[None]:
    """Take new keys away again when the request fails: nothing is written then."""
    new = [path for path in _keys(steps) if not path.exists()]
    try:
        yield
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise


def _keys(steps: Sequence[TableStep]) -> list[Path]:
    keys = (step.key_file for step in steps)
    return [Path(key).expanduser() for key in keys if key]


def _done(before: Table, after: Table) -> str:
    """What a step did, from the tables before and after it."""
    if after.rows < before.rows:
        return f"kept {after.rows:,} of {before.rows:,} rows"
    if after.rows > before.rows:
        return f"added {after.rows - before.rows:,} rows to {before.rows:,}"
    counts = {
        column: int(texts(before.frame[column]).ne_missing(texts(after.frame[column])).sum())
        for column in after.columns
        if not before.frame[column].equals(after.frame[column], null_equal=True)
    }
    found = [f"{count:,} of {after.rows:,} values of '{column}'" for column, count in counts.items()]
    return f"changed {' and '.join(found) if found else 'nothing'}"


def number_rows(table: Table) -> Table:
    """The table with the number of every row among its identifiers, which a release keeps in the house."""
    column = _number_column(table)
    frame = table.frame.with_columns(pl.Series(column, np.arange(table.rows)))
    return dataclasses.replace(table, frame=frame, identifier=(*table.identifier, column))


def without_numbers(changed: Table, table: Table) -> Table:
    """What steps made of the `numbered` table, without the numbers."""
    return changed.with_frame(changed.frame.drop(_number_column(table)))


def rows_released(table: Table, release: TableRelease) -> Table:
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
