"""Threads for blocking work, and a queue with an end."""

import asyncio
import threading
import time
from functools import partial

import pytest

from patience import LONG
from shoal.core.errors import Unanswered
from shoal.queries.service.joint_work import Apart, Joint
from shoal.queries.service.lanes import lanes
from shoal.queries.service.worker_threads import PATIENCE, Busy, Gate, Gone, Share


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


def test_joint_work_that_waits_is_done_together_and_each_gets_its_own_result() -> None:
    go, batches = threading.Event(), []

    def double(pieces: list[int]) -> list[int | Exception]:
        batches.append(list(pieces))
        go.wait(LONG)
        return [ZeroDivisionError() if piece == 3 else 2 * piece for piece in pieces]

    async def scene() -> None:
        gate = Gate(workers=2, waiting=20, share=Share(4, 8))
        tasks = [asyncio.ensure_future(gate.run(Joint(1, double), "a"))]
        while not batches:
            await asyncio.sleep(0.001)
        tasks += [asyncio.ensure_future(gate.run(Joint(piece, double), f"p{piece}")) for piece in (2, 3, 4)]
        await asyncio.sleep(0.01)
        assert gate.taken == 4 and gate.waiting == 0  # one thread for all of them
        assert await gate.run(lambda: "alone", "z") == "alone"
        go.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert found[:2] + found[3:] == [2, 4, 8] and isinstance(found[2], ZeroDivisionError)
        await asyncio.sleep(0.01)
        assert gate.taken == 0 and await gate.run(Joint(7, double), "a") == 14
        gate.close()

    asyncio.run(scene())
    assert batches == [[1], [2, 3, 4], [7]]


def test_nobody_has_more_joint_work_than_their_share() -> None:
    go, batches = threading.Event(), []

    def count(pieces: list[str]) -> list[int]:
        batches.append(list(pieces))
        go.wait(LONG)
        return [len(pieces)] * len(pieces)

    async def scene() -> None:
        gate = Gate(workers=4, waiting=20, share=Share(2, 8))
        tasks = [asyncio.ensure_future(gate.run(Joint("greedy", count), "a")) for _ in range(6)]
        tasks.append(asyncio.ensure_future(gate.run(Joint("modest", count), "b")))
        await asyncio.sleep(0.01)
        assert gate.waiting == 4
        go.set()
        await asyncio.gather(*tasks)
        gate.close()

    asyncio.run(scene())
    assert all(batch.count("greedy") <= 2 for batch in batches)
    assert "modest" in batches[0]


def test_joint_work_ends_when_the_service_does() -> None:
    go = threading.Event()

    def wait(pieces: list[int]) -> list[int]:
        go.wait(LONG)
        return pieces

    async def scene() -> None:
        gate = Gate(workers=1, waiting=8, share=Share(2, 8))
        first = asyncio.ensure_future(gate.run(Joint(1, wait), "a"))
        await asyncio.sleep(0.01)
        second = asyncio.ensure_future(gate.run(Joint(2, wait), "b"))  # joins the next time
        await asyncio.sleep(0.01)
        gate.close(wait=False)
        go.set()
        assert await first == 1
        with pytest.raises(Busy, match="stops"):
            await second

    asyncio.run(scene())


def test_joint_work_that_takes_long_keeps_nobody_else_waiting() -> None:
    go = threading.Event()

    def held(pieces: list[str]) -> list[bool]:
        return [go.wait(LONG) if "long" in pieces else True for _ in pieces]

    async def scene() -> None:
        gate = Gate(workers=2, waiting=20, share=Share(2, 8))
        long = asyncio.ensure_future(gate.run(Joint("long", held), "a"))
        await asyncio.sleep(0.01)
        assert await asyncio.wait_for(gate.run(Joint("short", held), "b"), LONG / 2)
        assert not long.done()
        go.set()
        assert await long
        assert await gate.run(Joint("short", held), "b") and gate.taken == 0
        gate.close()

    asyncio.run(scene())


def test_joint_work_that_no_thread_is_free_for_begins_when_one_is() -> None:
    go, others = threading.Event(), threading.Event()

    def held(pieces: list[str]) -> list[bool]:
        return [go.wait(LONG) if "long" in pieces else True for _ in pieces]

    async def scene() -> None:
        gate = Gate(workers=2, waiting=20, share=Share(2, 8))
        long = asyncio.ensure_future(gate.run(Joint("long", held), "a"))
        alone = asyncio.ensure_future(gate.run(lambda: others.wait(LONG), "c"))
        await asyncio.sleep(0.01)
        short = [asyncio.ensure_future(gate.run(Joint("short", held), name)) for name in "bd"]
        await asyncio.sleep(2 * PATIENCE)
        late = asyncio.ensure_future(gate.run(Joint("short", held), "e"))
        await asyncio.sleep(0.01)
        assert gate.waiting == 0 and not any(task.done() for task in short)
        others.set()
        assert await asyncio.gather(alone, late, *short) == [True] * 4
        go.set()
        assert await long and gate.taken == 0
        gate.close()

    asyncio.run(scene())


def test_what_is_left_of_joint_work_is_done_apart_in_threads_of_its_own() -> None:
    go = threading.Event()

    def part(pieces: list[str]) -> list[object | Exception | Apart[object]]:
        return [Apart(partial(go.wait, LONG)) if piece == "long" else Apart(lambda: 7) for piece in pieces]

    async def scene() -> None:
        gate = Gate(workers=2, waiting=20, share=Share(2, 8))
        both = [asyncio.ensure_future(gate.run(Joint(piece, part), piece)) for piece in ("long", "short")]
        assert await both[1] == 7 and not both[0].done()
        go.set()
        assert await both[0] is True and gate.taken == 0
        gate.close()

    asyncio.run(scene())
