"""Thinking has an end."""

import time

import pytest

from queries.clinic import dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.sql import planner, planning_time
from shoal.queries.sql.planner import plan


def test_work_is_ended_and_outside_of_it_there_is_no_end() -> None:
    planning_time.go_on()
    with (
        pytest.raises(NotAllowed, match="too long to understand; ask in several steps"),
        planning_time.within(0.05),
    ):
        while True:
            planning_time.go_on()
    planning_time.go_on()


def test_waiting_is_no_work() -> None:
    with planning_time.within(0.2):
        time.sleep(0.4)
        planning_time.go_on()


def test_a_question_that_takes_too_long_to_plan_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "within", lambda: planning_time.within(0.05))
    sums = ", ".join(f"SUM({'+'.join([f'age*{n}'] * 20)})" for n in range(40))
    with pytest.raises(NotAllowed, match="too long to understand"):
        plan(f"SELECT {sums} FROM people", dataset(), usual())
