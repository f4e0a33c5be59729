"""When an answer leaves: at one of a few times, so that the clock tells next to nothing about rows.

How long a question takes depends on the rows. An answer therefore waits for the next of 0.1, 0.3, 1, 3, 10 …
seconds after its question began, or for the one time that the owner chose. `sql/work.py` sees to it that one
person's rows move the real time by thousandths of a second only.
"""

from __future__ import annotations

import math

_STEPS = (1.0, 3.0)


def leaves_after(seconds: float, first: float, fixed: float = 0.0) -> float:
    """How long after a question began its answer leaves that was ready after so many seconds."""
    if fixed:
        return fixed * max(1, math.ceil(seconds / fixed))
    while True:
        for step in _STEPS:
            if seconds <= first * step:
                return first * step
        first *= 10
