"""What takes too long is ended; what is done in time is left alone."""

from __future__ import annotations

import threading
import time

import pytest

from shoal.engines.timeouts import Alarm, Overdue, Watch

LONG = 30.0


def test_an_alarm_rings_for_those_that_are_late() -> None:
    alarm, rung, done = Alarm(), [], threading.Event()

    def ring(name: str) -> None:
        rung.append(name)
        if len(rung) == 2:
            done.set()

    with (
        alarm.after(LONG, lambda: ring("never")) as never,
        alarm.after(0.05, lambda: ring("second")) as second,
        alarm.after(0.01, lambda: ring("first")),
        alarm.after(None, lambda: ring("nobody")),
    ):
        assert done.wait(LONG)
        with pytest.raises(Overdue):
            second.check()
        never.check()
    assert sorted(rung) == ["first", "second"]


def test_work_that_is_done_is_not_hit_by_its_alarm() -> None:
    alarm, later, rung = Alarm(), threading.Event(), []
    with alarm.after(0.01, lambda: rung.append("too late")):
        pass
    with alarm.after(0.05, later.set):
        assert later.wait(LONG)
    assert rung == []


def test_a_bell_that_fails_does_not_end_the_watch() -> None:
    alarm, done = Alarm(), threading.Event()

    def broken() -> None:
        raise RuntimeError("no connection")

    with alarm.after(0.01, broken), alarm.after(0.02, done.set):
        assert done.wait(LONG)


def test_a_bell_that_takes_long_keeps_no_other_waiting() -> None:
    """PostgreSQL is told over the network that it should stop, and may not listen for seconds."""
    alarm, go, done = Alarm(), threading.Event(), threading.Event()
    with alarm.after(0.01, lambda: go.wait(LONG)), alarm.after(0.02, done.set):
        rung = done.wait(LONG)
        assert not go.is_set()
        go.set()
    assert rung


def test_a_watch_that_is_ended_ends_all_and_lets_nothing_begin() -> None:
    watch, rung = Watch(), []
    with watch.over(None, lambda: rung.append(1)) as call:
        watch.end()
        assert call.rung
    assert rung == [1]
    with pytest.raises(Overdue), watch.over(None, lambda: rung.append(2)):
        pass


def test_a_deadline_beyond_all_clocks_leaves_the_others_their_alarm() -> None:
    alarm, rung = Alarm(), threading.Event()
    with alarm.after(1e300, lambda: None):
        time.sleep(0.05)  # it is being waited for
    with alarm.after(0.01, rung.set):
        assert rung.wait(10)
