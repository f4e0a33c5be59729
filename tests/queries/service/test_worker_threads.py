"""Threads for blocking work, and a queue with an end."""

import asyncio
import threading
import time

import pytest

from patience import LONG
from shoal.core.errors import Unanswered
from shoal.queries.service.worker_threads import Busy, Gate, Gone, Share, lanes


def test_whoever_comes_when_too_many_wait_is_sent_away_at_once() -> None:
    go = threading.Event()

    def held() -> bool:
        return go.wait(LONG)

    async def scene() -> None:
        gate = Gate(workers=2, waiting=1)
        running = [asyncio.ensure_future(gate.run(held)) for _ in range(3)]
        await asyncio.sleep(0.01)
        with pytest.raises(Busy, match="ask again"):
            await gate.run(held)
        assert not any(task.done() for task in running)
        go.set()
        assert await asyncio.gather(*running) == [True, True, True]
        await asyncio.sleep(0.01)
        assert await gate.run(lambda: 7) == 7
        gate.close()

    asyncio.run(scene())


def test_what_was_begun_is_finished_when_nobody_waits_for_it_any_more() -> None:
    go, done = threading.Event(), threading.Event()

    def work() -> None:
        go.wait(LONG)
        done.set()

    async def scene() -> None:
        gate = Gate(workers=1, waiting=0)
        task = asyncio.ensure_future(gate.run(work))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(Busy):  # the place is taken until the work ends, not until the caller leaves
            await gate.run(work)
        go.set()
        assert await asyncio.to_thread(done.wait, 5)
        gate.close()

    asyncio.run(scene())


def test_an_error_comes_out_and_frees_the_place() -> None:
    def fail() -> None:
        raise KeyError("x")

    async def scene() -> None:
        gate = Gate(workers=1, waiting=0)
        for _ in range(3):
            with pytest.raises(KeyError):
                await gate.run(fail)
            await asyncio.sleep(0.01)
        gate.close()

    asyncio.run(scene())


def test_closing_waits_for_what_runs() -> None:
    done = threading.Event()

    def work() -> None:
        time.sleep(0.1)
        done.set()

    async def scene() -> None:
        gate = Gate(workers=1, waiting=1)
        task = asyncio.ensure_future(gate.run(work))
        await asyncio.sleep(0.02)
        await asyncio.to_thread(gate.close)
        assert done.is_set()
        await task

    asyncio.run(scene())


def test_all_who_wait_are_taken_and_nobody_holds_more_than_a_share() -> None:
    order: list[str] = []
    go = threading.Event()

    def work(name: str) -> None:
        go.wait(30)
        order.append(name)

    async def scene() -> None:
        gate = Gate(workers=2, waiting=8, share=Share(workers=1, waiting=3))
        running = [asyncio.ensure_future(gate.run(lambda: work("a"), "a")) for _ in range(4)]
        await asyncio.sleep(0.01)
        with pytest.raises(Busy):  # one runs and three wait, though a worker is free
            await gate.run(lambda: work("a"), "a")
        running += [asyncio.ensure_future(gate.run(lambda: work("b"), "b")) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert gate._running == {"a": 1, "b": 1}
        go.set()
        await asyncio.gather(*running)
        gate.close()

    asyncio.run(scene())
    # In which order two threads wake up that wait for the same is up to the machine.
    assert sorted(order) == ["a"] * 4 + ["b"] * 2


def test_a_result_that_leaves_later_holds_the_place_of_its_person_and_no_thread() -> None:
    done: list[str] = []

    async def scene() -> None:
        gate = Gate(workers=1, waiting=8, share=Share(workers=1, waiting=3))
        told: list[float] = []

        def leaves(seconds: float) -> float:
            told.append(seconds)
            return seconds + 1.0

        first = asyncio.ensure_future(gate.run(lambda: done.append("first"), "a", None, leaves))
        second = asyncio.ensure_future(gate.run(lambda: done.append("second"), "a"))
        await asyncio.sleep(0.01)
        await gate.run(lambda: done.append("other"), "b")
        assert done == ["first", "other"] and not first.done()
        await second
        assert first.done() and done[2:] == ["second"] and len(told) == 1
        assert gate._running == {} and gate._working == 0
        gate.close()

    asyncio.run(scene())


def test_what_has_not_begun_is_dropped_when_its_asker_leaves() -> None:
    go, done = threading.Event(), []

    async def scene() -> None:
        gate, left = Gate(workers=1, waiting=3), asyncio.Event()

        async def leaves() -> None:
            await asyncio.wait_for(left.wait(), LONG)

        first = asyncio.ensure_future(gate.run(lambda: go.wait(30), "a"))
        second = asyncio.ensure_future(gate.run(lambda: done.append("second"), "a", leaves))
        third = asyncio.ensure_future(gate.run(lambda: done.append("third"), "a"))
        await asyncio.sleep(0.01)
        left.set()
        with pytest.raises(Gone):
            await second
        go.set()
        await asyncio.gather(first, third)
        gate.close()

    asyncio.run(scene())
    assert done == ["third"]


def test_what_cannot_be_ended_is_abandoned() -> None:
    go = threading.Event()

    async def scene() -> None:
        made = lanes(workers=2, waiting=8)
        running = asyncio.ensure_future(made.questions.run(lambda: go.wait(30), "a"))
        waiting = asyncio.ensure_future(made.questions.run(lambda: go.wait(30), "a"))
        await asyncio.sleep(0.01)
        made.abandon()
        with pytest.raises(Unanswered, match="stays spent"):
            await running
        with pytest.raises(Busy, match="stops"):
            await waiting
        with pytest.raises(Busy, match="stops"):
            await made.looks.run(lambda: 1)
        go.set()

    asyncio.run(scene())
