"""Many draws of the noisy numbers behind one question, and how far people move them without noise.

The rows are read once for each neighbour, so that nothing but noise varies. What an answer makes of the noisy
numbers tells no more than they do. Nothing of this is paid for: it is for whoever has the rows anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import polars as pl

from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import Noisy, add_noise
from shoal.queries.auditing.audit import Reach
from shoal.queries.auditing.lower_bound import Draws
from shoal.queries.query import Plan
from shoal.queries.sql.engine_selects import selects
from shoal.queries.stores.store import Store

NEXT_TO_NONE = Fraction(10**9)  # an ε that leaves hardly any noise: what the numbers are without it
GROUPS = 64  # of an answer that are looked at


@dataclass(frozen=True)
class QuestionDraws:
    """What the engine counted for every private part of a question, and what each part gets of its ε."""

    plan: Plan
    shares: tuple[Shares, ...]
    frames: tuple[tuple[pl.DataFrame, ...], ...]

    @classmethod
    def of(cls, plan: Plan, shares: Sequence[Shares], store: Store) -> QuestionDraws:
        """The question asked of one store, without noise yet."""
        frames = tuple(tuple(store.run(selects(query))) for query in plan.leaves)
        return cls(plan, tuple(shares), frames)

    def __call__(self, number: int) -> Draws:
        """So many times new noise: a row of numbers each, group by group."""
        return np.array([self._row(self._noisy(self.shares)) for _ in range(number)])

    def exact(self) -> list[dict[tuple[object, ...], Draws]]:
        """Per private part and group the numbers with next to no noise."""
        bare = [replace(share, epsilon=NEXT_TO_NONE) for share in self.shares]
        return [
            {
                key: np.array([number[place] for number in noisy.primitives])
                for place, key in enumerate(_keys(noisy))
            }
            for noisy in self._noisy(bare)
        ]

    def reach(self, others: Sequence[QuestionDraws]) -> tuple[Reach, ...]:
        """How far each number moves when one of others goes, all groups together, at the most."""
        mine, found = self.exact(), []
        theirs = [other.exact() for other in others]
        for leaf, query in enumerate(self.plan.leaves):
            for index, primitive in enumerate(query.primitives):
                most = max((_moved(mine[leaf], one[leaf], index) for one in theirs), default=0.0)
                declared = primitive.reach * float(primitive.grid)
                # What is left of the noise is below a millionth of what one person moves.
                found.append(
                    Reach(
                        f"{leaf + 1}.{index + 1}", declared, round(most / declared, 6) * declared, len(others)
                    )
                )
        return tuple(found)

    def _noisy(self, shares: Sequence[Shares]) -> list[Noisy]:
        return [add_noise(*leaf) for leaf in zip(self.plan.leaves, self.frames, shares, strict=True)]

    def _row(self, noisy: Sequence[Noisy]) -> Draws:
        told: list[float] = []
        for leaf, part in enumerate(noisy):
            if not self.plan.leaves[leaf].discovered:
                for place in range(min(part.groups, GROUPS)):
                    told += [float(number[place]) for number in part.primitives]
                    told += [float(one.value[place]) for one in part.quantiles]
                continue
            told += [float(part.groups)]  # which groups are told at all depends on the noise
            told += [float(np.sum(number)) for number in part.primitives]
        return np.array(told)


def _keys(noisy: Noisy) -> list[tuple[object, ...]]:
    columns = [list(values) for values in noisy.keys.values()]
    return list(zip(*columns, strict=True)) if columns else [()] * noisy.groups


def _moved(
    mine: dict[tuple[object, ...], Draws], theirs: dict[tuple[object, ...], Draws], index: int
) -> float:
    """The absolute changes of one number over all groups, added up; a group that is not there is 0."""
    return sum(
        abs(
            float(mine[key][index] if key in mine else 0.0)
            - float(theirs[key][index] if key in theirs else 0.0)
        )
        for key in mine.keys() | theirs.keys()
    )
