"""The skewness attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Mask, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, number
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import (
    ROUNDING,
    Floats,
    Lesson,
    Targets,
    best_slots,
    model_spelling,
    target_columns,
)
from shoal.tables.manifest import add_unknown_value
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.share_limits import among

ROUNDS = 200


@dataclass(frozen=True)
class Skewness(Attack[Scene]):
    """Finds people for whom a value is far likelier than for anybody in the whole table.

    A hit is a person among whose candidate rows the odds q/(1-q) of some value are at least `gain` times its
    odds in the whole table, and its share q at least `share`: that one in fifty may have a value that one in
    a thousand has otherwise says little about anybody. `values` names the ones that would harm; without it
    every value counts, harmless ones too. The whole table is the one of the manifest where that tells the
    distribution (it was taken before suppression), else the release. A blind guess has the odds of the whole
    table: nobody gains.

    Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", 2007.
    """

    name: ClassVar[str] = "skewness"
    needs: ClassVar[tuple[Need, ...]] = ("sensitive",)
    threat: ClassVar[Threat] = "disclosure of information"
    counts_suffice: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    gain: float = 2.0
    values: tuple[str, ...] = ()
    share: float = 0.1
    column: str | None = None

    def __post_init__(self) -> None:
        if not 1 < self.gain < np.inf:
            raise BadParameter(
                f"{self.name} needs a gain above 1, not {self.gain:g}; 2 means that the odds double"
            )
        if not 0 <= self.share <= 1:
            raise BadParameter(
                f"{self.name} needs a share from 0 to 1, not {self.share:g}; 0.1 passes over what is rare"
            )

    def attack(self, scene: Scene) -> Finding:
        columns = target_columns(scene, self.column, self.name)
        suspects = Targets.of(scene, self.name).by_candidates()
        pools = [suspects.pools(column, _whole(scene, column)) for column in columns]
        if not scene.readable:
            self._refuse_strangers(pools)
        odds = [self._gains(pool, pool.domain.totals) for pool in pools]
        lessons = [self._lesson(pool, gains) for pool, gains in zip(pools, odds, strict=True)]
        rate = suspects.rate(lessons)
        remedy = self._remedy(pools) if rate.hits else None
        if not rate.hits:
            cure = "nothing to cure: nobody's odds are raised like that"
        elif remedy is None:
            cure = (
                "leave out the classes that raise somebody's odds, or the column: no likeness is close enough"
            )
        else:
            cure = f"{remedy} leaves nobody with odds {self.gain:g} times those of the whole table"
        certain = [np.isinf(_best(pool, gains)) for pool, gains in zip(pools, odds, strict=True)]
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=0.0,
            findings=suspects.findings(lessons, scene.shown),
            cure=cure,
            remedy=remedy,
            details={
                "people_whom_some_row_fits": suspects.fitting,
                "people_certain": suspects.of_all(certain),
                **_largest(suspects, lessons, pools, odds),
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The scene without the classes that raise somebody's odds.

        Without them the whole table is another one, which may put more classes out of line: until none is.
        """
        columns = target_columns(scene, self.column, self.name)
        rows = Targets.of_rows(scene.table)
        pools = [rows.pools(column, _whole(scene, column)) for column in columns]
        fixed = [_in_manifest(scene, column) for column in columns]
        kept = np.ones(len(rows), np.bool_)
        for _ in range(ROUNDS):
            hit = np.zeros(len(rows), np.bool_)
            for pool, settled in zip(pools, fixed, strict=True):
                totals = pool.domain.totals if settled else _totals(pool, kept)
                hit |= _best(pool, self._gains(pool, totals)) >= self.gain * (1 - ROUNDING)
            if not (hit & kept).any():
                break
            kept &= ~hit
        else:
            return None, ""
        chosen = np.flatnonzero(kept[rows.release.of_row])
        if not len(chosen):
            return None, ""
        left = scene.table.only(chosen)
        how = (
            f"without the {scene.table.rows - left.rows:,} rows of the classes that raise somebody's odds "
            f"{self.gain:g} times or more"
        )
        return replace(scene, table=left), how

    def _gains(self, pool: ValueCounts, totals: Ints) -> Floats:
        """Per kind and value, its odds among the candidates as a multiple of its odds in the whole table."""
        own, whole = pool.counts.astype(np.float64), totals[pool.values].astype(np.float64)
        others = np.repeat(pool.sizes, np.diff(pool.offsets)) - own
        for_it, against_it = own * (totals.sum() - whole), whole * others
        with np.errstate(divide="ignore", invalid="ignore"):
            # A value that the whole table has alone is no news in a class that has it alone.
            gains = np.where(for_it > 0, for_it / against_it, 1.0)
        gains = np.where(pool.shares >= self.share * (1 - ROUNDING), gains, 0.0)
        return np.where(among(pool, self.values), gains, 0.0) if self.values else gains

    def _lesson(self, pool: ValueCounts, gains: Floats) -> Lesson:
        top = best_slots(gains, pool.offsets)
        whole = pool.domain.totals / pool.domain.totals.sum()
        return Lesson(
            pool.domain.column,
            gains[top] >= self.gain * (1 - ROUNDING),
            pool.shares[top],
            lambda kind: pool.domain.values[pool.values[top[kind]]],
            lambda kind: {
                "before": float(whole[pool.values[top[kind]]]),
                "gain": number(float(gains[top[kind]])),
            },
        )

    def _refuse_strangers(self, pools: Sequence[ValueCounts]) -> None:
        known = {value for pool in pools for value in pool.domain.values}
        for value in self.values:
            if value not in known:
                names = " or ".join(f"'{pool.domain.column}'" for pool in pools)
                there = ", ".join(sorted(value for value in known if value is not None)[:5])
                raise BadParameter(
                    f"{self.name} names '{value}', and nobody has it in {names}; there is {there}"
                )

    def _remedy(self, pools: Sequence[ValueCounts]) -> str | None:
        """The β-likeness that keeps every gain down.

        Odds grow by less than g while q < g·p / (1 + (g-1)·p), so while q/p - 1 < (g-1)(1-p) / (1 + (g-1)·p),
        which is least for the most frequent value.
        """
        most = 0.0
        for pool in pools:
            shares = pool.domain.totals / pool.domain.totals.sum()
            listed = np.array([not self.values or value in self.values for value in pool.domain.values])
            most = max(most, float(shares[listed & (shares < 1)].max(initial=0.0)))
        beta = (self.gain - 1) * (1 - most) / (1 + (self.gain - 1) * most)
        beta = float(np.ceil(beta * 10_000 - 1e-6) - 1) / 10_000  # strictly below, in decimals for people
        return model_spelling(f"beta-likeness(beta={beta:.12g})", self.column) if beta > 0 else None


def _in_manifest(scene: Scene, column: str) -> bool:
    return scene.manifest is not None and column in scene.manifest.domains


def _whole(scene: Scene, column: str) -> Domain:
    """What a class is compared with."""
    if scene.manifest is not None and column in scene.manifest.domains:
        return add_unknown_value(scene.manifest.domains[column], scene.table)
    return Domain.of(scene.table.frame, column, weights=scene.table.weights)


def _totals(pool: ValueCounts, kept: Mask) -> Ints:
    """How often each value occurs in the classes that are kept."""
    of_slot = np.repeat(kept, np.diff(pool.offsets))
    return np.bincount(pool.values[of_slot], pool.counts[of_slot], len(pool.domain.values)).astype(np.int64)


def _best(pool: ValueCounts, gains: Floats) -> Floats:
    return np.maximum.reduceat(gains, pool.offsets[:-1])


def _largest(
    suspects: Targets, lessons: Sequence[Lesson], pools: Sequence[ValueCounts], odds: Sequence[Floats]
) -> dict[str, Json]:
    """The largest gain that is short of certainty, and of whom."""
    best = [
        _best(pool, np.where(np.isfinite(gains), gains, 0.0)) for pool, gains in zip(pools, odds, strict=True)
    ]
    most = max(float(gains.max(initial=0.0)) for gains in best)
    if most <= 1:
        return {}
    there = [replace(lesson, hit=gains == most) for lesson, gains in zip(lessons, best, strict=True)]
    (first,) = suspects.findings(there, 1)
    return {"largest_gain_short_of_certainty": most, "largest_gain_of": first["who"]}
