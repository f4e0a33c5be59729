"""The threads that do the blocking work, and a limit on how many may wait for one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from shoal.core.errors import ShoalError

Done = TypeVar("Done")


class Busy(ShoalError):
    """More wait than can be served soon; nothing was spent, and asking again later helps."""

    exit_code = 1


class Gate:
    """So many work at a time, so many wait, and whoever comes then is sent away at once.

    Sending away keeps a busy service quick: a queue without an end serves only those who have given up.
    """

    def __init__(self, workers: int, waiting: int, name: str = "shoal") -> None:
        self._most = workers + waiting
        self._inside = 0  # changed on the event loop only
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)

    async def run(self, work: Callable[[], Done]) -> Done:
        """Do the work in a thread and wait for it; what has begun is finished, whoever still waits."""
        if self._inside >= self._most:
            raise Busy("too many questions are being answered; ask again in a second")
        self._inside += 1
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Done] = loop.create_future()

        def leave(future: Future[Done]) -> None:
            self._inside -= 1
            if waiter.done():  # nobody waits any more
                return
            error = future.exception()
            if error is not None:
                waiter.set_exception(error)
            else:
                waiter.set_result(future.result())

        # One word from the thread to the loop, and not two: each of them costs a turn at Python's lock.
        self._pool.submit(work).add_done_callback(lambda future: loop.call_soon_threadsafe(leave, future))
        return await waiter

    def close(self) -> None:
        """Wait for what is running."""
        self._pool.shutdown(wait=True)
