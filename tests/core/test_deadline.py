"""The time by which work must end."""

import time

import pytest

from shoal.core.deadline import OutOfTime, check_time, until


def test_work_goes_on_until_its_end() -> None:
    check_time()
    with until(time.monotonic() + 600):
        check_time()
    with until(time.monotonic()), pytest.raises(OutOfTime, match="not finished within its time"):
        check_time()


def test_an_end_holds_only_inside_and_the_outer_one_comes_back() -> None:
    with until(time.monotonic()):
        with until(None):
            check_time()
        with pytest.raises(OutOfTime):
            check_time()
    check_time()
