"""Everything a test waits for has an end: processes, their pipes, threads, and servers that start."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from typing import IO, AnyStr

LONG = 300.0  # seconds: no machine is so busy, and nobody waits for ever


def line_of(process: subprocess.Popen[AnyStr], seconds: float = LONG) -> AnyStr:
    """The next line that a process says; one that says nothing for so long is ended, and fails the test."""
    pipe = process.stdout
    assert pipe is not None
    found: list[AnyStr] = []
    reader = threading.Thread(target=lambda: found.append(pipe.readline()), daemon=True)
    reader.start()
    reader.join(seconds)
    if not found:
        raise AssertionError(f"no line within {seconds:g} s; it said {last_words(process)!r}")
    return found[0]


def last_words(process: subprocess.Popen[AnyStr], seconds: float = LONG) -> AnyStr | None:
    """End a process and give what it wrote to standard error: only of the dead is a pipe read to its end."""
    end(process, seconds)
    pipe: IO[AnyStr] | None = process.stderr
    found: list[AnyStr] = []
    if pipe is not None:  # a child of its own may still hold the other end
        reader = threading.Thread(target=lambda: found.append(pipe.read()), daemon=True)
        reader.start()
        reader.join(seconds)
    return found[0] if found else None


def end(process: subprocess.Popen[AnyStr], seconds: float = LONG) -> None:
    """End a process that is no longer needed, if it has not ended by itself."""
    process.kill()
    process.wait(seconds)


def until(true: Callable[[], object], what: str, seconds: float = LONG) -> None:
    """Wait until something is true; `what` says in the failure what was waited for."""
    last = time.monotonic() + seconds
    while not true():
        if time.monotonic() > last:
            raise AssertionError(f"waited {seconds:g} s for {what}")
        time.sleep(0.01)


def all_done(threads: Iterable[threading.Thread], seconds: float = LONG) -> None:
    """Wait for threads, each started before."""
    for thread in threads:
        thread.join(seconds)
        assert not thread.is_alive(), f"{thread.name} did not end within {seconds:g} s"
