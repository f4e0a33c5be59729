"""How often somebody may knock: a bucket of tokens that fills up at a steady rate."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from shoal.core.errors import BadParameter

MANY = 10_000  # buckets kept; a full bucket can be forgotten, and the one used longest ago goes first


@dataclass
class _Bucket:
    left: float
    at: float
    refused: bool = False


@dataclass(frozen=True)
class Pass:
    """Whether one more is allowed; if not, after how many seconds, and whether it is the first refusal."""

    allowed: bool
    wait: float = 0.0
    first: bool = False


class Limit:
    """So many at once, then so many per second, for each name by itself."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        if not (0 < rate < float("inf") and 1 <= burst < float("inf")):
            raise BadParameter(
                f"a rate of {rate:g} per second with a burst of {burst:g} lets nobody in; "
                "the rate is above 0, the burst 1 or more"
            )
        self.rate, self.burst = float(rate), float(burst)
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str) -> Pass:
        """Count one more."""
        with self._lock:
            now = self._clock()
            bucket = self._buckets.pop(name, None) or _Bucket(self.burst, now)
            self._buckets[name] = bucket
            while len(self._buckets) > MANY:
                self._buckets.popitem(last=False)
            bucket.left = min(self.burst, bucket.left + max(0.0, now - bucket.at) * self.rate)
            bucket.at = now
            if bucket.left >= 1:
                bucket.left -= 1
                bucket.refused = False
                return Pass(True)
            first, bucket.refused = not bucket.refused, True
            return Pass(False, (1 - bucket.left) / self.rate, first)
