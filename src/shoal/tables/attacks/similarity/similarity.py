"""The similarity attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import (
    Floats,
    Targets,
    at_least,
    check_confidence,
    model_spelling,
    target_columns,
)
from shoal.tables.attacks.similarity.similar_values import Likeness, NarrowRange, OneNode
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain

ROUNDS = 20


@dataclass(frozen=True)
class Similarity(Attack[Scene]):
    """Learns what the different values of a person's candidate rows have in common.

    With a hierarchy of the sensitive column: that all lie under one node below its root, as in "some stomach
    disease". `level` is the highest level of nodes that counts, all below the root if not given. Numbers and
    dates without a hierarchy (or when a width is given): that all lie in a range of `width`, in the unit of
    the column or in days. If not given it is a quarter of what the table spans without its lowest and highest
    twentieth, as "3000 – 5000" of 3000 to 11000 in the paper. A single value has itself in common.
    `confidence` is the share of the candidates that must be alike. The blind guess is the node or range that
    is right about most of the whole table.

    Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", 2007.
    """

    name: ClassVar[str] = "similarity"
    needs: ClassVar[tuple[Need, ...]] = ("sensitive",)
    threat: ClassVar[Threat] = "disclosure of information"
    counts_suffice: ClassVar[bool] = True
    sure: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    width: float | None = None
    level: int | None = None
    confidence: float = 1.0
    column: str | None = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence, self.name)
        if self.width is not None and not 0 <= self.width < np.inf:
            raise BadParameter(
                f"{self.name} needs a width of at least 0 in the unit of the column, not {self.width:g}; "
                "such as width=5000 for pay"
            )
        if self.level is not None and self.level < 0:
            raise BadParameter(f"{self.name} needs a level of the hierarchy from 0 on, not {self.level}")

    def attack(self, scene: Scene) -> Finding:
        columns = target_columns(scene, self.column, self.name)
        ways = self._ways(scene, columns)
        passed_over = [column for column in columns if column not in ways]
        suspects = Targets.of(scene, self.name).by_candidates()
        pools = {column: suspects.pools(column) for column in ways}
        lessons = [way.lesson(pools[column], self.confidence) for column, way in ways.items()]
        alone = [at_least(pool.most / pool.sizes, self.confidence) for pool in pools.values()]
        rate = suspects.rate(lessons)
        one_value = suspects.of_all([lesson.hit & one for lesson, one in zip(lessons, alone, strict=True)])
        remedy = self._remedy(scene, ways) if rate.hits else None
        if not rate.hits:
            cure = "nothing to cure: nobody's candidate rows have that much in common"
        elif remedy is None:
            cure = "the whole table is that much alike, so no class can be told apart; leave out the column"
        else:
            cure = f"{remedy} leaves no class whose values have that much in common"
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=max(way.blind() for way in ways.values()),
            findings=suspects.findings(lessons, scene.shown),
            cure=cure,
            remedy=remedy,
            details={
                "people_whom_some_row_fits": suspects.fitting,
                "people_with_one_value": one_value,
                "people_with_similar_values": rate.hits - one_value,
                **({"passed_over": passed_over} if passed_over else {}),
                **{
                    f"width_in_{column}": way.width
                    for column, way in ways.items()
                    if isinstance(way, NarrowRange)
                },
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The scene without the classes hit; without them the table may span more, so until none is."""
        columns = target_columns(scene, self.column, self.name)
        left = scene.table
        for _ in range(ROUNDS):
            rows = Targets.of_rows(left)
            ways = self._ways(replace(scene, table=left), columns)
            hit = np.logical_or.reduce(
                [way.lesson(rows.pools(column), self.confidence).hit for column, way in ways.items()]
            )
            if not hit.any():
                lost = scene.table.rows - left.rows
                how = f"without the {lost:,} rows of the classes whose values have that much in common"
                return replace(scene, table=left), how
            if hit.all():
                break
            left = left.only(np.flatnonzero(~hit[rows.release.of_row]))
        return None, ""

    def _ways(self, scene: Scene, columns: Sequence[str]) -> dict[str, Likeness]:
        """How the values of each column can be alike; one that has no such way is passed over."""
        found: dict[str, Likeness] = {}
        for column in columns:
            domain = Domain.of(scene.table.frame, column, weights=scene.table.weights)
            taxonomy = scene.table.hierarchies.get(column)
            narrow = NarrowRange.of(domain, self.width)
            if narrow is not None and (taxonomy is None or self.width is not None):
                found[column] = narrow
            elif taxonomy is not None:
                found[column] = OneNode.of(domain, taxonomy, self.level)
        if not found:
            raise BadParameter(
                f"{self.name} cannot tell what values of '{columns[0]}' have in common; "
                f"give --hierarchy {columns[0]}=FILE, or name a column of numbers with column=…"
            )
        return found

    def _remedy(self, scene: Scene, ways: dict[str, Likeness]) -> str | None:
        """A model that none of the classes hit keeps, and so no mixture of the others is hit either."""
        rows = Targets.of_rows(scene.table)
        pools = {column: rows.pools(column) for column in ways}
        column = self.column
        if len(ways) == 1 and len(scene.table.sensitive) > 1:
            column = next(iter(ways))
        if len(ways) == 1:
            ((name, way),) = ways.items()
            if isinstance(way, NarrowRange) and way.whole:
                return model_spelling(self._of_numbers(way, pools[name]), column)
            # Steps of the taxonomy spare the classes whose values are far apart in it.
            if isinstance(way, OneNode) and (t := _below(way.apart(pools[name], self.confidence))) > 0:
                return model_spelling(f"t-closeness(t={t:.12g},distance=hierarchical)", column)
        least = 1.0
        for name, way in ways.items():
            hit = way.lesson(pools[name], self.confidence).hit
            least = min(least, float(_distances(pools[name])[hit].min(initial=1.0)))
        t = _below(least)
        return model_spelling(f"t-closeness(t={t:.12g})", column) if t >= 0 else None

    def _of_numbers(self, way: NarrowRange, pool: ValueCounts) -> str:
        if self.confidence < 1:
            # A range of the width is within the width of each of its own numbers.
            share = int(np.floor(1 / self.confidence + 1e-9)) + 1
            return f"epsilon-m-anonymity(epsilon={_number_text(way.width)},m={share})"
        ranges = way.ranges(pool)
        wide = ranges[~way.lesson(pool, 1.0).hit]
        return f"k-e-anonymity(k=2,e={_number_text(float(wide.min()) if len(wide) else way.width * 1.01)})"


def _distances(pool: ValueCounts) -> Floats:
    """How far the values of each class are from the whole table: the share that would have to move."""
    whole = pool.domain.totals / pool.domain.totals.sum()
    return np.add.reduceat(np.maximum(pool.shares - whole[pool.values], 0.0), pool.offsets[:-1])


def _below(distance: float) -> float:
    """Strictly below a distance, in decimals that can be read."""
    return float(np.ceil(distance * 10_000 - 1e-6) - 1) / 10_000


def _number_text(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)
