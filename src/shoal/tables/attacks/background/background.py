"""The background knowledge attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Attack, Mask, Need, Threat
from shoal.core.errors import BadParameter
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
from shoal.tables.attacks.background.prior_knowledge import Hint, Weights, combine_hints, hints_in
from shoal.tables.model_inputs.classes import ValueCounts

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Background(Attack[Scene]):
    """Learns the value of people after ruling out, or doubting, what the attacker knows they hardly have.

    `excluded` values are ruled out for everyone, `unlikely` ones count `factor` times. A `file` says more: a
    line names a value of the sensitive column, a `weight` (0 excludes), and for whom it holds, by any columns
    that are known of people; a blank means anyone. The belief about a person is the count of each value among
    their candidate rows times its weight, each person taken by themselves. A hit is a value that reaches
    `confidence` now and did not without the knowledge. Where everything is ruled out, knowledge and release
    contradict each other: told, and no hit. The blind guess has the same knowledge and no classes.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", 2007.
    """

    name: ClassVar[str] = "background"
    example: ClassVar[str] = "excluded=flu"
    needs: ClassVar[tuple[Need, ...]] = ("sensitive",)
    threat: ClassVar[Threat] = "disclosure of information"
    sure: ClassVar[bool] = True

    excluded: tuple[str, ...] = ()
    unlikely: tuple[str, ...] = ()
    factor: float = 0.1
    file: str | None = None
    confidence: float = 1.0
    column: str | None = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence, self.name)
        if not (self.excluded or self.unlikely or self.file):
            raise BadParameter(
                f"{self.name} needs knowledge; write {self.name}(excluded=Flu|Cancer), unlikely=… or file=…"
            )
        if not 0 < self.factor < 1:
            raise BadParameter(
                f"{self.name} needs a factor between 0 and 1, not {self.factor:g}; "
                "0.1 makes a value ten times less likely"
            )
        for value in self.excluded:
            if value in self.unlikely:
                raise BadParameter(f"{self.name} has '{value}' excluded and unlikely; keep one")

    def attack(self, scene: Scene) -> Finding:
        columns = target_columns(scene, self.column, self.name)
        people = scene.table.quasi if scene.external is None else tuple(scene.external.columns)
        about, hints = (None, []) if self.file is None else hints_in(self.file, columns, people)
        spoken = dict.fromkeys(column for hint in hints for column, _ in hint.when)
        suspects = Targets.of(scene, self.name, also=spoken)
        pools = [suspects.pools(column) for column in columns]
        if not scene.readable:
            self._refuse_strangers(pools, hints)
        everyone = [Hint(value, 0.0) for value in self.excluded]
        everyone += [Hint(value, self.factor) for value in self.unlikely]
        found = [
            _Beliefs(
                pool,
                combine_hints(
                    [*everyone, *(hints if pool.domain.column == about else [])],
                    pool.domain,
                    suspects,
                    scene.table.hierarchies,
                ),
                self.confidence,
            )
            for pool in pools
        ]
        lessons = [beliefs.lesson() for beliefs in found]
        rate = suspects.rate(lessons)
        remedy = self._remedy(found) if rate.hits else None
        if not rate.hits:
            cure = "nothing to cure: the knowledge makes nobody's value that sure"
        elif remedy is None:
            cure = "no diversity withstands the knowledge: it leaves too few values; leave out the column"
        else:
            cure = f"{remedy} leaves enough values in every class after this knowledge"
        already = [beliefs.already() for beliefs in found]
        against = [beliefs.contradicted for beliefs in found]
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=self._blind(found, suspects),
            findings=suspects.findings(lessons, scene.shown),
            cure=cure,
            remedy=remedy,
            details={
                "people_whom_some_row_fits": suspects.fitting,
                "people_known_without_the_knowledge": suspects.of_all(already),
                "people_whose_rows_contradict_the_knowledge": suspects.of_all(against),
                **suspects.judged(lessons, scene.original),
            },
        )

    def _refuse_strangers(self, pools: Sequence[ValueCounts], hints: Sequence[Hint]) -> None:
        """A misspelled value would be knowledge without effect, and "nobody was hit" a false comfort."""
        known = {value for pool in pools for value in pool.domain.values}
        names = " or ".join(f"'{pool.domain.column}'" for pool in pools)
        there = ", ".join(sorted(value for value in known if value is not None)[:5])
        for value in (*self.excluded, *self.unlikely):
            if value not in known:
                raise BadParameter(
                    f"{self.name} names '{value}', and nobody has it in {names}; there is {there}"
                )
        if hints and not any(hint.value in known for hint in hints):
            raise BadParameter(f"{self.file} speaks of no value of {names}; there is {there}")

    def _blind(self, found: Sequence[_Beliefs], suspects: Targets) -> float:
        """How often the likeliest value of the whole table is right, by the same knowledge."""
        best = np.maximum.reduce([beliefs.blind() for beliefs in found])
        return float((best * suspects.number).sum() / suspects.fitting) if suspects.fitting else 0.0

    def _remedy(self, found: Sequence[_Beliefs]) -> str | None:
        """The l-diversity that keeps every belief below the confidence, whatever a class looks like."""
        needed, most = 0.0, np.inf
        for beliefs in found:
            for weights in beliefs.weights.table[np.unique(beliefs.weights.of_kind)]:
                if weights.any():
                    needed = max(needed, _least(weights, self.confidence))
            most = min(most, len(beliefs.pool.domain.values))
        if needed >= most:
            return None
        return diversity(needed, round(needed) + 1 if self.confidence == 1 else None, self.column)


class _Beliefs:
    """What is believed about one column before and after the knowledge, per kind of people."""

    def __init__(self, pool: ValueCounts, weights: Weights, confidence: float) -> None:
        self.pool, self.weights, self.confidence = pool, weights, confidence
        widths = np.diff(pool.offsets)
        own = weights.table[np.repeat(weights.of_kind, widths), pool.values] * pool.counts
        total = np.add.reduceat(own, pool.offsets[:-1])
        self.contradicted: Mask = total == 0
        self.after: Floats = own / np.repeat(np.where(total > 0, total, 1.0), widths)

    def already(self) -> Mask:
        """Who was known without any knowledge."""
        return at_least(self.pool.most / self.pool.sizes, self.confidence)

    def lesson(self) -> Lesson:
        pool = self.pool
        new = at_least(self.after, self.confidence) & ~at_least(pool.shares, self.confidence)
        sure = np.where(new, self.after, -1.0)
        top = best_slots(sure, pool.offsets)
        return Lesson(
            pool.domain.column,
            new[top],
            self.after[top],
            lambda kind: pool.domain.values[pool.values[top[kind]]],
            lambda kind: {"before": float(pool.shares[top[kind]])},
        )

    def blind(self) -> Floats:
        """Per kind, how likely the likeliest value is when only the whole table is known."""
        belief = self.weights.table * self.pool.domain.totals
        total = belief.sum(axis=1)
        return np.asarray((belief.max(axis=1) / np.where(total > 0, total, 1.0))[self.weights.of_kind])


def _least(weights: Floats, confidence: float) -> float:
    """What l must exceed so that no class whose values have at most 1/l each gives a belief of `confidence`.

    Take a value of weight w at the most that it may have, 1/l, and let all values of weight below some r be
    as frequent as they may, and count for nothing. The rest weighs at least r, so the belief is at most
    w / (w + r·(l - 1 - lower)): below the confidence when l > 1 + lower + w/r·(1/confidence - 1).
    """
    levels = np.unique(weights[weights > 0])
    if confidence == 1:
        return 1.0 + float((weights == 0).sum())
    return min(
        1 + float((weights < level).sum()) + float(weights.max() / level) * (1 / confidence - 1)
        for level in levels
    )
