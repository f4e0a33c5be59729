"""t-closeness with the earth mover's distance."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs import distance_kernels as kernels
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain

Distance = Literal["equal", "ordered", "hierarchical"]
DISTANCES = ("equal", "ordered", "hierarchical")
Floats = NDArray[np.float64]

ROUNDING = 1e-12
MOST_FEWEST = 100  # rows; small classes are many, and others gain nothing from knowing more


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
    asks: ClassVar[Mapping[str, str]] = {
        "t": "how far a group may be from the whole table, 0 to 1; smaller is safer",
        "distance": "when two values are near: equal (never), ordered (numbers), hierarchical (same branch)",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage", "probabilistic")
    question: ClassVar[str] = 'Would "probably has it" already hurt, because one value is rare and serious?'
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
        every = [self._close(counts) for counts in classes.about(self.column, self.name)]
        held: Mask = every[0] if len(every) == 1 else np.logical_and.reduce(every)
        return held

    def doomed(self, classes: Classes) -> Floats:
        about = classes.about(self.column, self.name)
        every = [self._doomed(counts, classes.sizes) for counts in about]
        lost: Floats = every[0] if len(every) == 1 else np.maximum.reduce(every)
        return lost

    def _doomed(self, counts: ValueCounts, sizes: NDArray[np.int64]) -> Floats:
        # How much of a class can be within t: see `distance_kernels`.
        limit = self.t + ROUNDING
        if self.distance == "ordered":
            far, (upto, area) = self._distances(counts), _cumulated(counts.domain)
            most = kernels.by_cuts(counts.offsets, counts.values, counts.counts, upto, area, far, limit)
        else:
            fewest = _fewest(counts.domain, self.distance, limit)
            far, most = self._by_partitions(counts, limit, fewest)
            counts.memo[self._key] = far
        lost: Floats = kernels.too_many(far, most, sizes, limit)
        return lost

    def _close(self, counts: ValueCounts) -> Mask:
        far = counts.memo.get(self._key)  # of a search that asked what is doomed before
        return (self._distances(counts) if far is None else far) <= self.t + ROUNDING

    @property
    def _key(self) -> str:
        return f"{self.distance}, exact up to {self.t!r}"

    def _worst(self, classes: Classes) -> Floats:
        every = [self._distances(counts) for counts in classes.about(self.column, self.name)]
        return every[0] if len(every) == 1 else np.maximum.reduce(every)

    def _distances(self, counts: ValueCounts) -> Floats:
        known = counts.memo.get(self.distance)
        if known is None:
            known = _by_rank(counts) if self.distance == "ordered" else self._by_partitions(counts, 1.0, 0)[0]
            counts.memo[self.distance] = known
        return known

    def _by_partitions(self, counts: ValueCounts, limit: float, fewest: int) -> tuple[Floats, Floats]:
        part_of, shares = _partitions(counts.domain, self.distance)
        found: tuple[Floats, Floats] = kernels.by_partitions(
            counts.offsets, counts.values, counts.counts, part_of, shares, limit, fewest
        )
        return found


@lru_cache(maxsize=16)
def _partitions(domain: Domain, distance: Distance) -> tuple[NDArray[np.int32], Floats]:
    """The partitions of the values whose mean a distance is, and the share of each part in the table."""
    levels = np.arange(len(domain.values), dtype=np.int32)[None, :]
    if distance == "hierarchical":
        if domain.taxonomy is None:
            raise BadParameter(
                f"distance=hierarchical needs a taxonomy of '{domain.column}'; "
                f"give --hierarchy {domain.column}=FILE.csv"
            )
        levels = domain.taxonomy.codes[: max(domain.taxonomy.height, 1)]
    begins = np.concatenate(([0], np.cumsum(levels.max(axis=1) + 1)))
    part_of = (levels + begins[:-1, None]).astype(np.int32)
    rows = np.bincount(part_of.ravel(), np.tile(domain.totals, len(levels)), int(begins[-1]))
    return part_of, np.asarray(rows / domain.totals.sum())


@lru_cache(maxsize=16)
def _fewest(domain: Domain, distance: Distance, limit: float) -> int:
    """As many rows as it takes to be within a limit of the table, or fewer; whichever values they have.

    n rows share most with the table when each part has the whole rows of its share and those that are left
    go where the rest of a share is largest. Of each partition by itself, so what is told is never too many.
    """
    part_of, shares = _partitions(domain, distance)
    for n in range(1, MOST_FEWEST):
        shared = 0.0
        for parts in part_of:
            wanted = n * shares[parts.min() : parts.max() + 1]
            whole = np.floor(wanted + 1e-9)
            rest = np.sort(np.maximum(wanted - whole, 0.0))[::-1]
            shared += whole.sum() + rest[: max(n - int(whole.sum()), 0)].sum()
        if 1 - shared / n / len(part_of) <= limit + 1e-9:
            return n
    return MOST_FEWEST


@lru_cache(maxsize=16)
def _cumulated(domain: Domain) -> tuple[Floats, Floats]:
    """F_table at each rank, and F_table added up below each rank."""
    # Summing up whole numbers is exact; shares summed over many classes would blur the last digits of t.
    upto, rows = np.cumsum(domain.totals), domain.totals.sum()
    return upto / rows, np.concatenate(([0], np.cumsum(upto))) / rows


def _by_rank(counts: ValueCounts) -> Floats:
    """The mean over ranks of |F_class − F_table|, without visiting the ranks that a class lacks."""
    domain = counts.domain
    if not domain.ordered:
        sample = next((value for value in domain.values if value is None or not _is_number(value)), None)
        raise BadParameter(
            f"distance=ordered needs numbers, and '{domain.column}' has {sample!r}; "
            "use distance=equal, or give a --hierarchy whose lines are in order"
        )
    starts, ends = counts.offsets[:-1], counts.offsets[1:]
    ranks, widths = len(domain.totals), np.diff(counts.offsets)
    if ranks == 1:
        return np.zeros(len(starts))
    table, area = _cumulated(domain)
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
