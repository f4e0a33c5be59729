"""Linkability: whether a release joins what two lists know about one person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.tables.attacker_reasoning.candidate_classes import Fits
from shoal.tables.attacker_reasoning.control_group import (
    NO_CONTROL,
    Contrast,
    in_both,
    outsiders,
    sample_rows,
    truth,
)
from shoal.tables.attacker_reasoning.nearest_classes import likely
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.model_inputs.text_values import texts


@dataclass(frozen=True)
class Linkability(Attack[Scene]):
    """Joins two lists about the same people, each with columns of its own, through the rows of a release.

    One list has `columns_a`, the other `columns_b`, and no column is on both. For everyone on the first list
    the attacker takes a released row that fits them, and says which entry of the second list fits that row
    too. A hit is a right answer. Where nothing fits, the nearest row is taken. Without columns the lists have
    the quasi-identifiers and all the others. The lists are about `attempts` people of the original; the same
    is done with people of the control group, on whom a release has nothing to tell.

    Article 29 Working Party, "Opinion 05/2014 on anonymisation techniques", 2014; Giomi et al., "A unified
    framework for quantifying privacy risk in synthetic data", 2023.
    """

    name: ClassVar[str] = "linkability"
    needs: ClassVar[tuple[Need, ...]] = ("original",)
    threat: ClassVar[Threat] = "linkability"
    picks: ClassVar[bool] = True

    columns_a: tuple[str, ...] = ()
    columns_b: tuple[str, ...] = ()
    attempts: int = 2000

    def __post_init__(self) -> None:
        both = [column for column in self.columns_a if column in self.columns_b]
        if both:
            raise BadParameter(f"linkability has '{both[0]}' on both lists; a column is on one of them")
        if self.attempts < 1:
            raise BadParameter(f"attempts is how many people to try, from 1 on, not {self.attempts}")

    def attack(self, scene: Scene) -> Finding:
        a, b = self._lists(scene)
        control = outsiders(scene, (*a, *b), self.name)
        original = truth(scene)
        # A longer list is harder to pick from, so both groups are lists of one length.
        number = min(self.attempts, original.height, control.height if control is not None else self.attempts)
        bridge = _Bridge(scene, a, b)
        people = sample_rows(original, number, scene.seed)
        found = bridge.links(people)
        theirs = None
        if control is not None:
            theirs = Rate(int(bridge.links(sample_rows(control, number, scene.seed)).right.sum()), number)
        rate = Rate(int(found.right.sum()), number)
        contrast = Contrast(rate, theirs)
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=1 / number,
            findings=tuple(bridge.findings(people, found, scene.shown)),
            cure=self._cure(contrast, a, b),
            details={
                **contrast.to_json(),
                "columns_a": list(a),
                "columns_b": list(b),
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The release without the rows that nobody else's look like."""
        a, b = self._lists(scene)
        classes = RowClasses.of(scene.table.frame, (*a, *b))
        keep = np.flatnonzero(classes.sizes[classes.of_row] > 1)
        lost = scene.table.rows - len(keep)
        if not lost or not len(keep):
            return None, ""
        how = f"without the {lost:,} rows that are alone with their {', '.join((*a, *b))}"
        return replace(scene, table=scene.table.with_frame(scene.table.frame[keep])), how

    def _lists(self, scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The columns of the two lists."""
        quasi = tuple(column for column in scene.table.quasi if column in truth(scene).columns)
        a = in_both(scene, self.columns_a or (quasi if not self.columns_b else ()), self.name, self.columns_b)
        if self.columns_b:
            return a, in_both(scene, self.columns_b, self.name)
        if not [column for column in in_both(scene, (), self.name) if column not in a]:
            if self.columns_a or len(a) < 2:
                raise BadParameter(
                    f"linkability has no columns for a second list; give columns_b=…, the release has "
                    f"{', '.join(scene.table.columns)}"
                )
            a = a[: len(a) // 2]
        return a, in_both(scene, (), self.name, a)

    def _cure(self, contrast: Contrast, a: tuple[str, ...], b: tuple[str, ...]) -> str:
        tail = NO_CONTROL if contrast.control is None else ""
        if not contrast.attacked.hits:
            return (
                f"nothing to cure: the release joined nobody's {', '.join(a)} to their {', '.join(b)}{tail}"
            )
        return (
            f"release {', '.join(a)} and {', '.join(b)} so coarsely that every combination of them occurs "
            f"several times, or in two files that nothing joins{tail}"
        )


@dataclass(frozen=True, eq=False)
class _Links:
    """Whom of two lists a release joins to themselves, and what it does that with."""

    right: NDArray[np.bool_]
    fit_a: Fits
    fit_b: Fits
    load: Ints  # for each class of the second list's columns, how many of the list it may be


class _Bridge:
    """A release between two lists."""

    def __init__(self, scene: Scene, a: tuple[str, ...], b: tuple[str, ...]) -> None:
        self.scene = scene
        self.a, self.b = (RowClasses.of(scene.table.frame, columns) for columns in (a, b))
        self.rows = np.argsort(self.a.of_row, kind="stable")  # class by class
        self.starts = np.concatenate(([0], np.cumsum(self.a.sizes)))

    def links(self, people: pl.DataFrame) -> _Links:
        """Whom the release joins of two lists about people."""
        chance = generator(self.scene.seed or 0)
        hierarchies, readable = self.scene.table.hierarchies, self.scene.readable
        fit_a = likely(people, self.a, hierarchies, readable)
        fit_b = likely(people, self.b, hierarchies, readable)
        persons = np.bincount(fit_b.of_person, minlength=len(fit_b.number))
        each = np.repeat(persons, fit_b.number)
        load = np.bincount(fit_b.classes, weights=each, minlength=len(self.b)).astype(np.int64)
        # A row that may be nobody's on the second list leads nowhere, and the attacker knows.
        usable = self.rows[load[self.b.of_row[self.rows]] > 0]
        row = self._drawn(fit_a, usable, chance)
        theirs = np.where(row >= 0, self.b.of_row[row], 0).astype(np.int64)
        keys = np.repeat(np.arange(len(fit_b.number)), fit_b.number) * len(self.b) + fit_b.classes
        fitting = (row >= 0) & np.isin(fit_b.of_person.astype(np.int64) * len(self.b) + theirs, keys)
        right = fitting & (chance.random(len(row)) * np.maximum(load[theirs], 1) < 1)
        return _Links(right, fit_a, fit_b, load)

    def _drawn(self, fit: Fits, usable: Ints, chance: np.random.Generator) -> Ints:
        """For every person one of the usable rows of their classes, each as likely; -1 if there is none."""
        held = np.bincount(self.a.of_row[usable], minlength=len(self.a))
        first = np.concatenate(([0], np.cumsum(held)))
        passed = np.concatenate(([0], np.cumsum(held[fit.classes])))
        start, end = (passed[fit.offsets[fit.of_person + step]] for step in (0, 1))
        place = start + (chance.random(len(start)) * (end - start)).astype(np.int64)
        at = np.searchsorted(passed, place, side="right") - 1
        row = np.full(len(start), -1, np.int64)
        some = end > start
        row[some] = usable[first[fit.classes[at[some]]] + (place - passed[at])[some]]
        return row

    def findings(self, people: pl.DataFrame, found: _Links, shown: int) -> list[dict[str, Json]]:
        """The first people who were joined."""
        told: list[dict[str, Json]] = []
        hit = np.flatnonzero(found.right)
        for person in hit[: shown or len(hit)].tolist():
            who, learned = (
                {name: texts(people[name])[person] for name in classes.columns}
                for classes in (self.a, self.b)
            )
            told.append({"who": who, "learned": learned, "confidence": self.sure(person, found)})
        return told

    def sure(self, person: int, found: _Links) -> float:
        """How likely the answer about one person was to be right."""
        pieces = [self.rows[self.starts[own] : self.starts[own + 1]] for own in found.fit_a.of(person)]
        theirs = self.b.of_row[np.concatenate([np.empty(0, np.int64), *pieces])]
        load = found.load[theirs]
        theirs, load = theirs[load > 0], load[load > 0]
        fitting = np.isin(theirs, found.fit_b.of(person))
        return float((fitting / load).sum() / len(theirs)) if len(theirs) else 0.0
