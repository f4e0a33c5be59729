"""A compiled loop over many nodes, on all processors, that can be ended in the middle."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import numpy as np

from shoal.core.deadline import check_time
from shoal.graphs.graph import Int64

CHUNK = 10_000  # nodes, a second or less
WAITED = 0.5  # seconds between two looks at the time


def in_chunks(work: Callable[[Int64], None], nodes: Int64) -> None:
    """Call `work`, which must not hold Python's lock, for all nodes; gives up where the time is over."""
    check_time()
    if len(nodes) <= CHUNK // 10:
        work(nodes)
        return
    workers = os.cpu_count() or 1
    number = max(-(-len(nodes) // CHUNK), 2 * workers)
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(work, chunk) for chunk in np.array_split(nodes, number)}
        try:
            while running:
                done, running = wait(running, timeout=WAITED, return_when=FIRST_COMPLETED)
                for chunk in done:
                    chunk.result(timeout=0)
                check_time()
        finally:
            for chunk in running:
                chunk.cancel()
