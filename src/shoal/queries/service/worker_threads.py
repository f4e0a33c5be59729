"""The threads that do the blocking work: so many at a time, so many who wait, and nobody takes all of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from shoal.core.errors import ShoalError, Unanswered
from shoal.queries.service.joint_work import Apart, Done, Joint, do_all

TOGETHER = 64  # pieces of joint work at a time
PATIENCE = 0.1  # seconds: joint work that is not done by then no longer keeps the next from beginning


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
    work: Callable[[], Any] | Joint[Any]
    waiter: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    leaves: Leaves | None = None


class Gate:
    """So many work at a time, so many wait, and whoever comes then is sent away at once.

    Sending away keeps a busy service quick: a queue without an end serves only those who have given up. Those
    who wait are taken in turn, one person after the other, and nobody holds more than a share. All of it is
    changed on the event loop only.

    Joint work of everybody takes one thread, whatever waits for it at a time, unless it takes long; each
    piece holds a place in its person's share.

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
        self._joining: list[_Member] = []  # joint work for the next time
        self._joined: object | None = None  # the joint work that the next time waits for
        self._closed = False
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)

    async def run(
        self,
        work: Callable[[], Done] | Joint[Done],
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
        if self._may_run(person, turn):
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

    def _may_run(self, person: str, turn: _Turn) -> bool:
        joins = self._joined is not None or bool(self._joining)
        joins = joins and isinstance(turn.work, Joint) and len(self._joining) < TOGETHER
        free = joins or self._working < self._workers
        return free and self._running.get(person, 0) < self._share.workers

    def _may_wait(self, person: str) -> bool:
        own = len(self._lines.get(person, ()))
        return sum(map(len, self._lines.values())) < self._waiting and own < self._share.waiting

    def _begin(self, person: str, turn: _Turn) -> None:
        self._running[person] = self._running.get(person, 0) + 1
        self._begun.add(turn)
        begun = turn.loop.time()
        if isinstance(turn.work, Joint):
            self._joining.append(_Member(person, turn, begun))
            self._join_if_free()
        else:
            self._working += 1
            self._submit(person, turn, turn.work, begun)

    def _submit(self, person: str, turn: _Turn, work: Callable[[], Any], begun: float) -> None:
        def done(future: Future[Any]) -> None:
            # One word from the thread to the loop, and not two: each of them costs a turn at Python's lock.
            with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
                turn.loop.call_soon_threadsafe(self._ready, person, turn, future, begun)

        try:
            self._pool.submit(work).add_done_callback(done)
        except RuntimeError:  # closed in between
            gone: Future[Any] = Future()
            gone.set_exception(Unanswered("the service stops; what the question cost stays spent"))
            self._ready(person, turn, gone, begun)

    def _join_if_free(self) -> None:
        """Begin joint work that waits for no other, if a thread is free for it."""
        if self._joining and self._joined is None and self._working < self._workers:
            # After all that has just come in: it may be joined by that.
            self._joined = object()
            self._working += 1
            self._joining[0].turn.loop.call_soon(self._join)

    def _overtake(self, batch: object) -> None:
        """Whoever comes waits no longer for joint work that takes long: somebody may have made it so."""
        if self._joined is batch:
            self._joined = None
            self._join_if_free()

    def _join(self) -> None:
        """Begin all joint work that waits, in one thread."""
        members, self._joining = self._joining, []
        loop = members[0].turn.loop
        batch = self._joined = object()
        loop.call_later(PATIENCE, self._overtake, batch)
        work = partial(do_all, [cast(Joint[Any], member.turn.work) for member in members])

        def done(future: Future[Any]) -> None:
            with suppress(RuntimeError):  # as above
                loop.call_soon_threadsafe(self._joint_ready, batch, members, future)

        try:
            self._pool.submit(work).add_done_callback(done)
        except RuntimeError:  # closed in between
            gone: Future[Any] = Future()
            gone.set_result([Busy("the service stops; ask again in a while")] * len(members))
            self._joint_ready(batch, members, gone)

    def _joint_ready(self, batch: object, members: list[_Member], future: Future[Any]) -> None:
        if self._joining and self._joined in (batch, None):
            self._join()  # in the same place
        else:
            self._joined = None if self._joined is batch else self._joined
            self._working -= 1
        for place, member in enumerate(members):
            one: Future[Any] = Future()
            if future.cancelled():
                one.cancel()
            else:
                failed = future.exception()
                found = future.result()[place] if failed is None else failed
                if isinstance(found, Apart):
                    self._working += 1
                    self._submit(member.person, member.turn, found.work, member.begun)
                    continue
                if isinstance(found, BaseException):
                    one.set_exception(found)
                else:
                    one.set_result(found)
            self._settle(member.person, member.turn, one, member.begun)

    def _ready(self, person: str, turn: _Turn, future: Future[Any], begun: float) -> None:
        self._working -= 1
        self._join_if_free()
        self._settle(person, turn, future, begun)

    def _settle(self, person: str, turn: _Turn, future: Future[Any], begun: float) -> None:
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
            if self._may_run(person, self._lines[person][0]):
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


@dataclass(frozen=True, eq=False)
class _Member:
    """Joint work that has begun."""

    person: str
    turn: _Turn
    begun: float
