"""Load less before the first page is there.

The library of sockets brings clients that load two more HTTP libraries where these are installed, and does
without them where they are not. The studio only serves, and NiceGUI's dependencies install both: a quarter of
the time to the first page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

CLIENTS = ("aiohttp", "requests")


@contextmanager
def without_clients() -> Iterator[None]:
    """In here those libraries look as if they were not installed; afterwards anybody can load them."""
    hidden = [name for name in CLIENTS if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
