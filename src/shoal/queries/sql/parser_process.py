"""Reading in a process apart, which can be ended: a parser that is compiled cannot be interrupted.

The process is started anew (a fork of one with Polars in it hangs), is kept for the next question, and is
replaced when it took too long or died. It has no file, no address and no secret of ours.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any, cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.sqlglot_parser import tokens_of, tree_of

SECONDS = 2.0  # of work
PATIENCE = 10.0  # seconds on the clock: on a busy machine work takes longer
STARTING = 60.0  # seconds until a new process is ready
MEMORY = 2**30  # bytes
GRACE = 10.0  # seconds until a process that was killed is gone
KEPT = 2  # processes that wait for the next question
TOO_LONG = "the question takes too long to read; ask in several steps"
_WAY_IN = "from shoal.queries.sql.parser_process import answer; answer()"


class ParserProcess:
    """Reads questions in processes of its own. Threads may share it; each has a process to itself."""

    def __init__(self, seconds: float = SECONDS, patience: float = PATIENCE) -> None:
        self._seconds, self._patience = seconds, patience
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._home = os.getpid()
        atexit.register(self.close)

    def tree(self, text: str) -> exp.Query:
        """The tree of a question, or NotAllowed."""
        process = self._taken()
        try:
            kind, found = _exchange(process, text, self._patience)
        except (OSError, EOFError, pickle.UnpicklingError):  # it was ended, or ended itself
            _end(process)
            raise NotAllowed(TOO_LONG) from None
        except BaseException:
            _end(process)
            raise
        self._keep(process)
        if kind == "refused":
            raise NotAllowed(cast(str, found))
        return cast(exp.Query, found)

    def close(self) -> None:
        """End the processes that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        if os.getpid() == self._home:
            for process in idle:
                _end(process)

    def _taken(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if os.getpid() != self._home:  # those of a parent are not ours
                self._idle, self._home = [], os.getpid()
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                _end(process)  # somebody ended it while it waited, and no question need suffer for that
        return _started(self._seconds)

    def _keep(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if len(self._idle) < KEPT:
                self._idle.append(process)
                return
        _end(process)


def _started(seconds: float) -> subprocess.Popen[bytes]:
    environment = {"PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "LANG") if name in os.environ}
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _WAY_IN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # a Ctrl-C in the terminal is for us
        )
    except OSError:  # no process or descriptor is left
        raise NotAllowed("so long a question cannot be read just now; ask again in a while") from None
    try:
        _exchange(process, seconds, STARTING)
    except (OSError, EOFError, pickle.UnpicklingError):
        _end(process)
        raise NotAllowed("so long a question cannot be read just now; ask again in a while") from None
    return process


def _exchange(process: subprocess.Popen[bytes], told: object, patience: float) -> Any:
    """One word there and one back; a process that lets us wait is ended, which ends our waiting."""
    assert process.stdin is not None and process.stdout is not None
    timer = threading.Timer(patience, process.kill)
    timer.daemon = True
    timer.start()
    try:
        pickle.dump(told, process.stdin)
        process.stdin.flush()
        return pickle.load(process.stdout)
    finally:
        timer.cancel()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(subprocess.TimeoutExpired):  # in the hands of the system, which reaps it later
        process.wait(GRACE)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def answer() -> None:
    """What the process does: reads one question after the other until nobody asks any more."""
    with suppress(ImportError, ValueError, OSError):  # not every system has it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with open(0, "rb") as given, open(1, "wb") as back, suppress(EOFError):
        seconds = pickle.load(given)
        told = pickle.dumps(("ready", None))
        while True:
            back.write(told)
            back.flush()
            text = pickle.load(given)
            _alarm(seconds)
            try:
                told = pickle.dumps(("tree", tree_of(text, tokens_of(text))))
            except NotAllowed as error:
                told = pickle.dumps(("refused", str(error)))
            except (MemoryError, RecursionError):
                told = pickle.dumps(("refused", TOO_LONG))
            _alarm(0)


def _alarm(seconds: float) -> None:
    """After so much work the system ends the process; our own handler would never get its turn."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
