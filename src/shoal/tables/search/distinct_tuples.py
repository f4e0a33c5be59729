"""Distinct quasi-identifier tuples with their counts: what a search works on instead of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.table import Table

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Codes = NDArray[np.unsignedinteger]

LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Crowd:
    """A population as its distinct combinations of quasi-identifiers, and how many people have each."""

    codes: Int32
    sizes: Int64

    @classmethod
    def of(cls, population: pl.DataFrame, columns: Sequence[str], hierarchies: Sequence[Hierarchy]) -> Crowd:
        """Encode a population by the hierarchies of a table."""
        found = _encoded(population, columns, hierarchies)
        keys = pack_codes(found, [len(hierarchy.leaves) for hierarchy in hierarchies], population.height)
        _, first, sizes = kernels.group_hashed(keys, np.ones(len(keys), np.int64))
        return cls(np.stack([column[first] for column in found], axis=1).astype(np.int32), sizes)


@dataclass(frozen=True, eq=False)
class Tuples:
    """Every distinct combination of quasi-identifiers, how often it occurs, and with which sensitive values.

    One group-by makes this; after it nothing touches the rows until the chosen recoding is applied to them.
    """

    columns: tuple[str, ...]
    hierarchies: tuple[Hierarchy, ...]
    codes: Int32
    sizes: Int64
    of_row: Int32
    sensitive: Mapping[str, ValueCounts]
    crowd: Crowd | None = None

    @classmethod
    def of(cls, table: Table, hierarchies: Mapping[str, Hierarchy], domains: Mapping[str, Domain]) -> Tuples:
        """Encode a table: one integer per value, one group-by over all columns."""
        chosen = tuple(hierarchies[column] for column in table.quasi)
        columns = _encoded(table.frame, table.quasi, chosen)
        height = table.frame.height
        weights = np.ones(height, np.int64) if table.weights is None else table.weights
        keys = pack_codes(columns, [len(hierarchy.leaves) for hierarchy in chosen], height)
        of_row, first, sizes = kernels.group_hashed(keys, weights)
        # In order of their values, so that tuples which soon share a class lie close together in memory.
        order = np.argsort(keys[first])
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        of_row, first, sizes = rank[of_row], first[order], sizes[order]
        codes = np.empty((len(first), len(columns)), np.int32)
        for position, column in enumerate(columns):
            codes[:, position] = column[first]
        frame = table.counted
        sensitive = {
            name: count_codes(domain.series(frame), of_row, len(first), domain, weights)
            for name, domain in domains.items()
        }
        crowd = None if table.population is None else Crowd.of(table.population, table.quasi, chosen)
        return cls(table.quasi, chosen, codes, sizes, of_row, sensitive, crowd)

    def grouped(self, group: Int32, groups: int) -> Classes:
        """The classes when tuples are put together by a number each; their labels are not known here."""
        sizes = np.bincount(group, weights=self.sizes, minlength=groups).astype(np.int64)
        counts = {
            name: ValueCounts(
                old.domain,
                *kernels.merge_counts(
                    old.offsets, old.values, old.counts, group, groups, len(old.domain.values)
                ),
            )
            for name, old in self.sensitive.items()
        }
        return Classes(sizes, counts)

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.sizes.sum())

    @cached_property
    def leaf_counts(self) -> tuple[Int64, ...]:
        """Per column, how many rows have each leaf."""
        begins = np.cumsum([0] + [len(hierarchy.leaves) for hierarchy in self.hierarchies])
        found = kernels.count_leaves(self.codes, self.sizes, begins)
        return tuple(found[begin:end] for begin, end in pairwise(begins.tolist()))


def leaf_codes(column: pl.Series, hierarchy: Hierarchy) -> Codes:
    """Each value of a column as the index of its leaf; a value that the hierarchy misses is refused."""
    return _encoded(column.to_frame(), [column.name], [hierarchy])[0]


def _encoded(frame: pl.DataFrame, columns: Sequence[str], hierarchies: Sequence[Hierarchy]) -> list[Codes]:
    """The same for several columns of a frame."""
    pairs = list(zip(columns, hierarchies, strict=True))
    known = [len(hierarchy.leaves) - (None in hierarchy.leaves) for hierarchy in hierarchies]
    found = _numbers([_enumerated(frame[column], hierarchy) for column, hierarchy in pairs], known)
    for place, hierarchy in enumerate(hierarchies):
        if None in hierarchy.leaves[:-1]:
            # The missing value is a leaf in the middle of the hierarchy: codes were counted without it.
            gap = hierarchy.position(None)
            moved = np.array([leaf + (leaf >= gap) for leaf in range(known[place])] + [gap], np.uint32)
            found[place] = moved[found[place]]
    return found


def _enumerated(column: pl.Series, hierarchy: Hierarchy) -> pl.Series:
    """A column as an enumeration of the leaves that are no missing value."""
    values = texts(column)
    known = [leaf for leaf in hierarchy.leaves if leaf is not None]
    codes = values.cast(pl.Enum(known), strict=False)
    unknown = len(known) == len(hierarchy.leaves) and values.null_count() > 0
    if codes.null_count() > values.null_count() or unknown:
        lost = values.filter(codes.is_null() & (values.is_not_null() | unknown)).unique().sort().to_list()
        raise BadHierarchy(
            f"the hierarchy of '{column.name}' misses {', '.join(map(repr, lost[:3]))}"
            + (f" and {len(lost) - 3} more values" if len(lost) > 3 else "")
            + " of the table; add a line for each"
        )
    return codes


def _numbers(columns: Sequence[pl.Series], known: Sequence[int]) -> list[Codes]:
    """The place of each value in the enumeration of its column, the missing value behind all `known` ones."""
    places = [column.to_physical() for column in columns]
    return [
        (codes.cast(pl.UInt32).fill_null(behind) if codes.null_count() else codes).to_numpy()
        for codes, behind in zip(places, known, strict=True)
    ]


def pack_codes(columns: Sequence[NDArray[np.integer]], widths: Sequence[int], rows: int) -> Int64:
    """Several columns of codes as one key per row; regrouped on the way when the product would overflow."""
    keys = np.zeros(rows, np.int64)
    reach = 1
    for column, width in zip(columns, widths, strict=True):
        if reach * width > LARGEST_KEY:
            group, first, _ = kernels.group_hashed(keys, np.ones(rows, np.int64))
            keys, reach = group.astype(np.int64), len(first)
        keys *= width
        keys += column
        reach *= width
    return keys


def count_codes(
    column: pl.Series, of_row: Int32, tuples: int, domain: Domain, weights: Int64 | None = None
) -> ValueCounts:
    """The sensitive counts of each tuple; `weights` is how many rows each row stands for, default: one."""
    place = {value: code for code, value in enumerate(domain.values)}
    known = [value for value in domain.values if value is not None]
    (codes,) = _numbers([texts(column).cast(pl.Enum(known))], [len(known)])
    to_domain = np.array([place[value] for value in known] + [place.get(None, -1)], np.int32)
    ones = np.ones(len(codes), np.int64) if weights is None else weights
    every = np.arange(len(codes) + 1)
    return ValueCounts(
        domain, *kernels.merge_counts(every, to_domain[codes], ones, of_row, tuples, len(domain.values))
    )
