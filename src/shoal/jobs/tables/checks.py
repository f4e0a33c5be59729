"""What is refused before any work is done: promises that this table or this method can never keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.parsing import listed, path_in
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.release import TableModel
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


def check_mechanism(method: Any, models: Sequence[TableModel], job: ProtectTable) -> None:
    """Refuse a promise that the method cannot make, and a domain that was taken from the data."""
    for model in models:
        if model.mechanisms and method.name not in model.mechanisms:
            raise BadParameter(
                f"{model.name} is a promise of a method, not of rows, and {method.name} does not make it; "
                f"use --method {' or '.join(model.mechanisms)}"
            )
    if not method.declared:
        return
    if job.seed is not None:
        raise BadParameter(f"{method.name} takes no seed: whoever knows it could take the noise away again")
    if job.step or job.join:
        # One row more could change many of what a step or a join makes of them, and the noise hides one.
        raise BadParameter(
            f"{method.name} hides one row of the table it is given; leave out --step and --join, which may "
            "make several of one"
        )
    if job.population is not None:
        # Whether everybody is in the population is looked up row by row, and a refusal would tell.
        raise BadParameter(f"{method.name} has no use for a population; leave out --population")
    roles = job.data if isinstance(job.data, Table) else None
    own: Mapping[str, Any] = roles.hierarchies if roles else {}
    columns = (
        *(job.quasi or (roles.quasi if roles else ())),
        *(job.sensitive or (roles.sensitive if roles else ())),
    )
    for column in columns:
        spec = job.hierarchy.get(column, own.get(column))
        # A file of parents will do: it is read without looking at the rows.
        if spec is None or (isinstance(spec, str) and path_in(spec) is None):
            raise BadParameter(
                f"{method.name} needs to know what '{column}' could be without looking at the data; "
                f"give --hierarchy {column}=FILE.csv with a line for every value that is possible"
            )


def check_values(model: TableModel, table: Table) -> None:
    """Refuse to protect values that nobody has: a slip of the pen would leave the real ones open."""
    columns = [model.column] if model.column else table.sensitive
    for parameter, values in model.named_values.items():
        for value in values:
            known = [text for column in columns for text in texts(table.frame[column]).unique().sort()]
            if value not in known:
                some = ", ".join(map(str, known[:5])) + (", …" if len(known) > 5 else "")
                raise BadParameter(
                    f"{model.name} names the value '{value}' in {parameter}, which {listed(columns)} "
                    f"does not have; it has {some}"
                )


def check_fits(model: TableModel, table: Table) -> None:
    """Refuse at once a question about columns that are not there."""
    if model.reads != "sizes":
        column = model.column
        # A model that counts people needs no secret of theirs.
        counts_others = bool(model.held) and bool(model.together(()))
        if not table.sensitive and not counts_others:
            raise BadParameter(f"{model.name} needs a sensitive column; name one with --sensitive")
        if column is not None and column not in table.sensitive:
            raise BadParameter(
                f"{model.name} names '{column}', which is not sensitive here; sensitive is "
                + ", ".join(table.sensitive)
            )
