"""The end of the process: soon, whatever runs, and with its files closed."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

from shoal.queries.service.service import Service

GRACE = 3.0  # seconds in which questions may still be answered
LATEST = 9.0  # seconds after which the process ends in any case


class Deadline:
    """From `start` on the process has so many seconds; `lift` says that it ends by itself.

    A thread that works in an engine cannot be ended, and Python waits for it. So the last resort is to close
    ledger and log, which hold all that must survive, and to leave everything else to the system.
    """

    def __init__(self, service: Service, seconds: float = LATEST) -> None:
        self._service, self._seconds = service, seconds
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """The first call counts."""
        if self._timer is None:
            self._timer = threading.Timer(self._seconds, self._end)
            self._timer.daemon = True
            self._timer.start()

    def lift(self) -> None:
        """Nothing runs any more that could keep the process."""
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        closing = threading.Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(0.5)
        os._exit(0)

    def _close(self) -> None:
        for part in (self._service.ledger, self._service.audit):
            with suppress(Exception):
                part.close()


def working(within: float) -> bool:
    """Whether a thread of the service is still at work after so many seconds."""
    until = time.monotonic() + within
    while any(thread.name.startswith("shoal-") for thread in threading.enumerate()):
        if time.monotonic() > until:
            return True
        time.sleep(0.01)
    return False
