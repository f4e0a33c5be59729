"""AddRandomNoise: how probing changes a degree sequence before it tries again (schemes 1 to 4)."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Int64

SCHEMES = (1, 2, 3, 4)


def noisier(degrees: Int64, scheme: int, max_delta: int, odd: bool, generator: np.random.Generator) -> Int64:
    """The degrees with one of them raised, never above n - 1.

    1 raises any node by 1 to max_delta. 2 raises any node by 1 when the sum that failed was `odd`, else by an
    even amount. 3 raises the last node of the sequence by 1, 4 a random one of its second half by 1.
    A sum of degrees of a graph is never odd: scheme 2 means the sum of the sequence that failed.
    """
    nodes = len(degrees)
    changed = degrees.copy()
    if scheme == 3:
        node = int(np.argmin(degrees))
    elif scheme == 4:
        rank = int(generator.integers(nodes // 2, nodes))
        node = int(np.argpartition(-degrees, rank)[rank])
    else:
        node = int(generator.integers(nodes))
    if scheme == 1:
        delta = int(generator.integers(1, max_delta + 1))
    elif scheme == 2 and not odd:
        delta = 2 * int(generator.integers(1, max(1, max_delta // 2) + 1))
    else:
        delta = 1
    changed[node] = min(nodes - 1, int(changed[node]) + delta)
    return changed
