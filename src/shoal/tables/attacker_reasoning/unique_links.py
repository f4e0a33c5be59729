"""Who on a list has a released row to themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.outcome import Json, number
from shoal.tables.attacker_reasoning.candidate_classes import Fits, fits
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Links:
    """People who fit exactly one released row, which fits nobody else on the list.

    Who has a blank on the list fits many rows without being looked for in them, so they do not keep others
    from being hit. They only make it less sure: `confidence` is one over the number of people who fit.
    """

    release: RowClasses
    fitting: Fits
    person: Ints  # of each link
    row: Ints
    confidence: NDArray[np.float64]
    blank: NDArray[np.bool_]  # of each person, whether something about them is not known

    @classmethod
    def of(
        cls,
        people: pl.DataFrame,
        table: Table,
        columns: Sequence[str],
        readable: bool,
        tolerance: Mapping[str, float] | None = None,
        blank_is_value: bool = False,
    ) -> Links:
        """The links between a list and a release that some columns make."""
        release = RowClasses.of(table.frame, columns)
        found = fits(people, release, table.hierarchies, readable, tolerance, blank_is_value)
        blank = np.zeros(people.height, np.bool_)
        for column in columns:
            blank |= people[column].is_null().to_numpy() & (not blank_is_value)
        rivals, blurred = (found.people_of_classes(among) for among in (~blank, blank))
        person = np.flatnonzero(found.rows[found.of_person] == 1)
        theirs = found.only[found.of_person[person]]
        alone = rivals[theirs] == ~blank[person]
        person, theirs = person[alone], theirs[alone]
        everyone = rivals[theirs] + blurred[theirs]
        return cls(release, found, person, release.first_row[theirs], 1 / everyone, blank)

    @property
    def candidates(self) -> Ints:
        """How many rows may be each person's."""
        return self.fitting.rows[self.fitting.of_person]

    def right(self, people: pl.DataFrame, table: Table, original: pl.DataFrame, names: Sequence[str]) -> int:
        """How many links the original confirms.

        It does when somebody of that name in it has quasi-identifiers that fit the row, and the sensitive
        values of the row.
        """
        mine = pl.DataFrame({"link": np.arange(len(self.person))}).hstack(
            _columns_named(people[self.person], names)
        )
        truth = pl.DataFrame({"truth": np.arange(original.height)}).hstack(_columns_named(original, names))
        keys = [f"name {place}" for place in range(len(names))]
        pairs = mine.join(truth, on=keys, how="inner")
        if not pairs.height:
            return 0
        link, row = pairs["link"].to_numpy(), pairs["truth"].to_numpy()
        quasi = [column for column in table.quasi if column in original.columns]
        release = RowClasses.of(table.frame, quasi)
        theirs = original[row]
        found = fits(theirs, release, table.hierarchies, readable=True, blank_is_value=True)
        every = np.repeat(np.arange(len(found.number)), found.number) * len(release) + found.classes
        wanted = found.of_person.astype(np.int64) * len(release) + release.of_row[self.row[link]]
        same = np.isin(wanted, every)
        for column in table.sensitive:
            if column in original.columns:
                told = texts(table.frame[column].gather(self.row[link]))
                same &= told.eq_missing(texts(theirs[column])).to_numpy()
        return len(np.unique(link[same]))


def each_once(people: pl.DataFrame, columns: Sequence[str], who: str | None = None) -> pl.DataFrame:
    """A list without lines that say the same of the same person once more.

    Somebody listed twice would be their own rival, and so look safe. Lines are about one person when they
    agree in everything, or in `who` and the columns. A list of nothing but those columns names nobody: equal
    lines on it are different people.
    """
    if all(column in columns for column in people.columns):
        return people
    by = None if who is None or who in columns else [who, *columns]
    return people.unique(subset=by, keep="first", maintain_order=True)


def _columns_named(frame: pl.DataFrame, names: Sequence[str]) -> list[pl.Series]:
    return [texts(frame[name]).alias(f"name {place}") for place, name in enumerate(names)]


def cells(frame: pl.DataFrame, row: int, columns: Sequence[str]) -> dict[str, Json]:
    """Some values of a row as JSON carries them."""
    return {column: _json(frame[row, column]) for column in columns}


def _json(value: object) -> Json:
    if isinstance(value, float):
        return number(value)
    return value if value is None or isinstance(value, int | str) else str(value)
