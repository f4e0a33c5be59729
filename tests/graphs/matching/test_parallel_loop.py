from __future__ import annotations

import numpy as np
import pytest

from shoal.core.deadline import OutOfTime, until
from shoal.graphs.graph import Int64
from shoal.graphs.matching import parallel_loop


@pytest.mark.parametrize("number", [0, 5, 3_000, 25_000])
def test_every_node_is_worked_on_once(number: int) -> None:
    times = np.zeros(number, np.int64)

    def work(nodes: Int64) -> None:
        times[nodes] += 1

    parallel_loop.in_chunks(work, np.arange(number))
    assert (times == 1).all()


def test_what_goes_wrong_in_a_chunk_is_heard() -> None:
    def work(nodes: Int64) -> None:
        if 7 in nodes:
            raise ValueError("seven")

    with pytest.raises(ValueError, match="seven"):
        parallel_loop.in_chunks(work, np.arange(5_000))


def test_nothing_is_begun_when_the_time_is_over() -> None:
    begun: list[int] = []
    with until(0.0), pytest.raises(OutOfTime):
        parallel_loop.in_chunks(lambda nodes: begun.append(len(nodes)), np.arange(5_000))
    assert not begun
