import time
from typing import Any

from numba import njit

from shoal.core import clock
from shoal.core.compiled import seconds_compiling


def test_work_does_not_grow_while_nothing_is_done() -> None:
    with clock.counting_work():
        begun, wall = clock.now(), time.monotonic()
        time.sleep(0.3)
        assert clock.now() - begun < time.monotonic() - wall


def test_the_wall_is_the_clock_unless_work_is_counted() -> None:
    before, seen, after = time.monotonic(), clock.now(), time.monotonic()
    assert before <= seen <= after
    with clock.counting_work(), clock.counting_work(False):
        before, seen, after = time.monotonic(), clock.now(), time.monotonic()
        assert before <= seen <= after


def test_compiling_is_no_work() -> None:
    def plain(number: int) -> float:
        total = 0.0
        for each in range(number):
            total += each**0.5
        return total

    summed: Any = njit(plain)
    before = seconds_compiling()
    with clock.counting_work():
        begun, cpu = clock.now(), time.thread_time()
        assert summed(3) > 0
        assert seconds_compiling() > before
        worked = clock.now() - begun
    assert worked < time.thread_time() - cpu
