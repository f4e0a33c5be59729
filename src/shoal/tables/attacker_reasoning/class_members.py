"""Who of a complete list is in which class: what an attacker works out who knows everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.outcome import Json
from shoal.tables.attacker_reasoning.candidate_classes import Fits
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.model_inputs.text_values import texts

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Members:
    """How many people of each look are in each class, sorted by class.

    `known` says of each class whether the list settles that: the numbers then add up to its size. People of
    one look may be in several classes; that is settled only by a list of exactly the people released.
    """

    look: Ints
    of_class: Ints
    people: Ints
    known: Mask

    @classmethod
    def of(cls, looks: RowClasses, found: Fits) -> Members:
        """What the list settles: people whom one class fits are in it, and a full class takes no more."""
        entry_of_look = found.of_person[looks.first_row].astype(np.int64)
        entry, of_class, people, known = _settle_members(found)
        # Of people who look different and are dealt to several classes, nobody knows who went where.
        dealt = np.bincount(entry, minlength=len(found.number)) > 1
        dealt &= np.bincount(entry_of_look, minlength=len(dealt)) > 1
        known[of_class[dealt[entry]]] = False
        kept = known[of_class]
        entry, of_class, people = entry[kept], of_class[kept], people[kept]
        # Every look of an entry, with the entry's class.
        order = np.argsort(entry_of_look, kind="stable")
        begins = np.searchsorted(entry_of_look[order], np.arange(len(dealt) + 1))
        width = np.diff(begins)[entry]
        offsets = np.concatenate(([0], np.cumsum(width)))
        place = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - begins[:-1][entry], width)
        look, owner = order[place], np.repeat(of_class, width)
        number = np.where(np.repeat(width, width) > 1, looks.sizes[look], np.repeat(people, width))
        by_class = np.lexsort((look, owner))
        return cls(look[by_class], owner[by_class], number[by_class], known)


def _settle_members(found: Fits) -> tuple[Ints, Ints, Ints, Mask]:
    """Entries, classes and how many people of the one are in the other; and which classes are settled."""
    entry = np.repeat(np.arange(len(found.number)), found.number)
    of_class = found.classes.astype(np.int64)
    left = np.bincount(found.of_person, minlength=len(found.number))
    room = found.sizes.astype(np.int64).copy()
    people = np.zeros(len(entry), np.int64)
    # Of a list with strangers on it (or with people left out) only those say something whom one class fits.
    complete = int(left[found.number > 0].sum()) == int(room.sum())
    open_ = np.full(len(entry), complete) | (found.number == 1)[entry]
    wrong = np.zeros(len(room), np.bool_)
    wrong[of_class[~open_]] = True
    while open_.any():
        before = int(open_.sum())
        only = open_ & (np.bincount(entry[open_], minlength=len(left)) == 1)[entry]
        _move(only, people, left[entry], entry, of_class, left, room)
        open_ &= ~only
        only = open_ & (np.bincount(of_class[open_], minlength=len(room)) == 1)[of_class]
        # Two classes may want the same people; what they cannot both have shows as an entry overdrawn.
        _move(only, people, room[of_class], entry, of_class, left, room)
        open_ &= ~only
        open_ &= (left[entry] > 0) & (room[of_class] > 0)
        if int(open_.sum()) == before:
            break
    wrong[of_class[left[entry] < 0]] = True
    wrong[of_class[open_]] = True
    full = room < 0
    crowded = np.zeros(len(left), np.bool_)
    crowded[entry[full[of_class]]] = True
    wrong[of_class[crowded[entry]]] = True
    some = people > 0
    return entry[some], of_class[some], people[some], (room == 0) & ~wrong


def _move(
    pairs: Mask, people: Ints, number: Ints, entry: Ints, of_class: Ints, left: Ints, room: Ints
) -> None:
    people[pairs] = number[pairs]
    np.subtract.at(left, entry[pairs], number[pairs])
    np.subtract.at(room, of_class[pairs], number[pairs])


def in_truth(
    original: pl.DataFrame | None, looks: RowClasses, sensitive: str
) -> tuple[Ints, pl.DataFrame] | None:
    """Per look the rows of the truth that look so, and how many of them have each value; None if unknown.

    The frame has the columns `look`, `value`, `rows`.
    """
    columns = list(looks.columns)
    if original is None or not {*columns, sensitive} <= set(original.columns):
        return None
    keys = [f"column {place}" for place in range(len(columns))]
    looked = pl.DataFrame(dict(zip(keys, looks.labels.get_columns(), strict=True))).with_row_index("look")
    rows = pl.DataFrame(
        {
            **{key: texts(original[column]) for key, column in zip(keys, columns, strict=True)},
            "value": texts(original[sensitive]),
        }
    )
    found = (
        rows.group_by([*keys, "value"])
        .agg(pl.len().cast(pl.Int64).alias("rows"))
        .join(looked, on=keys, how="inner", nulls_equal=True)
        .select("look", "value", "rows")
    )
    totals = np.bincount(found["look"].to_numpy(), found["rows"].to_numpy(), len(looks)).astype(np.int64)
    return totals, found


def rows_in_truth(found: pl.DataFrame, looks: Ints, values: Sequence[str | None] | pl.Series) -> Ints:
    """Of some looks how many rows of the truth have the value guessed for each."""
    asked = pl.DataFrame(
        {"look": looks.astype(np.uint32), "value": pl.Series(values, dtype=pl.String)}
    ).with_columns(pl.col("look").cast(found["look"].dtype))
    joined = asked.join(found, on=["look", "value"], how="left", nulls_equal=True, maintain_order="left")
    return joined["rows"].fill_null(0).to_numpy().astype(np.int64)


def person_name(people: pl.DataFrame, person: int, shared: Sequence[str]) -> dict[str, Json]:
    """A person of a list as a report names them: by what is not in the release, else by what is."""
    known = [column for column in people.columns if column not in shared][:2] or list(shared)
    return {column: texts(people[column].slice(person, 1))[0] for column in known}
