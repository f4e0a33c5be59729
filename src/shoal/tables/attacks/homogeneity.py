"""The homogeneity attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import (
    Lesson,
    Targets,
    at_least,
    best_slots,
    check_confidence,
    diversity,
    target_columns,
)
from shoal.tables.model_inputs.classes import ValueCounts


@dataclass(frozen=True)
class Homogeneity(Attack[Scene]):
    """Learns the value of people whose candidate rows all have the same one.

    Nobody's row is found, and none needs to be. With a list the candidates of a person are the rows of all
    classes that may be theirs; without one every row is a person whose class is known. `confidence` is the
    share of the candidates that must agree. With several sensitive columns a person is hit when any is
    learned. Certain only of people who are in the release. The blind guess is the most frequent value of the
    whole table, in the column where that is right most often.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", 2007.
    """

    name: ClassVar[str] = "homogeneity"
    needs: ClassVar[tuple[Need, ...]] = ("sensitive",)
    threat: ClassVar[Threat] = "disclosure of information"
    counts_suffice: ClassVar[bool] = True
    sure: ClassVar[bool] = True

    confidence: float = 1.0
    column: str | None = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence, self.name)

    def attack(self, scene: Scene) -> Finding:
        columns = target_columns(scene, self.column, self.name)
        suspects = Targets.of(scene, self.name).by_candidates()
        pools = [suspects.pools(column) for column in columns]
        lessons = [self._lesson(pool) for pool in pools]
        rate = suspects.rate(lessons)
        remedy = diversity(1 / self.confidence, 2 if self.confidence == 1 else None, self.column)
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=max(float(pool.domain.totals.max() / pool.domain.totals.sum()) for pool in pools),
            findings=suspects.findings(lessons, scene.shown),
            cure=f"{remedy} leaves nobody whose candidate rows agree like that"
            if rate.hits
            else "nothing to cure: nobody's candidate rows agree like that",
            remedy=remedy if rate.hits else None,
            details={
                "people_whom_some_row_fits": suspects.fitting,
                "people_hit_by_column": {lesson.column: suspects.of_all([lesson.hit]) for lesson in lessons},
                **suspects.judged(lessons, scene.original),
            },
        )

    def _lesson(self, pool: ValueCounts) -> Lesson:
        shares = pool.most / pool.sizes
        top = best_slots(pool.shares, pool.offsets)
        return Lesson(
            pool.domain.column,
            at_least(shares, self.confidence),
            shares,
            lambda kind: pool.domain.values[pool.values[top[kind]]],
        )
