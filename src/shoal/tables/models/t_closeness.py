"""t-closeness with the earth mover's distance."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes, ValueCounts

Distance = Literal["equal", "ordered", "hierarchical"]
DISTANCES = ("equal", "ordered", "hierarchical")
Floats = NDArray[np.float64]

ROUNDING = 1e-12
DENSE_CELLS = 4_000_000


@dataclass(frozen=True)
class TCloseness(ClassModel[Classes]):
    """The sensitive values of every class are spread as in the whole table, up to a distance t.

    `equal` (any two values are 1 apart) is the strictest and the default: what is t-close under it is
    t-close under the others. `ordered` counts ranks between numbers. `hierarchical` goes by a taxonomy.
    The whole table is the one before suppression.

    Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", 2007.
    """

    name: ClassVar[str] = "t-closeness"
    example: ClassVar[str] = "t=0.5"
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage", "probabilistic")
    reads: ClassVar[Reads] = "distribution"
    scope: ClassVar[Scope] = "class"
    knows_distance: ClassVar[bool] = True

    t: float
    distance: Distance = "equal"
    column: str | None = None

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            raise BadParameter(
                f"t-closeness knows the distances {', '.join(DISTANCES)}, not '{self.distance}'"
            )
        if not 0 <= self.t <= 1:
            raise BadParameter(f"t-closeness needs t between 0 and 1, not {self.t:g}; 0.2 is a common choice")

    def in_words(self) -> str:
        return (
            f"In every group the values of {self.column or EACH} are spread much as in the whole table (at "
            f"most {self.t:g} apart on a scale from 0 to 1), so that a group tells little."
        )

    def level(self, classes: Classes) -> float:
        return float(self._worst(classes).max(initial=0.0))

    def holds(self, classes: Classes) -> Mask:
        return self._worst(classes) <= self.t + ROUNDING

    def doomed(self, classes: Classes) -> Floats:
        about = classes.about(self.column, self.name)
        lost: Floats = np.maximum.reduce([self._doomed(counts, classes.sizes) for counts in about])
        return lost

    def _doomed(self, counts: ValueCounts, sizes: NDArray[np.int64]) -> Floats:
        # The distance is convex, and no class is farther from the table than the farthest single value, D.
        # If a share f of a class goes and the rest is within t, the class was within (1 - f)·t + f·D. So f
        # is at least (distance - t) / (D - t).
        excess = self._distances(counts) - self.t - ROUNDING
        least = np.ceil(sizes * excess / max(self._farthest(counts) - self.t, ROUNDING) - 1e-6)
        return np.where(excess > 0, np.clip(least, 1, sizes), 0.0)

    def _farthest(self, counts: ValueCounts) -> float:
        """How far a class of one value can be from the whole table."""
        memo, key = counts.domain.memo, f"farthest by {self.distance}"
        if key not in memo:
            present = np.flatnonzero(counts.domain.totals).astype(np.int32)
            ones, ends = np.ones(len(present), np.int64), np.arange(len(present) + 1)
            memo[key] = float(self._distances(ValueCounts(counts.domain, ends, present, ones)).max()) + 1e-9
        return memo[key]

    def _worst(self, classes: Classes) -> Floats:
        worst: Floats = np.maximum.reduce(
            [self._distances(counts) for counts in classes.about(self.column, self.name)]
        )
        return worst

    def _distances(self, counts: ValueCounts) -> Floats:
        known = counts.memo.get(self.distance)
        if known is None:
            measure = {"equal": _equal, "ordered": _by_rank, "hierarchical": _hierarchical}[self.distance]
            known = counts.memo[self.distance] = measure(counts)
        return known


def _whole(counts: ValueCounts) -> Floats:
    """The shares of the whole table."""
    return np.asarray(counts.domain.totals / counts.domain.totals.sum())


def _equal(counts: ValueCounts) -> Floats:
    own, whole = counts.shares, _whole(counts)
    # Half the L1 distance is the excess of the values that the class has more of.
    return np.add.reduceat(np.maximum(own - whole[counts.values], 0.0), counts.offsets[:-1])


def _by_rank(counts: ValueCounts) -> Floats:
    """The mean over ranks of |F_class − F_table|, without visiting the ranks that a class lacks."""
    domain = counts.domain
    if not domain.ordered:
        sample = next((value for value in domain.values if value is None or not _is_number(value)), None)
        raise BadParameter(
            f"distance=ordered needs numbers, and '{domain.column}' has {sample!r}; "
            "use distance=equal, or give a --hierarchy whose lines are in order"
        )
    totals, starts, ends = domain.totals, counts.offsets[:-1], counts.offsets[1:]
    ranks, widths = len(totals), np.diff(counts.offsets)
    if ranks == 1:
        return np.zeros(len(starts))
    # Summing up whole numbers is exact; shares summed over many classes would blur the last digits of t.
    table = np.cumsum(totals) / totals.sum()
    area = np.concatenate(([0], np.cumsum(np.cumsum(totals)))) / totals.sum()  # F_table added up below rank i
    running = np.cumsum(counts.counts)
    before = np.concatenate(([0], running))[starts]
    # F_class from this value to the next
    level = (running - np.repeat(before, widths)) / np.repeat(counts.sizes, widths)
    left = counts.values.astype(np.int64)
    right = np.append(left[1:], ranks)
    right[ends - 1] = ranks
    # F_table only grows, so it crosses the constant F_class once between two values of the class.
    cross = np.clip(np.searchsorted(table, level), left, right)
    gap = level * (2 * cross - left - right) - 2 * area[cross] + area[left] + area[right]
    work = np.add.reduceat(gap, starts) + area[left[starts]]
    distances: Floats = np.maximum(work, 0.0) / (ranks - 1)
    return distances


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _hierarchical(counts: ValueCounts) -> Floats:
    taxonomy = counts.domain.taxonomy
    if taxonomy is None:
        column = counts.domain.column
        raise BadParameter(
            f"distance=hierarchical needs a taxonomy of '{column}'; give --hierarchy {column}=FILE.csv"
        )
    own, whole = counts.shares, _whole(counts)
    distances = np.zeros(len(counts.offsets) - 1)
    step = max(1, DENSE_CELLS // len(whole))
    for first in range(0, len(distances), step):
        last = min(first + step, len(distances))
        begin, end = counts.offsets[first], counts.offsets[last]
        extra = np.tile(-whole, (last - first, 1))
        number = np.repeat(np.arange(last - first), np.diff(counts.offsets[first : last + 1]))
        extra[number, counts.values[begin:end]] += own[begin:end]
        distances[first:last] = _balance_upwards(extra, _branches(taxonomy))
    return distances


def _balance_upwards(extra: Floats, branches: tuple[Floats, ...]) -> Floats:
    """The work of balancing surplus against deficit below each node, lowest common node first."""
    work, here = np.zeros(len(extra)), extra
    for level, below in enumerate(branches, start=1):
        surplus = np.maximum(here, 0.0) @ below
        here = here @ below
        work += np.minimum(surplus, surplus - here).sum(axis=1) * (level / len(branches))
    return work


@lru_cache(maxsize=16)
def _branches(taxonomy: Hierarchy) -> tuple[Floats, ...]:
    """For each level above the leaves, which node of it every node one level down belongs to."""
    matrices = []
    standing = np.arange(len(taxonomy.leaves))  # one leaf stands for each node, so that its parent is found
    for level in range(1, taxonomy.height + 1):
        parents = taxonomy.codes[level][standing]
        matrices.append((parents[:, None] == np.arange(len(taxonomy.names[level]))).astype(np.float64))
        standing = np.unique(taxonomy.codes[level], return_index=True)[1]
    return tuple(matrices)
