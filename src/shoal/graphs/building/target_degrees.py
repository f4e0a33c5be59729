"""The degree programme: the nearest degrees of which each occurs at least k times."""

from __future__ import annotations

from typing import Literal

from shoal.graphs.graph import Int64

Change = Literal["raise", "lower", "both"]


def anonymous_degrees(degrees: Int64, k: int, change: Change) -> Int64:
    """A target degree for every node such that each occurs at least k times, as near as can be (in L1).

    Degrees are only raised (to the largest of their group), only lowered (to the smallest) or both (to the
    median). Groups are stretches of the sorted degrees, cut by dynamic programming. The textbook form takes
    O(nk); here raising takes O(n) and centring O(n log n), whatever k is. Of equal degrees that fall into two
    groups, those of lower node numbers get the higher target.

    Liu and Terzi 2008; both directions, thesis 9.5.5.
    """
    from shoal.graphs.building import target_degrees_kernels as kernels

    if not 1 <= k <= len(degrees):
        raise ValueError(f"k={k} with {len(degrees)} nodes")
    most = int(degrees.max())
    # Lowering is raising what is missing from the largest degree.
    looked_at = most - degrees if change == "lower" else degrees
    order = kernels.descending(looked_at)
    values = looked_at[order]
    starts = kernels.centre_groups(values, k) if change == "both" else kernels.raise_groups(values, k)
    targets = kernels.level_groups(order, values, starts, change == "both")
    return most - targets if change == "lower" else targets
