"""Threads for blocking work, and a queue with an end."""

import asyncio
import threading
import time

import pytest

from shoal.queries.service.gate import Busy, Gate


def test_whoever_comes_when_too_many_wait_is_sent_away_at_once() -> None:
    go = threading.Event()

    async def scene() -> None:
        gate = Gate(workers=2, waiting=1)
        running = [asyncio.ensure_future(gate.run(go.wait)) for _ in range(3)]
        await asyncio.sleep(0.01)
        began = time.perf_counter()
        with pytest.raises(Busy, match="ask again"):
            await gate.run(go.wait)
        assert time.perf_counter() - began < 0.5
        go.set()
        assert await asyncio.gather(*running) == [True, True, True]
        await asyncio.sleep(0.01)
        assert await gate.run(lambda: 7) == 7
        gate.close()

    asyncio.run(scene())


def test_what_was_begun_is_finished_when_nobody_waits_for_it_any_more() -> None:
    go, done = threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
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
