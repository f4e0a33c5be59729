"""Several releases about the same people: where each person is in each, and what all of them allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.overlapping_labels import class_pairs
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Int32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class KindCounts:
    """Values of one kind per class of a release, as compressed rows: which (ascending) and how often."""

    offsets: Ints
    values: Int32
    counts: Ints

    @classmethod
    def of(cls, classes: RowClasses, codes: Ints, kinds: int) -> KindCounts:
        """Count the coded values of all rows by class."""
        keys, counts = np.unique(classes.of_row.astype(np.int64) * kinds + codes, return_counts=True)
        offsets = np.zeros(len(classes) + 1, np.int64)
        np.cumsum(np.bincount(keys // kinds, minlength=len(classes)), out=offsets[1:])
        return cls(offsets, (keys % kinds).astype(np.int32), counts.astype(np.int64))

    @cached_property
    def distinct(self) -> Ints:
        """How many values each class has."""
        return np.diff(self.offsets)


@dataclass(frozen=True, eq=False)
class Together:
    """Releases seen together: groups of people whom no release tells apart, and where each group is.

    `places[group, release]` is an entry of `entries`, the classes that may be theirs in that release, or -1
    where none is. `of_person` is the group of each person on a list; without a list every group is one way
    of being in all releases.
    """

    classes: tuple[RowClasses, ...]
    counted: tuple[KindCounts, ...]
    values: tuple[Label, ...]
    entries: tuple[tuple[Ints, Int32], ...]
    places: Ints
    of_person: Ints | None

    @classmethod
    def of_people(cls, scene: Scene, people: pl.DataFrame, column: str, attack: str) -> Together:
        """The releases of a scene as they hold the people of a list."""
        if not people.height:
            raise BadParameter(f"{attack} has a list with nobody on it; give people, one to a row")
        releases, codes, values = _code_releases(scene, column, attack)
        classes, counted, entries, ids = [], [], [], []
        for place, table in enumerate(releases):
            shared = [name for name in table.quasi if name in people.columns]
            if not shared:
                raise BadParameter(
                    f"{attack} finds no quasi-identifier of release {place + 1} ({', '.join(table.quasi)}) "
                    f"in the list; it has {', '.join(people.columns)}"
                )
            seen = RowClasses.of(table.frame, shared)
            # A blank of the original is a value; on a list it is something that the attacker does not know.
            truth = people is scene.original
            found = fits(people, seen, table.hierarchies, scene.readable, blank_is_value=truth)
            # Whoever fits one class only is told by it; others keep an entry of their own.
            own = np.where(found.number == 1, found.only, len(seen) + np.arange(len(found.number)))
            own[found.number == 0] = -1
            ids.append(own[found.of_person].astype(np.int64))
            offsets = np.concatenate((np.arange(len(seen)), len(seen) + found.offsets))
            every = np.concatenate((np.arange(len(seen)), found.classes)).astype(np.int32)
            entries.append((offsets.astype(np.int64), every))
            classes.append(seen)
            counted.append(KindCounts.of(seen, codes[place], len(values)))
        of_person, first_of = _group_people(ids)
        places = np.stack([own[first_of] for own in ids], axis=1)
        return cls(tuple(classes), tuple(counted), values, tuple(entries), places, of_person)

    @classmethod
    def of_classes(cls, scene: Scene, column: str, attack: str) -> Together:
        """The releases of a scene with every combination of their classes that may hold one person."""
        releases, codes, values = _code_releases(scene, column, attack)
        classes = [RowClasses.of(table.frame, table.quasi) for table in releases]
        counted = [KindCounts.of(seen, own, len(values)) for seen, own in zip(classes, codes, strict=True)]
        ways = pl.DataFrame({"0": np.arange(len(classes[0]), dtype=np.int64)})
        for place in range(1, len(classes)):
            for before in range(place):
                hierarchies = {**releases[place].hierarchies, **releases[before].hierarchies}
                own, other = class_pairs(classes[before], classes[place], hierarchies, scene.readable)
                pairs = pl.DataFrame({str(before): own, str(place): other})
                # Labels that meet two by two have a value in common: ranges and branches of a tree do.
                how: Any = "inner" if before == 0 else "semi"
                ways = ways.join(pairs, on=[name for name in pairs.columns if name in ways.columns], how=how)
        entries = tuple(
            (np.arange(len(seen) + 1, dtype=np.int64), np.arange(len(seen), dtype=np.int32))
            for seen in classes
        )
        places = ways.sort(ways.columns).to_numpy().astype(np.int64)
        return cls(tuple(classes), tuple(counted), values, entries, places, None)

    @cached_property
    def common(self) -> tuple[Ints, Int32, Ints]:
        """Of each group: how many values all releases allow, the one if it is one, how many each allows."""
        entry_offsets: list[Ints] = []
        class_offsets: list[Ints] = []
        class_of: list[Ints] = []
        values: list[Int32] = []
        places = self.places.copy()
        entry_base, class_base = 0, 0
        for release, ((offsets, classes), counted) in enumerate(zip(self.entries, self.counted, strict=True)):
            places[places[:, release] >= 0, release] += entry_base
            entry_offsets.append(offsets[:-1] + sum(len(own) for own in class_of))
            class_of.append(classes.astype(np.int64) + class_base)
            class_offsets.append(counted.offsets[:-1] + sum(len(own) for own in values))
            values.append(counted.values)
            entry_base += len(offsets) - 1
            class_base += len(counted.offsets) - 1
        return _common_values(
            np.ascontiguousarray(places),
            _ends_of(entry_offsets, class_of),
            np.concatenate(class_of),
            _ends_of(class_offsets, values),
            np.concatenate(values),
            len(self.values),
        )

    def left(self, group: int) -> list[Label]:
        """The values that all releases allow for one group."""
        found: set[int] | None = None
        for release, place in enumerate(self.places[group].tolist()):
            offsets, classes = self.entries[release]
            counted = self.counted[release]
            mine = classes[offsets[place] : offsets[place + 1]].tolist() if place >= 0 else []
            here = {
                value
                for own in mine
                for value in counted.values[counted.offsets[own] : counted.offsets[own + 1]].tolist()
            }
            found = here if found is None else found & here
        return [self.values[value] for value in sorted(found or ())]

    def labels(self, group: int) -> dict[str, str | None]:
        """What the classes of a group say of it, release by release; a label told twice is told once."""
        told: dict[str, list[Label]] = {}
        for release, place in enumerate(self.places[group].tolist()):
            offsets, classes = self.entries[release]
            seen = self.classes[release]
            for name, label in seen.labels.row(int(classes[offsets[place]]), named=True).items():
                if label not in told.setdefault(name, []):
                    told[name].append(label)
        return {name: labels[0] if len(labels) == 1 else _all(labels) for name, labels in told.items()}


def same_rows(one: Table, other: Table) -> bool:
    """Whether two releases are one: the same rows, in whatever order."""
    if one.rows != other.rows or set(one.columns) != set(other.columns) or set(one.quasi) != set(other.quasi):
        return False
    # Names of our own: Polars takes some names for patterns.
    first, second = (
        pl.DataFrame({f"{place}": texts(table.frame[name]) for place, name in enumerate(one.columns)})
        for table in (one, other)
    )
    return bool(first.sort(first.columns).equals(second.sort(second.columns)))


def code_jointly(columns: Sequence[pl.Series]) -> tuple[list[Ints], tuple[Label, ...]]:
    """Columns of several releases under one numbering of their values."""
    every = [texts(column).rename("value") for column in columns]
    kinds = pl.concat(every).unique().sort()
    numbers = pl.Series(np.arange(len(kinds)), dtype=pl.Int64)
    codes = [column.replace_strict(kinds, numbers, return_dtype=pl.Int64).to_numpy() for column in every]
    return codes, tuple(kinds.to_list())


def _code_releases(
    scene: Scene, column: str, attack: str
) -> tuple[list[Table], list[Ints], tuple[Label, ...]]:
    releases = [scene.table, *scene.others]
    for place, table in enumerate(releases):
        if column not in table.columns:
            raise BadParameter(
                f"{attack} is after '{column}', and release {place + 1} has no such column; "
                f"it has {', '.join(table.columns)}"
            )
    codes, values = code_jointly([table.frame[column] for table in releases])
    return releases, codes, values


def _all(labels: Sequence[Label]) -> str:
    return " & ".join("missing" if label is None else label for label in labels)


def _ends_of(starts: list[Ints], rows: Sequence[NDArray[Any]]) -> Ints:
    return np.concatenate((*starts, [sum(len(own) for own in rows)])).astype(np.int64)


def _group_people(ids: Sequence[Ints]) -> tuple[Ints, Ints]:
    """The group of each person, by all ids together, and the first person of each group."""
    keys = np.zeros(len(ids[0]), np.int64)
    first: Ints = np.zeros(0, np.int64)
    for own in ids:
        _, codes = np.unique(own, return_inverse=True)
        # Renumbered after each step, so that the product stays below people squared.
        _, first, keys = np.unique(
            keys * (int(codes.max(initial=0)) + 1) + codes, return_index=True, return_inverse=True
        )
    return keys.astype(np.int64), first.astype(np.int64)


@compiled
def _common_values(
    places: Ints, entry_offsets: Ints, class_of: Ints, class_offsets: Ints, values: Int32, kinds: int
) -> tuple[Ints, Int32, Ints]:
    groups, releases = places.shape
    left = np.zeros(groups, np.int64)
    only = np.full(groups, -1, np.int32)
    alone = np.zeros((groups, releases), np.int64)
    # Marks that grow with group and release need no clearing between groups.
    seen = np.zeros(kinds, np.int64)
    stage = np.zeros(kinds, np.int64)
    for group in range(groups):
        for release in range(releases):
            entry = places[group, release]
            if entry < 0:
                continue
            mark = group * releases + release + 1
            for place in range(entry_offsets[entry], entry_offsets[entry + 1]):
                own = class_of[place]
                for at in range(class_offsets[own], class_offsets[own + 1]):
                    value = values[at]
                    if seen[value] == mark:
                        continue
                    seen[value] = mark
                    alone[group, release] += 1
                    if release == 0 or stage[value] == mark - 1:
                        stage[value] = mark
                        if release == releases - 1:
                            left[group] += 1
                            only[group] = value
        if left[group] != 1:
            only[group] = -1
    return left, only, alone
