"""How often somebody may knock."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patience import all_done
from shoal.core.errors import BadParameter
from shoal.queries.service import rate_limit as limits
from shoal.queries.service.rate_limit import Limit


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_and_then_the_rate_decides() -> None:
    clock = Clock()
    limit = Limit(2, 3, clock)
    assert [limit.take("ada").allowed for _ in range(4)] == [True, True, True, False]
    refused = limit.take("ada")
    assert refused.wait == pytest.approx(0.5)
    clock.now += 0.5
    assert limit.take("ada").allowed
    assert not limit.take("ada").allowed


def test_people_do_not_share_a_bucket() -> None:
    limit = Limit(1, 1, Clock())
    assert limit.take("ada").allowed
    assert limit.take("bob").allowed
    assert not limit.take("ada").allowed


def test_the_first_refusal_of_a_row_is_marked() -> None:
    clock = Clock()
    limit = Limit(1, 1, clock)
    limit.take("ada")
    assert limit.take("ada").first
    assert not limit.take("ada").first
    clock.now += 1
    assert limit.take("ada").allowed
    assert limit.take("ada").first


def test_a_clock_that_goes_back_gives_nothing() -> None:
    clock = Clock()
    clock.now = 100
    limit = Limit(1, 1, clock)
    assert limit.take("ada").allowed
    clock.now = 0
    assert not limit.take("ada").allowed


def test_many_addresses_do_not_fill_the_memory() -> None:
    limit = Limit(1, 1, Clock())
    for number in range(limits.MANY + 500):
        limit.take(str(number))
    assert len(limit._buckets) == limits.MANY


def test_threads_together_get_no_more_than_the_burst() -> None:
    limit, passed = Limit(1, 50, Clock()), []

    def knock() -> None:
        for _ in range(20):
            if limit.take("ada").allowed:
                passed.append(1)

    threads = [threading.Thread(target=knock, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    all_done(threads)
    assert len(passed) == 50


@given(st.lists(st.floats(0, 3), max_size=60), st.integers(1, 5), st.integers(1, 5))
def test_no_stretch_of_time_lets_more_through_than_promised(
    waits: list[float], rate: int, burst: int
) -> None:
    clock = Clock()
    limit, passed = Limit(rate, burst, clock), 0
    for wait in waits:
        clock.now += wait
        passed += limit.take("ada").allowed
    assert passed <= burst + rate * clock.now + 1e-6


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0), (float("nan"), 1), (float("inf"), 1)])
def test_a_limit_that_makes_no_sense_is_refused(rate: float, burst: float) -> None:
    with pytest.raises(BadParameter, match="lets nobody in"):
        Limit(rate, burst)
