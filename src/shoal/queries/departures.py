"""Which answers had left when a question came in: they, and no others, are given again at no cost.

Nothing else may decide what a question costs. Whether the engine was done with another one by then, or whose
turn it was, hangs on rows.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager


class Departures:
    """Comings and goings, numbered in the order in which they are seen from outside. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._open: OrderedDict[int, None] = OrderedDict()  # questions that have come in and are not done
        self._left: OrderedDict[str, int] = OrderedDict()  # answers that left since the first of those came

    @contextmanager
    def arrival(self) -> Iterator[int]:
        """The number of a question that comes in, until it is done."""
        with self._lock:
            self._number += 1
            number = self._number
            self._open[number] = None
        try:
            yield number
        finally:
            with self._lock:
                del self._open[number]
                self._forget()

    def leaves(self, key: str) -> None:
        """An answer goes out to a question that is still here. Of several to the same the first counts."""
        with self._lock:
            self._number += 1
            self._left.setdefault(key, self._number)
            self._forget()

    def after(self, key: str, arrival: int) -> bool:
        """Whether the answer that is kept left after a question had come in."""
        with self._lock:
            return self._left.get(key, 0) > arrival

    def _forget(self) -> None:
        """What left before all who are here came in."""
        oldest = next(iter(self._open), self._number + 1)
        while self._left and next(iter(self._left.values())) < oldest:
            self._left.popitem(last=False)
