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
from shoal.tables.domains import JOINT, Domain, domains_of
from shoal.tables.table import Table
from shoal.tables.values import texts

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Per class, the sensitive values that occur (ascending) and how often, as compressed rows."""

    domain: Domain
    offsets: Ints
    values: NDArray[np.int32]
    counts: Ints

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
class Classes:
    """Rows that share every quasi-identifier: sizes, the sensitive counts of each class, and its labels.

    `labels[column]` numbers the labels of a quasi-identifier: classes with the same number share the label.
    """

    sizes: Ints
    sensitive: Mapping[str, ValueCounts] = field(default_factory=dict)
    labels: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)

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

    @classmethod
    def of(cls, table: Table, domains: Mapping[str, Domain] | None = None) -> Classes:
        """Group the rows of a table by its quasi-identifiers.

        `domains` are what is counted per class, and the reference distributions; where a sensitive column has
        none, the table's own.
        """
        # Own names, so that no column of the table can clash with a counter.
        names = [f"quasi {place}" for place in range(len(table.quasi))]
        quasi = pl.DataFrame(
            [texts(table.frame[column]).alias(name) for column, name in zip(table.quasi, names, strict=True)]
        )
        if not names:
            names, quasi = ["quasi"], pl.DataFrame({"quasi": np.zeros(table.rows, np.int8)})
        classes = quasi.group_by(names).agg(pl.len().alias("size")).with_row_index("class")
        every = (
            {**domains_of(table), **(domains or {})} if set(table.sensitive) - set(domains or ()) else domains
        )
        found = {
            name: _count(quasi.with_columns(domain.series(table.frame).alias("value")), classes, domain)
            for name, domain in (every or {}).items()
        }
        labels = {
            column: classes[name].rank("dense").fill_null(0).to_numpy().astype(np.int32)
            for column, name in zip(table.quasi, names, strict=False)
        }
        return cls(classes["size"].to_numpy().astype(np.int64), found, labels)


def _count(rows: pl.DataFrame, classes: pl.DataFrame, domain: Domain) -> ValueCounts:
    """The counts of one sensitive column: rows per class and value, the value as its place in the domain."""
    names = [name for name in rows.columns if name != "value"]
    codes = pl.DataFrame(
        {"value": pl.Series(domain.values, dtype=pl.String), "code": np.arange(len(domain.values))}
    )
    pairs = (
        rows.group_by(rows.columns)
        .agg(pl.len().alias("count"))
        .join(classes.drop("size"), on=names, nulls_equal=True)
        .join(codes, on="value", how="left", nulls_equal=True)
        .sort("class", "code")
    )
    if pairs["code"].null_count():
        stranger = pairs.filter(pl.col("code").is_null())["value"][0]
        raise BadParameter(
            f"the sensitive value {stranger!r} of '{domain.column}' is not in the table-wide distribution "
            "of the manifest; the release was changed after it was made"
        )
    offsets = np.zeros(classes.height + 1, np.int64)
    np.cumsum(np.bincount(pairs["class"].to_numpy(), minlength=classes.height), out=offsets[1:])
    return ValueCounts(
        domain,
        offsets,
        pairs["code"].to_numpy().astype(np.int32),
        pairs["count"].to_numpy().astype(np.int64),
    )
