"""How wrong the counts are that matter: an objective for who knows what will be asked of a release."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.core.errors import BadParameter
from shoal.engines.files import read_frame
from shoal.tables.appraisal.recoding import Floats
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.appraisal.task_objective import Int32, Stretches, Task, TaskLoss, TaskRows
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.workload_error import Query, Tally
from shoal.tables.model_inputs.text_values import texts

MOST_CELLS = 8_000_000  # of the table of a query's estimates; a larger one is worked out where it is needed


@dataclass(frozen=True)
class Workload(TaskLoss):
    """How far counts estimated from the release are off, |estimate − truth| / truth, a mean over the queries
    of a file.

    Every line of the file is a query, every column a column of the table that goes out. A cell says what is
    counted: a value, a label of the hierarchy, a range such as [30, 39], or several of them with `|` between;
    an empty cell is everything. A label of the release counts for the share of its leaves that the query
    asks for. A truth below the share `floor` of the rows is replaced by it. Errors may cancel out, so coarser
    is not always worse; the search knows for every choice of levels how small the error can be.

    LeFevre, DeWitt, Ramakrishnan, "Workload-aware anonymization", 2006.
    """

    name: ClassVar[str] = "workload"
    placed: ClassVar[str] = "file"
    example: ClassVar[str] = "file=queries.csv"

    file: str
    floor: float = 0.001

    def __post_init__(self) -> None:
        if not self.file:
            raise BadParameter(f"{self.name} needs a file of queries, as in {self.name}(queries.csv)")
        if not 0 <= self.floor <= 1:
            raise BadParameter(f"floor is a share of the rows from 0 to 1, not {self.floor:g}")

    def measure(self, pair: SideBySide) -> float:
        others = [name for name in pair.released.columns if name not in pair.quasi]
        asked = self._queries([*pair.quasi, *others], pair.line)
        names = sorted({name for query in asked for name in query})
        before = Tally.of([pair.before(name) for name in names], names)
        after = Tally.of([pair.after(name) for name in names], names)
        least = max(self.floor * pair.original.height, 1.0)
        errors = [_error(after.count(query), before.count(query), least) for query in asked]
        return float(np.mean(errors))

    def columns(self) -> tuple[str, ...]:
        return tuple(self._read().columns)

    def of_table(self, rows: TaskRows) -> Task:
        lines: dict[str, LeafOrder] = {}

        def line(column: str) -> LeafOrder:
            if column not in lines:
                own = dict(zip(rows.columns, rows.hierarchies, strict=True)).get(column)
                found = own or Hierarchy.of_levels([texts(rows.frame[column]).unique().sort().to_list()])
                lines[column] = LeafOrder.of(found)
            return lines[column]

        asked = self._queries([*rows.columns, *rows.unchanged], line)
        least = max(self.floor * rows.rows, 1.0)
        return _Counts(rows, [_Ask.of(query, rows, lines, least) for query in asked])

    def _queries(self, known: Sequence[str], line: Callable[[str], LeafOrder]) -> list[Query]:
        """The queries of the file, each column with what it asks for, along the line of its values."""
        frame = self._read()
        for column in frame.columns:
            if column not in known:
                raise BadParameter(
                    f"the queries of '{self.file}' ask for '{column}', which does not go out; columns that "
                    f"do: {', '.join(known)}"
                )
        asked = []
        for place, cells in enumerate(frame.iter_rows(), 2):
            told = {name: cell for name, cell in zip(frame.columns, cells, strict=True) if cell}
            if not told:
                raise BadParameter(f"line {place} of '{self.file}' asks for nothing; fill in a column")
            asked.append({name: self._chosen(cell, line(name), name, place) for name, cell in told.items()})
        return asked

    def _read(self) -> pl.DataFrame:
        if not Path(self.file).is_file():
            raise BadParameter(f"no file of queries '{self.file}'; {self.name} reads one query per line")
        frame = read_frame(self.file)
        return frame.select(texts(column) for column in frame)

    def _chosen(self, cell: str, line: LeafOrder, column: str, place: int) -> NDArray[np.bool_]:
        chosen = np.zeros(len(line.leaf_at), np.bool_)
        # A value with the sign in it is taken for what it is.
        for text in [cell] if line.stretch_of(cell) else [piece.strip() for piece in cell.split("|")]:
            found = line.stretch_of(text)
            if found is None:
                raise BadParameter(
                    f"line {place} of '{self.file}' asks for '{text}' in '{column}', which is no value, "
                    f"label or range of it; values are such as {', '.join(_some(line))}"
                )
            chosen[found[0] : found[1] + 1] = True
        return chosen


def _some(line: LeafOrder) -> Iterator[str]:
    leaves = line.hierarchy.leaves
    return (str(leaves[leaf]) for leaf in line.leaf_at[:3])


def _error(found: float, truth: float, least: float) -> float:
    return abs(found - truth) / max(truth, least)


@dataclass(frozen=True, eq=False)
class _Ask:
    """One query on one table: which quasi-identifiers it looks at, which of their leaves it counts, and how
    many rows of each combination fit in what goes out unchanged.
    """

    columns: tuple[int, ...]
    chosen: tuple[NDArray[np.bool_], ...]  # per leaf
    shares: tuple[Floats, ...]  # per level and leaf
    rows: Floats
    truth: float
    least: float

    @classmethod
    def of(cls, query: Query, table: TaskRows, lines: dict[str, LeafOrder], least: float) -> _Ask:
        fits = np.ones(table.frame.height, np.bool_)
        columns, chosen, shares = [], [], []
        for name, places in query.items():
            line = lines[name]
            leaves = places[line.place_of]
            if name not in table.columns:
                values = [line.hierarchy.leaves[leaf] for leaf in np.flatnonzero(leaves)]
                fits &= texts(table.frame[name]).is_in(values).fill_null(False).to_numpy()
                continue
            columns.append(table.columns.index(name))
            chosen.append(leaves)
            levels = line.hierarchy.codes
            shares.append(np.array([(np.bincount(c, leaves) / np.bincount(c))[c] for c in levels]))
        rows = np.bincount(table.of_row, table.weights * fits, len(table.sizes)).astype(np.float64)
        inside = reduce(
            np.multiply, (mask[table.codes[:, c]] for c, mask in zip(columns, chosen, strict=True)), rows
        )
        return cls(tuple(columns), tuple(chosen), tuple(shares), rows, float(inside.sum()), least)

    def estimates(self, codes: Int32) -> Floats | None:
        """What would be counted if every row went out, per choice of levels; None if that is too much."""
        there = np.flatnonzero(self.rows)
        codes, rows = codes[there][:, list(self.columns)], self.rows[there]
        if not self.columns:
            return np.array(rows.sum())
        distinct, place = np.unique(codes, axis=0, return_inverse=True)
        found: Floats = np.bincount(place.reshape(-1), rows, len(distinct)).astype(np.float64)[None, :]
        shape = tuple(len(share) for share in self.shares)
        if math.prod(shape[:-1]) * len(distinct) > MOST_CELLS:
            return None
        *first, last = (share[:, distinct[:, c]] for c, share in enumerate(self.shares))
        for share in first:
            found = (found[:, None, :] * share[None, :, :]).reshape(-1, len(distinct))
        return np.asarray(found @ last.T).reshape(shape)

    def error(self, found: float) -> float:
        return _error(found, self.truth, self.least)

    def least_errors(self, found: Floats, limit: int) -> Floats:
        """The least error per choice of levels when at most `limit` rows are left out."""
        # A row counts at most for the largest share that a label has: leaving it out takes that much away.
        most = reduce(np.multiply.outer, (share.max(axis=1) for share in self.shares), np.array(1.0))
        lowest = np.maximum(found - limit * most, 0.0)
        error = np.where(found <= self.truth, self.truth - found, np.maximum(lowest - self.truth, 0.0))
        return np.asarray(error) / max(self.truth, self.least)


class _Counts(Task):
    """The queries of a workload on one table."""

    name = Workload.name

    def __init__(self, table: TaskRows, asks: Sequence[_Ask]) -> None:
        self._codes, self._asks = table.codes, asks
        self._estimates = [ask.estimates(table.codes) for ask in asks]

    def at_levels(self, levels: Sequence[int], group: Int32, kept: Mask) -> float:
        out = np.flatnonzero(~kept)
        inside: NDArray[np.int64] | None = None
        errors = []
        for ask, table in zip(self._asks, self._estimates, strict=True):
            if table is None:
                inside = np.flatnonzero(kept) if inside is None else inside
                found = self._counted(ask, levels, inside)
            else:
                whole = float(table[tuple(levels[c] for c in ask.columns)])
                found = whole - (self._counted(ask, levels, out) if len(out) else 0.0)
            errors.append(ask.error(found))
        return float(np.mean(errors))

    def of_stretches(self, columns: Sequence[Stretches], group: Int32, kept: Mask) -> float:
        errors = []
        for ask in self._asks:
            counted = ask.rows * kept
            for column, chosen in zip(ask.columns, ask.chosen, strict=True):
                one = columns[column]
                upto = np.concatenate(([0], np.cumsum(chosen[one.order.leaf_at])))
                share = (upto[one.last + 1] - upto[one.first]) / (one.last - one.first + 1)
                counted = counted * share[one.label]
            errors.append(ask.error(float(counted.sum())))
        return float(np.mean(errors))

    def least(self, shape: Sequence[int], limit: int) -> Floats:
        together: dict[tuple[int, ...], Floats] = {}
        for ask, table in zip(self._asks, self._estimates, strict=True):
            if table is not None:
                order = tuple(np.argsort(ask.columns).tolist())
                errors = ask.least_errors(table, limit).transpose(order) / len(self._asks)
                columns = tuple(sorted(ask.columns))
                together[columns] = together[columns] + errors if columns in together else errors
        found = np.zeros(tuple(shape))
        for columns, errors in together.items():
            found += errors.reshape([len_ if c in columns else 1 for c, len_ in enumerate(shape)])
        # The same sums are made in another order for a node that is looked at.
        return np.asarray(found * (1 - 1e-12))

    def _counted(self, ask: _Ask, levels: Sequence[int], which: NDArray[np.int64]) -> float:
        """What some combinations count for on their levels."""
        counted = ask.rows[which]
        for column, share in zip(ask.columns, ask.shares, strict=True):
            counted = counted * share[levels[column]][self._codes[which, column]]
        return float(counted.sum())
