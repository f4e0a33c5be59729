"""Who is connected: a limit for each address and one in total, so that strangers cannot keep others out.

A connection that asks nothing is closed when its place is needed: the oldest of the same address when that
has its share, else the oldest of whichever address has most. Whoever sends a request is let be.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import Any, Protocol

LEAST = 8  # connections that are always let in
SPARE = 64  # descriptors that stay free for rows, ledger and log
_log = logging.getLogger(__name__)


class Connection(Protocol):
    """One connection as the crowd sees it."""

    @property
    def idle(self) -> bool:
        """Whether nothing is being answered."""

    def hang_up(self) -> None:
        """End it at once."""


class Crowd:
    """All connections by their addresses, changed on the event loop only."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, min(each, most)
        self._all: dict[str, OrderedDict[Connection, None]] = {}
        self._number = 0

    def enter(self, connection: Connection, address: str) -> bool:
        """Let somebody in, if need be in the place of an idle one; False when there is none."""
        if len(self._all.get(address, ())) >= self.each and not self._make_room(address):
            return False
        if self._number >= self.most:
            fullest = sorted(self._all, key=lambda name: len(self._all[name]), reverse=True)
            if not any(self._make_room(name) for name in fullest):
                return False
        self._all.setdefault(address, OrderedDict())[connection] = None
        self._number += 1
        return True

    def leave(self, connection: Connection, address: str) -> None:
        """Somebody has gone."""
        mine = self._all.get(address, OrderedDict())
        if connection in mine:
            del mine[connection]
            self._number -= 1
            if not mine:
                del self._all[address]

    def _make_room(self, address: str) -> bool:
        for connection in self._all[address]:  # the oldest first
            if connection.idle:
                self.leave(connection, address)
                connection.hang_up()
                return True
        return False


def places(wanted: int) -> int:
    """How many connections there may be: so many as wanted, if the system has descriptors for them.

    The limit of the process is raised as far as the system allows.
    """
    try:
        import resource
    except ImportError:  # not every system counts them
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):
            pass  # some systems name a limit that they do not grant
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(LEAST, min(wanted, soft - max(SPARE, soft // 4)))


class Quietly:
    """What goes wrong on the event loop, at most one line a second: a flood must not fill the disk."""

    def __init__(self) -> None:
        self._told_at = float("-inf")
        self._untold = 0

    def __call__(self, loop: Any, context: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._told_at < 1:
            self._untold += 1
            return
        error = context.get("exception")
        name = type(error).__name__ if error is not None else "no exception"
        number = getattr(error, "errno", None)
        _log.error(
            "%s (%s%s); %d more since the last line",
            str(context.get("message", "the event loop failed")).splitlines()[0],
            name,
            "" if number is None else f" {number}",
            self._untold,
        )
        self._told_at, self._untold = now, 0


class Sparsely(logging.Filter):
    """Of what the server warns of, which strangers can make it do, at most one line a second."""

    def __init__(self) -> None:
        super().__init__()
        self._told_at = float("-inf")

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; all but warnings are."""
        if record.levelno != logging.WARNING:
            return True
        now = time.monotonic()
        fits = now - self._told_at >= 1
        self._told_at = now if fits else self._told_at
        return fits


def warn_sparsely(name: str) -> None:
    """Let a logger warn once a second, however often this is called."""
    log = logging.getLogger(name)
    if not any(isinstance(known, Sparsely) for known in log.filters):
        log.addFilter(Sparsely())
