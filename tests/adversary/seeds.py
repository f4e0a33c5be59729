"""Where chance comes from: the same on every machine, unless somebody explores."""

from __future__ import annotations

import os
import random


def seed_of(name: str) -> str:
    """A seed for a test; `make explore` draws another one each time, and a failure names it."""
    if os.environ.get("SHOAL_EXAMPLES", "shoal") == "explore":
        return f"{name}-{random.SystemRandom().randrange(10**12)}"
    return name
