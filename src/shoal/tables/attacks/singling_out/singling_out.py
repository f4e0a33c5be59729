"""Singling out: descriptions that fit one person only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.tables.attacker_reasoning.control_group import NO_CONTROL, Contrast, in_both, outsiders, truth
from shoal.tables.attacker_reasoning.label_syntax import keys_on
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.singling_out.predicates import (
    Condition,
    Ground,
    Predicate,
    alone_elsewhere,
    best_blind,
)
from shoal.tables.model_inputs.text_values import texts


@dataclass(frozen=True)
class SinglingOut(Attack[Scene]):
    """Writes descriptions that should fit exactly one person, from nothing but the release.

    Half of the attempts are values that occur once, and the highest and lowest numbers; the others join the
    labels that a released row has in `size` columns. The attacker bets on those that fit one released row,
    or, if there is none such, on those that fit the fewest. A hit is a description that fits exactly one
    person of the original, whoever that is. The blind guess is the best description that can be made without
    any data: it fits one person in about 37 % of all cases. The control group has as many people as the
    original, or is scaled up to it: what fits one person there as often owes nothing to the release.

    Article 29 Working Party, "Opinion 05/2014 on anonymisation techniques", 2014; Cohen, Nissim, "Towards
    formalizing the GDPR's notion of singling out", 2020; Giomi et al., 2023.
    """

    name: ClassVar[str] = "singling-out"
    needs: ClassVar[tuple[Need, ...]] = ("original",)
    threat: ClassVar[Threat] = "identifiability"

    columns: tuple[str, ...] = ()
    size: int = 3
    attempts: int = 2000

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadParameter(f"size is how many columns a description has, from 1 on, not {self.size}")
        if self.attempts < 2:
            raise BadParameter(f"attempts is how many descriptions to try, from 2 on, not {self.attempts}")

    def attack(self, scene: Scene) -> Finding:
        columns = in_both(scene, self.columns, self.name)
        original, control = truth(scene), outsiders(scene, columns, self.name)
        hierarchies = scene.table.hierarchies
        drawn = self._drawn(scene, columns)
        released = Ground(scene.table.frame, columns)
        fitting, row = released.described(drawn, None)
        bets = np.flatnonzero(fitting == fitting[fitting > 0].min(initial=fitting.max()))[: self.attempts]
        chosen = [drawn[bet] for bet in bets.tolist()]
        ground = Ground(original, columns)
        counts, person = ground.described(chosen, hierarchies)
        right = counts == 1
        blind, _ = ground.described(self._random(scene, columns), hierarchies)
        theirs = None
        if control is not None:
            outside, _ = Ground(control, columns).described(chosen, hierarchies)
            alone = alone_elsewhere(outside, control.height, original.height)
            theirs = Rate(round(alone), len(chosen))
        contrast = Contrast(Rate(int(right.sum()), len(chosen)), theirs)
        single = np.array([len(predicate) == 1 for predicate in chosen])
        return Finding(
            attack=self.name,
            rate=contrast.attacked,
            baseline=best_blind(original.height),
            findings=tuple(self._findings(scene, chosen, row[bets], right, columns)),
            cure=self._cure(contrast),
            details={
                **contrast.to_json(),
                "people_singled_out": len(np.unique(person[right])),
                "descriptions_written": len(drawn),
                "rows_each_fits_in_the_release": int(fitting[bets[0]]),
                "by_one_column": int((right & single).sum()),
                "by_several_columns": int((right & ~single).sum()),
                "random_descriptions": float((blind == 1).mean()),
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The release without rows that nobody else's look like: then no description fits one row of it."""
        columns = in_both(scene, self.columns, self.name)
        classes = RowClasses.of(scene.table.frame, columns)
        keep = np.flatnonzero(classes.sizes[classes.of_row] > 1)
        lost = scene.table.rows - len(keep)
        if not lost or not len(keep):
            return None, ""
        how = f"without the {lost:,} rows that are alone with their {', '.join(columns)}"
        return replace(scene, table=scene.table.with_frame(scene.table.frame[keep])), how

    def _drawn(self, scene: Scene, columns: Sequence[str]) -> list[Predicate]:
        """The descriptions that the attacker can think of."""
        chance = generator(scene.seed or 0)
        rare: list[Predicate] = []
        for column in columns:
            counted = texts(scene.table.frame[column]).alias("label").value_counts(sort=True, name="rows")
            alone = counted.filter(counted["rows"] == 1)["label"].sort()
            rare += [(Condition(column, label),) for label in alone.to_list()]
            numbers = keys_on("number", counted["label"])
            if len(numbers) > 1 and not np.isnan(numbers).any():
                low, high = int(numbers.argmin()), int(numbers.argmax())
                rare.append((Condition(column, counted["label"][low], "at most"),))
                rare.append((Condition(column, counted["label"][high], "at least"),))
        half = self.attempts // 2 if self.size > 1 else self.attempts
        if len(rare) > half:
            rare = [rare[place] for place in np.sort(chance.choice(len(rare), half, replace=False)).tolist()]
        several = min(self.size, len(columns))
        if several == 1 and rare:
            return rare
        rows = chance.integers(0, scene.table.rows, 2 * self.attempts)
        return list(dict.fromkeys([*rare, *self._joined(scene, columns, [rows] * several, chance)]))

    def _random(self, scene: Scene, columns: Sequence[str]) -> list[Predicate]:
        """Descriptions of nobody: each column's label is that of another row."""
        chance = generator(scene.seed or 0)
        several = min(self.size, len(columns))
        rows = [chance.integers(0, scene.table.rows, self.attempts) for _ in range(several)]
        return self._joined(scene, columns, rows, chance)

    def _joined(
        self, scene: Scene, columns: Sequence[str], rows: Sequence[Ints], chance: np.random.Generator
    ) -> list[Predicate]:
        """Descriptions by several columns, each with the label of one of the rows."""
        several, number = len(rows), len(rows[0])
        picked = np.sort(np.argsort(chance.random((number, len(columns))), axis=1)[:, :several], axis=1)
        labels = [
            {column: texts(scene.table.frame[column].gather(those)).to_list() for column in columns}
            for those in (rows if rows[0] is not rows[-1] else rows[:1])
        ]
        return [
            tuple(
                Condition(columns[column], labels[min(place, len(labels) - 1)][columns[column]][one])
                for place, column in enumerate(picked[one].tolist())
            )
            for one in range(number)
        ]

    def _findings(
        self, scene: Scene, chosen: list[Predicate], row: Ints, right: np.ndarray, columns: Sequence[str]
    ) -> list[dict[str, Json]]:
        """The first descriptions that fit one person, and what else their row of the release says."""
        told: list[dict[str, Json]] = []
        hits = np.flatnonzero(right)
        for hit in hits[: scene.shown or len(hits)].tolist():
            who: dict[str, Json] = {one.column: one.text() for one in chosen[hit]}
            learned: dict[str, Json] = {
                column: texts(scene.table.frame[column].gather([int(row[hit])]))[0]
                for column in scene.table.columns
                if column not in who and column not in scene.table.identifier
            }
            told.append(
                {"who": who, "learned": learned or {"people": 1}, "confidence": len(hits) / len(chosen)}
            )
        return told

    def _cure(self, contrast: Contrast) -> str:
        tail = NO_CONTROL if contrast.control is None else ""
        if not contrast.attacked.hits:
            return f"nothing to cure: no description made from the release fits one person alone{tail}"
        if contrast.interval is not None and not contrast.interval[0]:
            return (
                "nothing that the release adds: its descriptions fit one person as often among people who "
                "are not in it"
            )
        return (
            "coarsen all columns, not only the quasi-identifiers, until no combination of them occurs once; "
            f"only differential privacy rules out singling out for good{tail}"
        )
