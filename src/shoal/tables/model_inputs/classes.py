"""Equivalence classes and their sensitive counts: the one structure that every model reads.

Built here straight from a frame with one group-by. `verify` and `measure` use this and nothing of the search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.sensitive_domains import JOINT, Domain, domains_of
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Ints = NDArray[np.int64]
_ROWS = "rows"  # how many rows each row of a frame stands for


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Per class, the sensitive values that occur (ascending) and how often, as compressed rows."""

    domain: Domain
    offsets: Ints
    values: NDArray[np.int32]
    counts: Ints
    # What a model has worked out already: a search asks it twice, for what is doomed and for what holds.
    memo: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each class."""
        return np.add.reduceat(self.counts, self.offsets[:-1])

    @cached_property
    def most(self) -> Ints:
        """Rows with the most frequent value of each class."""
        return np.maximum.reduceat(self.counts, self.offsets[:-1])

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Each count as a share of its class."""
        return self.counts / np.repeat(self.sizes, np.diff(self.offsets))

    @cached_property
    def entropy(self) -> NDArray[np.float64]:
        """Entropy of the values of each class, natural logarithm."""
        inner = np.add.reduceat(self.counts * np.log(self.counts), self.offsets[:-1])
        return np.asarray(np.log(self.sizes) - inner / self.sizes)


@dataclass(frozen=True, eq=False)
class People:
    """A population by the classes of a table: how many people fit each class, and how many fit none."""

    counts: Ints
    outside: int


@dataclass(frozen=True, eq=False)
class Classes:
    """Rows that share every quasi-identifier: sizes, the sensitive counts of each class, and its labels.

    `labels[column]` numbers the labels of a quasi-identifier: classes with the same number share the label;
    `names[column]` are the texts that the numbers stand for. `guarantees` is what the method that made the
    rows says of itself; the rows cannot show that.
    """

    sizes: Ints
    sensitive: Mapping[str, ValueCounts] = field(default_factory=dict)
    labels: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)
    names: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    population: People | None = None
    guarantees: Mapping[str, float] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows over all classes."""
        return int(self.sizes.sum())

    def __len__(self) -> int:
        return len(self.sizes)

    def about(self, column: str | None, model: str) -> list[ValueCounts]:
        """The counts a model speaks of: every sensitive column, or the one it names."""
        if column is None:
            if not self.sensitive:
                raise BadParameter(f"{model} needs a sensitive column; name one with --sensitive")
            every = [self.sensitive[name] for name in self.sensitive]
            return [counts for counts in every if not counts.domain.parts]
        if column not in self.sensitive:
            known = ", ".join(self.sensitive) or "none"
            raise BadParameter(
                f"{model} names '{column}', which is not a sensitive column (there is {known})"
            )
        return [self.sensitive[column]]

    def jointly(self, columns: Sequence[str]) -> ValueCounts:
        """The counts of columns that a model asked to have counted together."""
        return self.sensitive[JOINT.join(columns)]

    def only(self, kept: NDArray[np.bool_]) -> Classes:
        """The classes that are released, as a promise about the whole table has to see them."""
        people = self.population
        if people is not None:
            people = People(people.counts[kept], people.outside + int(people.counts[~kept].sum()))
        return Classes(
            self.sizes[kept],
            {name: _only(counts, kept) for name, counts in self.sensitive.items()},
            {column: labels[kept] for column, labels in self.labels.items()},
            self.names,
            people,
            self.guarantees,
        )

    @classmethod
    def of(cls, table: Table, domains: Mapping[str, Domain] | None = None) -> Classes:
        """Group the rows of a table by its quasi-identifiers.

        `domains` are what is counted per class, and the reference distributions; where a sensitive column has
        none, the table's own.
        """
        # Own names, so that no column of the table can clash with a counter.
        names = [f"quasi {place}" for place in range(len(table.quasi))] or ["quasi"]
        kinds = [texts(table.frame[column]).unique().drop_nulls() for column in table.quasi]
        columns = [
            _number_values(table.frame[column], of) for column, of in zip(table.quasi, kinds, strict=True)
        ]
        whole = [
            pl.Series(np.zeros(table.frame.height, np.uint32))
        ]  # without quasi-identifiers all look alike
        quasi = pl.DataFrame(dict(zip(names, columns or whole, strict=True)))
        weights = np.ones(quasi.height, np.int64) if table.weights is None else table.weights
        rows = quasi.with_columns(pl.Series(_ROWS, weights))
        classes = rows.group_by(names).agg(pl.col(_ROWS).sum().alias("size")).with_row_index("class")
        known = domains or {}
        own = table.with_roles(quasi=table.quasi, sensitive=[c for c in table.sensitive if c not in known])
        counted = table.counted
        found = {
            name: _count(rows, domain.series(counted), classes, domain)
            for name, domain in {**domains_of(own), **known}.items()
        }
        labels = {
            column: classes[name].to_numpy().astype(np.int32)
            for column, name in zip(table.quasi, names, strict=False)
        }
        texts_of = {column: (*of.to_list(), None) for column, of in zip(table.quasi, kinds, strict=True)}
        people = None
        if table.population is not None:
            every = [
                _number_values(table.population[column], of)
                for column, of in zip(table.quasi, kinds, strict=True)
            ]
            people = _people(
                pl.DataFrame(dict(zip(names, every, strict=False))), classes, table.population.height
            )
        return cls(classes["size"].to_numpy().astype(np.int64), found, labels, texts_of, people)


def _only(counts: ValueCounts, kept: NDArray[np.bool_]) -> ValueCounts:
    widths = np.diff(counts.offsets)
    chosen = np.repeat(kept, widths)
    offsets = np.concatenate(([0], np.cumsum(widths[kept])))
    return ValueCounts(counts.domain, offsets, counts.values[chosen], counts.counts[chosen])


def _people(quasi: pl.DataFrame, classes: pl.DataFrame, everybody: int) -> People:
    """How many of a population, numbered as the table is, fit each class."""
    if not quasi.width:
        return People(np.array([everybody], np.int64), 0)
    fits = quasi.group_by(quasi.columns).agg(pl.len().alias("people"))
    fits = fits.join(classes.drop("size"), on=quasi.columns)
    counts = np.zeros(classes.height, np.int64)
    counts[fits["class"].to_numpy()] = fits["people"].to_numpy()
    return People(counts, everybody - int(counts.sum()))


def _number_values(column: pl.Series, kinds: pl.Series) -> pl.Series:
    """A number for each value, the missing one included: what the group-by compares instead of texts."""
    values = texts(column)
    numbers = values.cast(pl.Enum(kinds), strict=False).to_physical().cast(pl.UInt32)
    # What is no kind at all (of a population, say) must not pass for the missing value.
    return numbers.fill_null(len(kinds)) + (numbers.is_null() & values.is_not_null()).cast(pl.UInt32)


def _count(rows: pl.DataFrame, values: pl.Series, classes: pl.DataFrame, domain: Domain) -> ValueCounts:
    """The counts of one sensitive column: rows per class and value, the value as its place in the domain."""
    place = {value: code for code, value in enumerate(domain.values)}
    found = values.unique()
    stranger = [value for value in found.to_list() if value not in place]
    if stranger:
        raise BadParameter(
            f"the sensitive value {stranger[0]!r} of '{domain.column}' is not in the table-wide distribution "
            "of the manifest; the release was changed after it was made"
        )
    codes = values.replace_strict(
        found, pl.Series([place[value] for value in found.to_list()], dtype=pl.Int32), return_dtype=pl.Int32
    )
    quasi = [name for name in rows.columns if name != _ROWS]
    pairs = (
        rows.with_columns(codes.alias("code"))
        .group_by([*quasi, "code"])
        .agg(pl.col(_ROWS).sum().alias("count"))
        .join(classes.drop("size"), on=quasi)
        .sort("class", "code")
    )
    offsets = np.zeros(classes.height + 1, np.int64)
    np.cumsum(np.bincount(pairs["class"].to_numpy(), minlength=classes.height), out=offsets[1:])
    return ValueCounts(
        domain,
        offsets,
        pairs["code"].to_numpy().astype(np.int32),
        pairs["count"].to_numpy().astype(np.int64),
    )
