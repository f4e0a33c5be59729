"""Carry out the steps of a request: the changes made before a method runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.core.chance import generator
from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.core.spelling import spell
from shoal.jobs.parts import parts_of
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.seen.values import texts
from shoal.tables.table import Table

TableStep = Step[Table]
SEEDED = "whoever guesses the seed can undo these steps; leave it away for the release that goes out"


def steps_of(given: Any) -> list[TableStep]:
    """Steps from spellings or objects, in order."""
    steps: list[TableStep] = parts_of("step", given, "table")
    return steps


def shown(step: TableStep) -> str:
    """A step's spelling without what must stay secret."""
    hidden: dict[str, Any] = dict.fromkeys(step.hidden)
    return spell(replace(step, **hidden))  # type: ignore[type-var]


def kept_by(steps: Sequence[TableStep]) -> set[str]:
    """Columns that go out because of a step, though they would be removed as identifiers without it."""
    return {column for step in steps for column in step.keeps}


def kept_on_record(spellings: Sequence[str]) -> set[str]:
    """The same from the record of a release, whose steps may be those of a package that is not here."""
    found: list[TableStep] = []
    for text in spellings:
        with suppress(BadParameter):
            found += steps_of(text)
    return kept_by(found)


def stepped(
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
        notes.append(f"step {shown(step)} {_done(table, changed)}; {step.remark}")
        table = changed
    if seed is not None and chance.bit_generator.state != begun:
        notes.append(SEEDED)
    return table, notes


def check_seed(steps: Sequence[TableStep], job: ProtectTable) -> None:
    """Refuse a seed for noise: a release that can be replayed can be undone."""
    for step in steps:
        if job.seed is not None and step.seedless:
            raise BadParameter(
                f"{step.name} takes no seed: whoever guesses {job.seed} could take it off; leave out --seed"
            )


def check_keys(steps: Sequence[TableStep], job: ProtectTable) -> None:
    """Refuse a key that would lie beside the release or is one of the other files."""
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
