"""Work in processes of its own: results, progress, refusals, cancelling, and a process that dies."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from patience import LONG, until
from shoal.core.errors import BadParameter
from shoal.core.progress import Progress, following, tell
from shoal.faces.studio.worker import Stopped, Work, Workers, follow


def add(one: int, other: int) -> int:
    return one + other


def refuse() -> None:
    raise BadParameter("no column 'zipp';\nthe table has zip")


def break_down() -> None:
    raise KeyError("oops")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever() -> None:
    tell(1, 4, "waiting")
    threading.Event().wait(10 * LONG)


def which() -> int:
    return os.getpid()


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def test_a_result_comes_back_from_another_process_which_is_used_again(workers: Workers) -> None:
    assert workers.ask("adding", add, 2, 3).result(LONG) == 5
    first = workers.ask("looking", which).result(LONG)
    assert first != os.getpid()
    assert workers.ask("looking", which).result(LONG) == first


def test_nobody_complains_when_whoever_asked_has_left(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: list[object] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    before = set(threading.enumerate())
    assert workers.ask("adding", add, 2, 3).cancel()
    for thread in set(threading.enumerate()) - before:
        thread.join(LONG)
    assert not broken and workers.ask("adding", add, 1, 1).result(LONG) == 2


def test_a_refusal_is_one_sentence_and_the_process_goes_on(workers: Workers) -> None:
    with pytest.raises(Stopped, match="no column 'zipp'; the table has zip"):
        workers.ask("refusing", refuse).result(LONG)
    with pytest.raises(Stopped, match="defect of Shoal"):
        workers.ask("breaking", break_down).result(LONG)
    assert workers.ask("adding", add, 1, 1).result(LONG) == 2


def test_a_process_that_dies_is_told_and_replaced(workers: Workers) -> None:
    with pytest.raises(Stopped, match="ended without a result"):
        workers.ask("dying", die).result(LONG)
    assert workers.ask("adding", add, 1, 1).result(LONG) == 2


def test_work_tells_how_far_it_is_and_ends_when_cancelled(workers: Workers) -> None:
    ended = threading.Event()
    work = workers.start("waiting", wait_for_ever, then=lambda _: ended.set())
    until(lambda: work.parts == 4, "the first word of progress")
    assert (work.share, work.at_work, work.state) == (0.25, "waiting", "running")
    process = work.process.process
    work.cancel()
    assert ended.wait(LONG)
    assert work.state == "cancelled"
    until(lambda: not process.is_alive(), "the end of its process")
    with pytest.raises(Stopped, match="cancelled"):
        work.future.result(LONG)


def test_work_goes_on_until_what_it_found_is_kept(workers: Workers) -> None:
    """Whoever looks as soon as it has ended finds what it found, however slowly that is written."""
    heard, kept = threading.Event(), threading.Event()

    def keep(_: Work) -> None:
        heard.set()
        kept.wait(LONG)

    work = workers.start("adding", add, 1, 1, then=keep)
    assert heard.wait(LONG)
    assert (work.state, work.running) == ("done", True)
    work.cancel()  # too late
    kept.set()
    until(lambda: not work.running, "the end of the work")
    assert (work.state, work.result) == ("done", 2)


def test_both_ways_to_tell_progress_are_heard() -> None:
    heard: list[tuple[int, int, str]] = []
    with following(lambda *told: heard.append(told)):
        follow(Progress(3, 1, 0.25, None))
        follow(1, 2, "reading")
    assert heard == [(3, 4, "best loss so far 0.250"), (1, 2, "reading")]


def test_closing_ends_every_process() -> None:
    workers = Workers()
    work = workers.start("waiting", wait_for_ever)
    until(lambda: work.parts == 4, "the first word of progress")
    process = work.process.process
    workers.close()
    until(lambda: not process.is_alive(), "the end of its process")
    until(lambda: not work.running, "the end of the work")
    assert work.state == "failed"
