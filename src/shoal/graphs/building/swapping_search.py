"""A k-degree anonymous graph near the original: target degrees, edges, and another try when stuck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.progress import Progress, Watch
from shoal.graphs.building.programme import Change, anonymised
from shoal.graphs.building.reach_k import reach
from shoal.graphs.building.realisability import shortage
from shoal.graphs.building.swapping import edited
from shoal.graphs.building.swapping_targets import even, k_anonymous, lifted, nudged
from shoal.graphs.graph import Edges, Graph


@dataclass(frozen=True)
class Near:
    """Edges to add and to remove; `complete` where nothing nearer was found than the complete graph."""

    added: Edges
    removed: Edges
    complete: bool = False

    @property
    def changes(self) -> int:
        return len(self.added) + len(self.removed)


def near(
    graph: Graph,
    k: int,
    change: Change,
    allowed: int,
    rounds: int,
    generator: np.random.Generator,
    watch: Watch | None = None,
) -> Near:
    """Edges to add and remove such that every degree occurs k times.

    With "raise" at most `allowed` edges are removed as long as there is another way: partners from large
    degree classes, and from whole classes that go up together. After so many rounds edges are only added.
    """
    original = graph.degrees
    target = start = anonymised(original, k, change)
    for round_ in range(rounds):
        insist = change == "both" or round_ >= rounds // 2
        target = even(target, original, k, change, generator)
        gap = shortage(target)
        if gap.missing:
            target = lifted(target, original, k, gap.missing, gap.size, generator)
            target = even(target, original, k, change, generator)
        made = edited(graph, target, k, allowed, insist, generator)
        if watch is not None:
            watch(Progress(round_ + 1, rounds - round_ - 1, None, None))
        if k_anonymous(made.degrees, k):
            return Near(made.added, made.removed)
        if change == "raise" and (not insist or round_ % 2):
            target = lifted(target, original, k, made.left, int(target.max()), generator)
        else:
            target = nudged(
                start if round_ % 4 == 0 else target, original, k, change, 1 + round_ // 8, generator
            )
    found = reach(graph, k, "raise", generator)  # which has the complete graph up its sleeve
    nothing = Edges(np.empty(0, np.int32), np.empty(0, np.int32))
    return Near(found.pairs, nothing, complete=found.resort)
