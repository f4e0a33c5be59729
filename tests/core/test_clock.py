import time

from shoal.core import clock
from shoal.core.compiled import compiled, seconds_compiling


def test_work_does_not_grow_while_nothing_is_done() -> None:
    with clock.counting_work():
        begun = clock.now()
        time.sleep(0.3)
        assert clock.now() - begun < 0.2


def test_the_wall_goes_on() -> None:
    begun = clock.now()
    time.sleep(0.05)
    assert clock.now() - begun >= 0.05
    with clock.counting_work(False):
        again = clock.now()
        time.sleep(0.05)
        assert clock.now() - again >= 0.05


def test_compiling_is_no_work() -> None:
    @compiled
    def summed(number: int) -> float:
        total = 0.0
        for each in range(number):
            total += each**0.5
        return total

    before = seconds_compiling()
    with clock.counting_work():
        begun, cpu = clock.now(), time.thread_time()
        assert summed(3) > 0
        compiling = seconds_compiling() - before
        assert compiling > 0
        assert abs((clock.now() - begun) - (time.thread_time() - cpu - compiling)) < 0.05
