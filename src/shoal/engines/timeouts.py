"""One thread that ends what takes too long, for any number of those who work."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from shoal.core.errors import ShoalError

DAY = 86_400.0  # seconds


class Overdue(ShoalError):
    """Work was ended because its time was over."""

    exit_code = 1


class Call:
    """One alarm that was set."""

    def __init__(self, ring: Callable[[], object]) -> None:
        self._ring: Callable[[], object] | None = ring
        self._lock = threading.Lock()
        self.rung = False

    def ring(self) -> None:
        """End the work, unless it has ended by itself: what comes after it must not be hit."""
        with self._lock:
            if self._ring is not None:
                self.rung = True
                with suppress(Exception):  # a connection that is gone cannot be interrupted
                    self._ring()

    @property
    def silent(self) -> bool:
        """Whether the work is done."""
        return self._ring is None

    def silence(self) -> None:
        """The work is done; what could have been interrupted is not held on to until its time is over."""
        with self._lock:
            self._ring = None

    def check(self) -> None:
        """Between two statements, where there is nothing to interrupt."""
        if self.rung:
            raise Overdue("the time for the question is over")


class Alarm:
    """Rings at the times it was set for. A thread for each question would cost more than many questions."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Call]] = []
        self._number = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @contextmanager
    def after(self, seconds: float | None, ring: Callable[[], object]) -> Iterator[Call]:
        """Call `ring` from another thread if the work inside takes longer; without seconds, never."""
        call = Call(ring)
        if seconds is not None:
            with self._changed:
                heapq.heappush(self._waiting, (time.monotonic() + seconds, next(self._number), call))
                if self._thread is None:
                    self._thread = threading.Thread(target=self._watch, name="alarm", daemon=True)
                    self._thread.start()
                elif self._waiting[0][2] is call:
                    self._changed.notify()
        try:
            yield call
        finally:
            call.silence()

    def _watch(self) -> None:
        while True:
            with self._changed:
                while not self._waiting or self._waiting[0][0] > time.monotonic():
                    # No longer than a day at once: a thread that waits for ever longer ends with an error.
                    left = self._waiting[0][0] - time.monotonic() if self._waiting else DAY
                    self._changed.wait(min(left, DAY))
                _, _, call = heapq.heappop(self._waiting)
            if call.silent:
                continue
            _rung([call], wait=False)  # a server that does not listen must not keep the alarms of others


def _rung(calls: list[Call], wait: bool) -> None:
    """Each of them in a thread of its own."""
    threads = [threading.Thread(target=call.ring, name="alarm", daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        if wait:
            thread.join(60)


ALARM = Alarm()


class Watch:
    """All that is being read through one door: each within its time, and all of it can be ended at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: list[Call] = []
        self._ended = False

    @contextmanager
    def over(self, within: float | None, ring: Callable[[], object]) -> Iterator[Call]:
        """Work that `ring` ends."""
        with ALARM.after(within, ring) as call:
            with self._lock:
                if self._ended:
                    raise Overdue("the database is being closed")
                self._busy.append(call)
            try:
                yield call
            finally:
                with self._lock:
                    self._busy.remove(call)

    def end(self) -> None:
        """End everything, and let nothing begin from now on."""
        with self._lock:
            self._ended = True
            busy = list(self._busy)
        _rung(busy, wait=True)
