"""The threads that do the blocking work: so many at a time, so many who wait, and nobody takes all of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from shoal.core.errors import ShoalError, Unanswered

Done = TypeVar("Done")


class Busy(ShoalError):
    """More wait than can be served soon; nothing was spent, and asking again later helps."""

    exit_code = 1


class Gone(ShoalError):
    """Whoever asked has hung up before the work began; it was not done."""

    exit_code = 1


@dataclass(frozen=True)
class Share:
    """How many of the workers, and of the places to wait, one person may hold."""

    workers: int
    waiting: int


Leaves = Callable[[float], float]  # seconds of work → seconds after its beginning when the result goes out


@dataclass(frozen=True, eq=False)
class _Turn:
    work: Callable[[], Any]
    waiter: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    leaves: Leaves | None = None


class Gate:
    """So many work at a time, so many wait, and whoever comes then is sent away at once.

    Sending away keeps a busy service quick: a queue without an end serves only those who have given up. Those
    who wait are taken in turn, one person after the other, and nobody holds more than a share. All of it is
    changed on the event loop only.

    A result that leaves later than it is ready holds its place in the person's share, not its thread, until
    then: whoever waits behind a question of their own would else learn when it was ready.
    """

    def __init__(self, workers: int, waiting: int, name: str = "shoal", share: Share | None = None) -> None:
        self._workers, self._waiting = workers, waiting
        self._share = share or Share(workers, workers + waiting)
        self._working = 0  # threads
        self._running: dict[str, int] = {}  # places in each person's share
        self._lines: OrderedDict[str, deque[_Turn]] = OrderedDict()  # in the order of their turns
        self._begun: set[_Turn] = set()
        self._closed = False
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)

    async def run(
        self,
        work: Callable[[], Done],
        person: str = "",
        left: Callable[[], Awaitable[None]] | None = None,
        leaves: Leaves | None = None,
    ) -> Done:
        """Do the work in a thread and wait for it.

        What has begun is finished, whoever still waits. What has not begun when `left` returns, because
        whoever asked has hung up, is dropped and raises `Gone`. `leaves` tells when a result goes out.
        """
        if self._closed:
            raise Busy("the service stops; ask again in a while")
        loop = asyncio.get_running_loop()
        turn = _Turn(work, loop.create_future(), loop, leaves)
        if self._may_run(person):
            self._begin(person, turn)
        elif self._may_wait(person):
            self._lines.setdefault(person, deque()).append(turn)
        else:
            raise Busy("too many questions are being answered; ask again in a second")
        watching = None
        if left is not None and turn in self._lines.get(person, ()):
            watching = asyncio.ensure_future(left())
            watching.add_done_callback(lambda _: self._drop(person, turn))
        try:
            found: Done = await turn.waiter
            return found
        except asyncio.CancelledError:
            self._drop(person, turn)
            raise
        finally:
            if watching is not None:
                watching.cancel()

    @property
    def taken(self) -> int:
        """How many hold a place: until the answer leaves, because when it was ready would tell about rows."""
        return sum(list(self._running.values()))

    @property
    def waiting(self) -> int:
        """How many wait for one."""
        return sum(map(len, list(self._lines.values())))

    def close(self, wait: bool = True) -> None:
        """Let nobody in any more, send away who waits, and wait for what is running."""
        self._closed = True
        for line in self._lines.values():
            for turn in line:
                if not turn.waiter.done():
                    turn.waiter.set_exception(Busy("the service stops; ask again in a while"))
        self._lines.clear()
        self._pool.shutdown(wait=wait, cancel_futures=not wait)

    def abandon(self) -> None:
        """Wait for nothing any more: what has begun and cannot be ended is left to end by itself."""
        self.close(wait=False)
        for turn in self._begun:
            if not turn.waiter.done():
                turn.waiter.set_exception(Unanswered("the service stops; what the question cost stays spent"))

    def _may_run(self, person: str) -> bool:
        return self._working < self._workers and self._running.get(person, 0) < self._share.workers

    def _may_wait(self, person: str) -> bool:
        own = len(self._lines.get(person, ()))
        return sum(map(len, self._lines.values())) < self._waiting and own < self._share.waiting

    def _begin(self, person: str, turn: _Turn) -> None:
        self._working += 1
        self._running[person] = self._running.get(person, 0) + 1
        self._begun.add(turn)
        begun = turn.loop.time()

        def done(future: Future[Any]) -> None:
            # One word from the thread to the loop, and not two: each of them costs a turn at Python's lock.
            with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
                turn.loop.call_soon_threadsafe(self._ready, person, turn, future, begun)

        self._pool.submit(turn.work).add_done_callback(done)

    def _ready(self, person: str, turn: _Turn, future: Future[Any], begun: float) -> None:
        self._working -= 1
        taken = turn.loop.time() - begun
        wait = 0.0 if turn.leaves is None else turn.leaves(taken) - taken
        if wait > 0:
            turn.loop.call_later(wait, self._leave, person, turn, future)
            if not self._closed:
                self._next()  # of somebody else
        else:
            self._leave(person, turn, future)

    def _leave(self, person: str, turn: _Turn, future: Future[Any]) -> None:
        self._begun.discard(turn)
        self._running[person] -= 1
        if not self._running[person]:
            del self._running[person]
        if not self._closed:
            self._next()
        if turn.waiter.done():  # nobody waits any more
            return
        error = None if future.cancelled() else future.exception()
        if future.cancelled():
            turn.waiter.cancel()
        elif error is not None:
            turn.waiter.set_exception(error)
        else:
            turn.waiter.set_result(future.result())

    def _next(self) -> None:
        """Whose turn it is: the first in line who does not hold a whole share already."""
        for person in list(self._lines):
            if self._may_run(person):
                line = self._lines.pop(person)
                turn = line.popleft()
                if line:
                    self._lines[person] = line  # behind all others
                self._begin(person, turn)
                return

    def _drop(self, person: str, turn: _Turn) -> None:
        line = self._lines.get(person)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[person]
            if not turn.waiter.done():
                turn.waiter.set_exception(Gone("whoever asked has hung up"))


@dataclass(frozen=True)
class Lane:
    """A gate as one person comes to it."""

    gate: Gate
    person: str
    left: Callable[[], Awaitable[None]] | None = None

    async def run(self, work: Callable[[], Done], leaves: Leaves | None = None) -> Done:
        """Do the work in a thread and wait for it, and until it `leaves`."""
        return await self.gate.run(work, self.person, self.left, leaves)


@dataclass(frozen=True)
class Lanes:
    """Threads for each kind of work, so that what is short never waits for what is long."""

    questions: Gate
    estimates: Gate  # behind a question they would tell when it ended, to the millisecond
    looks: Gate  # budgets, logs, declarations
    owner: Gate  # people and their budgets
    rows: Gate

    def close(self, wait: bool = True) -> None:
        """Let nobody in any more, and wait for what is running."""
        for gate in self._all:
            gate.close(wait)

    def abandon(self) -> None:
        """Wait for nothing any more."""
        for gate in self._all:
            gate.abandon()

    @property
    def named(self) -> dict[str, Gate]:
        """Each by its name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @property
    def _all(self) -> tuple[Gate, ...]:
        return self.looks, self.owner, self.rows, self.estimates, self.questions


def lanes(workers: int, waiting: int) -> Lanes:
    """One person leaves half of the workers to others, and three quarters of the places to wait."""
    share = Share((workers + 1) // 2, max(1, waiting // 4))
    few = Share(2, 16)
    return Lanes(
        Gate(workers, waiting, "shoal-question", share),
        Gate(2, waiting, "shoal-estimate", Share(1, share.waiting)),
        Gate(3, 64, "shoal-look", few),
        Gate(2, 64, "shoal-owner"),
        Gate(2, 64, "shoal-rows"),
    )
