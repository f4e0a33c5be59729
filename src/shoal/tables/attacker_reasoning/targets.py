"""Whom an attacker is after, and what the release says of their sensitive values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, Rate
from shoal.core.part_syntax import replace_parameter
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

# A share and a limit that are equal in decimals differ in the last digits; this forgives those, no more.
ROUNDING = 1e-12
SLOTS, CELLS = 4_000_000, 16_000_000  # what is worked on at a time, so that memory stays small
NAMES = 2  # so many columns of a list say who somebody is


@dataclass(frozen=True, eq=False)
class Targets:
    """The people an attacker is after, by kinds: people of a kind look alike and share their candidate rows.

    With a list they are the people on it; a person's candidates are the rows of all classes that may be
    theirs. Without a list every row is a person whose class the attacker knows, so that a kind is a class.
    People whom no class fits are targets but of no kind: the release says nothing of them.
    """

    table: Table
    release: RowClasses  # by the columns that the attacker knows
    looks: pl.DataFrame  # one row per kind: what the attacker knows of these people
    number: Ints  # people of each kind
    offsets: Ints  # the classes of each kind as compressed rows, never none
    classes: Codes
    targets: int
    people: pl.DataFrame | None = None
    of_person: Ints | None = None  # the kind of everyone on the list, -1 for those whom nothing fits
    named: tuple[str, ...] = ()  # the columns of the list that say who somebody is

    @classmethod
    def of(cls, scene: Scene, attack: str, also: Iterable[str] = ()) -> Targets:
        """Everyone on the list, or everyone in the release; `also` are more columns that tell kinds apart."""
        if scene.external is None:
            return cls.of_rows(scene.table)
        people, shared = scene.external, scene.shared_with(scene.external, attack)
        release = RowClasses.of_table(scene.table, shared)
        found = fits(people, release, scene.table.hierarchies, scene.readable)
        own = RowClasses.of(people, tuple(dict.fromkeys((*shared, *also))))
        entry = found.of_person[np.unique(own.of_row, return_index=True)[1]]
        fitting = np.flatnonzero(found.number[entry])
        kind = np.full(len(own), -1, np.int64)
        kind[fitting] = np.arange(len(fitting))
        offsets, taken = gather_rows(found.offsets, entry[fitting])
        hidden = {*shared, *scene.table.sensitive}
        return cls(
            scene.table,
            release,
            own.labels[fitting],
            own.sizes[fitting],
            offsets,
            found.classes[taken],
            people.height,
            people,
            kind[own.of_row],
            tuple(c for c in people.columns if c not in hidden)[:NAMES] or shared,
        )

    @classmethod
    def of_rows(cls, table: Table) -> Targets:
        """Everyone in a table, by class."""
        release = RowClasses.of_table(table, table.quasi)
        every = np.arange(len(release) + 1)
        return cls(
            table, release, release.labels, release.sizes, every, every[:-1].astype(np.int32), table.rows
        )

    def by_candidates(self) -> Targets:
        """The same with one kind for all whose candidate rows are the same, whatever else they look like."""
        if self.people is None or self.of_person is None:
            return self
        place: dict[bytes, int] = {}
        keys = (self.classes[begin:end].tobytes() for begin, end in pairwise(self.offsets.tolist()))
        merged = np.array([place.setdefault(key, len(place)) for key in keys], np.int64)
        first = np.unique(merged, return_index=True)[1]
        offsets, taken = gather_rows(self.offsets, first)
        number = np.bincount(merged, self.number, len(place)).astype(np.int64)
        kinds = replace(self, looks=self.looks[first], number=number, offsets=offsets)
        return replace(kinds, classes=self.classes[taken], of_person=np.append(merged, -1)[self.of_person])

    def __len__(self) -> int:
        return len(self.number)

    @property
    def fitting(self) -> int:
        """People whom some row fits."""
        return int(self.number.sum())

    def pools(self, column: str, domain: Domain | None = None) -> ValueCounts:
        """How often each value of a column occurs among the candidate rows of each kind."""
        values = self.table.frame[column]
        counts = self.release.values(
            values, domain or Domain.of(self.table.frame, column, weights=self.table.weights)
        )
        return counts if self.people is None else _pool_counts(counts, self.offsets, self.classes)

    def of_all(self, masks: Sequence[Mask]) -> int:
        """People of the kinds for which any of the masks is true."""
        return int(self.number[np.logical_or.reduce(masks)].sum()) if masks else 0

    def rate(self, lessons: Sequence[Lesson]) -> Rate:
        """The share of people of whom something was learned."""
        return Rate(self.of_all([lesson.hit for lesson in lessons]), self.targets)

    def findings(self, lessons: Sequence[Lesson], shown: int) -> tuple[dict[str, Json], ...]:
        """The first people hit in the order of the list; without a list the largest classes hit."""
        hit: Mask = np.logical_or.reduce([lesson.hit for lesson in lessons])
        return tuple(
            {"who": who, **_lessons_json(lessons, kind), **more}
            for kind, who, more in self._first(hit, shown)
        )

    def judged(self, lessons: Sequence[Lesson], original: pl.DataFrame | None) -> dict[str, Json]:
        """How many of the people hit are in the original, by name and looks, and of how many all is true.

        Nothing where nobody can tell: without the original, or without a column of names in both.
        """
        if original is None or self.people is None or self.of_person is None:
            return {}
        taken = {*self.table.quasi, *self.table.sensitive, *self.table.insensitive}
        names = [c for c in self.people.columns if c in original.columns and c not in taken]
        if not names or not all(lesson.column in original.columns for lesson in lessons):
            return {}
        looks = [column for column in self.release.columns if column in original.columns]
        keys = [f"key {place}" for place in range(len(names) + len(looks))]

        def known(frame: pl.DataFrame) -> pl.DataFrame:
            own = zip(keys, (*names, *looks), strict=True)
            return pl.DataFrame([texts(frame[column]).alias(key) for key, column in own])

        there, people = known(original), known(self.people).with_row_index("person")
        found = people.join(there, on=keys, how="semi", nulls_equal=True)["person"].to_numpy()
        some, true = np.zeros(len(self.of_person), np.bool_), np.isin(np.arange(len(self.of_person)), found)
        inside = true.copy()
        for lesson in lessons:
            hit = np.append(lesson.hit, False)[self.of_person]
            some |= hit
            kinds, place = np.unique(self.of_person[hit], return_inverse=True)
            told = pl.Series("label", [lesson.what(kind) for kind in kinds.tolist()], dtype=pl.String)
            claims = people.filter(pl.Series(hit)).with_columns(told.gather(place))
            truth = texts(original[lesson.column]).alias("value")
            meant = covered_values(truth, told, self.table.hierarchies.get(lesson.column))
            facts = there.with_columns(truth).join(meant, on="value", nulls_equal=True)
            right = claims.join(facts, on=[*keys, "label"], how="semi", nulls_equal=True)["person"]
            true &= ~hit | np.isin(np.arange(len(true)), right.to_numpy())
        return {"judged": int((some & inside).sum()), "right": int((some & true).sum())}

    def _first(self, hit: Mask, shown: int) -> Iterator[tuple[int, dict[str, Json], dict[str, Json]]]:
        if self.people is not None and self.of_person is not None:
            # Somebody whom nothing fits has the kind -1: the place behind the last is theirs.
            hits = np.flatnonzero(np.append(hit, False)[self.of_person])
            hits = hits[: shown or len(hits)]
            told = pl.DataFrame([texts(self.people[name].gather(hits)) for name in self.named])
            for person, who in zip(hits.tolist(), told.iter_rows(named=True), strict=True):
                yield int(self.of_person[person]), who, {}
            return
        for kind in self._largest(np.flatnonzero(hit))[: shown or len(hit)].tolist():
            who = self.looks.row(kind, named=True) if self.looks.width else {}
            yield kind, who, {"people": int(self.number[kind])}

    def _largest(self, kinds: Ints) -> Ints:
        """Kinds from the largest to the smallest, by their labels where equal: the same order every time."""
        order = pl.DataFrame({"people": -self.number[kinds], "kind": kinds})
        labels = self.looks[kinds] if self.looks.width else self.looks
        keys = [labels[name].alias(f"label {place}") for place, name in enumerate(labels.columns)]
        order = order.hstack(keys).sort("people", *(key.name for key in keys))
        return np.asarray(order["kind"].to_numpy())


@dataclass(frozen=True, eq=False)
class Lesson:
    """What an attack learned about one column: per kind whether it did, and how sure that is."""

    column: str
    hit: Mask
    confidence: Floats
    what: Callable[[int], Json]  # what was learned about a kind
    more: Callable[[int], Mapping[str, Json]] = lambda _: {}


def _lessons_json(lessons: Sequence[Lesson], kind: int) -> dict[str, Json]:
    hits = [lesson for lesson in lessons if lesson.hit[kind]]
    best = max(hits, key=lambda lesson: float(lesson.confidence[kind]))
    return {
        "learned": {lesson.column: lesson.what(kind) for lesson in hits},
        "confidence": min(1.0, float(best.confidence[kind])),
        **best.more(kind),
    }


def target_columns(scene: Scene, column: str | None, attack: str) -> tuple[str, ...]:
    """The sensitive columns that an attack is after: the one it names, else all."""
    if column is None and scene.table.sensitive:
        return scene.table.sensitive
    return (scene.sensitive_column(column, attack),)


def check_confidence(confidence: float, attack: str) -> None:
    """Refuse what is no share."""
    if not 0 < confidence <= 1:
        raise BadParameter(
            f"{attack} needs a confidence above 0 and up to 1, not {confidence:g}; 1 means for certain"
        )


def at_least(shares: Floats, confidence: float) -> Mask:
    """Which shares are at least the confidence, in the decimals that were written."""
    return np.asarray(shares >= confidence * (1 - ROUNDING))


def diversity(least: float, distinct: int | None, column: str | None) -> str:
    """The l-diversity whose l is above `least`, in hundredths, or the one that counts values."""
    if distinct is not None:
        return model_spelling(f"l-diversity(l={distinct})", column)
    return model_spelling(
        f"l-diversity(l={np.floor(least * 100 + 1e-6) / 100 + 0.01:.12g},kind=probabilistic)", column
    )


def model_spelling(model: str, column: str | None) -> str:
    """The spelling of a model, about one column where one is named."""
    if column is None:
        return model
    return replace_parameter(f"{model[:-1]},column=c)", "column", lambda _: column)


def best_slots(figures: Floats, offsets: Ints) -> Ints:
    """Per compressed row the place of its largest figure; among equals the first."""
    most = np.repeat(np.maximum.reduceat(figures, offsets[:-1]), np.diff(offsets))
    places = np.where(figures == most, np.arange(len(figures)), len(figures))
    return np.asarray(np.minimum.reduceat(places, offsets[:-1]))


def gather_rows(offsets: Ints, rows: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Chosen compressed rows: their new offsets, and the places that their entries were taken from."""
    widths = np.diff(offsets)[rows]
    ends = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(widths, out=ends[1:])
    return ends, np.repeat(offsets[rows] - ends[:-1], widths) + np.arange(ends[-1])


def _pool_counts(counts: ValueCounts, offsets: Ints, classes: Codes) -> ValueCounts:
    """The counts of several classes added up, for each kind."""
    if len(classes) == len(offsets) - 1:
        ends, taken = gather_rows(counts.offsets, classes)
        return ValueCounts(counts.domain, ends, counts.values[taken], counts.counts[taken])
    width = len(counts.domain.values)
    slots = np.concatenate(([0], np.cumsum(np.diff(counts.offsets)[classes])))[offsets]
    found: list[tuple[Ints, Ints]] = []
    first = 0
    while first < len(offsets) - 1:
        last = max(first + 1, int(np.searchsorted(slots, slots[first] + SLOTS, "right")) - 1)
        ends, taken = gather_rows(counts.offsets, classes[offsets[first] : offsets[last]])
        kind = np.repeat(np.arange(last - first), np.diff(slots[first : last + 1]))
        keys, summed = _add_counts(
            kind * width + counts.values[taken], counts.counts[taken], (last - first) * width
        )
        found.append((keys + first * width, summed))
        first = last
    keys = np.concatenate([part for part, _ in found]) if found else np.zeros(0, np.int64)
    ends = np.zeros(len(offsets), np.int64)
    np.cumsum(np.bincount(keys // width, minlength=len(offsets) - 1), out=ends[1:])
    summed = np.concatenate([part for _, part in found]) if found else np.zeros(0, np.int64)
    return ValueCounts(counts.domain, ends, (keys % width).astype(np.int32), summed)


def _add_counts(keys: Ints, counts: Ints, cells: int) -> tuple[Ints, Ints]:
    """The keys that occur, ascending, and the sum of the counts of each."""
    if cells <= CELLS:
        # Whole numbers below 2^53 are exact as floats.
        sums = np.bincount(keys, counts, cells).astype(np.int64)
        present = np.flatnonzero(sums)
        return present, sums[present]
    kinds, of_key = np.unique(keys, return_inverse=True)
    return kinds, np.bincount(of_key, counts, len(kinds)).astype(np.int64)
