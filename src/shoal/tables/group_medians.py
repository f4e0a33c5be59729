"""Where many groups of numbers are cut in two, as one compiled loop."""

from __future__ import annotations

import numpy as np

from shoal.core.compiled import compiled
from shoal.tables.search.grouping_kernels import Int32, Int64


@compiled
def medians(places: Int32, weights: Int64, offsets: Int64, low: Int32, high: Int32) -> Int32:
    """For each run of tuples the place after which to cut: the cut that leaves both sides closest in weight.

    `low` and `high` are the ends of each run's places; they differ. Of two cuts as good the first.
    """
    cuts = np.empty(len(low), np.int32)
    widest = 1
    for run in range(len(low)):
        width = high[run] - low[run] + 1
        if width <= 8 * (offsets[run + 1] - offsets[run]):
            widest = max(widest, width)
    tally = np.zeros(widest, np.int64)
    for run in range(len(low)):
        begin, end = offsets[run], offsets[run + 1]
        total = weights[begin:end].sum()
        best, upto = total + 1, np.int64(0)
        width = high[run] - low[run] + 1
        if width <= 8 * (end - begin):
            for i in range(begin, end):
                tally[places[i] - low[run]] += weights[i]
            for place in range(width - 1):
                upto += tally[place]
                if tally[place] and abs(2 * upto - total) < best:
                    best, cuts[run] = abs(2 * upto - total), low[run] + place
            tally[:width] = 0
        else:  # few tuples on a long line: walking along the line would take far longer than sorting them
            order = np.argsort(places[begin:end])
            for i in range(end - begin - 1):
                here = places[begin + order[i]]
                upto += weights[begin + order[i]]
                if here < places[begin + order[i + 1]] and abs(2 * upto - total) < best:
                    best, cuts[run] = abs(2 * upto - total), here
    return cuts
