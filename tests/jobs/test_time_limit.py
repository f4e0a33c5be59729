"""How long a request may take."""

from shoal.core.deadline import OutOfTime
from shoal.jobs.time_limit import TimeLimit


def test_a_limit_that_is_over_says_what_to_do() -> None:
    limit = TimeLimit(1e-9)
    assert limit.over and "--time-limit more" in limit.words
    assert "not finished" in limit.given_up(OutOfTime("not finished within its time"))


def test_without_a_limit_it_is_never_over() -> None:
    assert not TimeLimit(None).over
