"""Which classes of a release a person may be in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.adversary.labels import covered
from shoal.tables.adversary.row_classes import Ints, RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.values import texts


@dataclass(frozen=True, eq=False)
class Fits:
    """For everyone on a list, the classes of a release that may be theirs, as compressed rows.

    People who look alike share an entry: `of_person` is the entry of each, `offsets` and `classes` hold the
    classes of each entry.
    """

    of_person: NDArray[np.int32]
    offsets: Ints
    classes: NDArray[np.int32]

    @property
    def number(self) -> Ints:
        """How many classes may be theirs, for each entry."""
        return np.diff(self.offsets)

    def of(self, person: int) -> NDArray[np.int32]:
        """The classes that may be one person's."""
        entry = self.of_person[person]
        return self.classes[self.offsets[entry] : self.offsets[entry + 1]]


def fits(
    people: pl.DataFrame,
    release: RowClasses,
    ladders: Mapping[str, Hierarchy],
    readable: bool = False,
) -> Fits:
    """The classes whose every label may stand for what a person has, by the columns of the classes.

    A column of which nothing fits anybody is refused, because "nobody was hit" would then say nothing;
    unless the labels are known to be `readable`.
    """
    own = RowClasses.of(people, release.columns)
    # From column to column only the beginnings that some class has are followed.
    keys = [f"label {place}" for place in range(len(release.columns))]
    classes = pl.DataFrame(dict(zip(keys, release.labels.get_columns(), strict=True)))
    classes = classes.with_row_index("class")
    found = pl.DataFrame({"entry": np.arange(len(own), dtype=np.uint32)})
    for place, column in enumerate(release.columns):
        pairs = covered(own.labels[column], release.labels[column], ladders.get(column))
        if not pairs.height and not readable:
            _refuse(column, release)
        value = own.labels[column].gather(found["entry"]).alias("value")
        found = (
            found.with_columns(value)
            .join(pairs.rename({"label": keys[place]}), on="value", how="inner", nulls_equal=True)
            .drop("value")
        )
        known = classes.select(keys[: place + 1]).unique()
        found = found.join(known, on=keys[: place + 1], how="semi", nulls_equal=True)
    found = found.join(classes, on=keys, how="inner", nulls_equal=True).sort("entry", "class")
    offsets = np.zeros(len(own) + 1, np.int64)
    np.cumsum(np.bincount(found["entry"].to_numpy(), minlength=len(own)), out=offsets[1:])
    return Fits(own.of_row, offsets, found["class"].to_numpy().astype(np.int32))


def _refuse(column: str, release: RowClasses) -> None:
    label = texts(release.labels[column])[0]
    raise BadParameter(
        f"nothing in '{column}' of the list fits the release, which has {label!r}; give the hierarchy it was "
        f"made with as --hierarchy {column}=FILE, or leave the column out of --quasi"
    )
