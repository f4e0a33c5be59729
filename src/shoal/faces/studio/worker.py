"""Work outside the event loop: in spawned processes that tell how far they are and can be ended at any time.

Nothing here knows the browser, and a process that works loads nothing of it.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

from shoal.core.errors import ShoalError
from shoal.core.progress import Progress, following, tell

State = Literal["running", "done", "failed", "cancelled"]
Task = Callable[..., Any]  # a function of a module; with `core.progress.tell` it says how far it is

_SPAWN = multiprocessing.get_context("spawn")
_EVERY = 0.1  # seconds between two messages about progress
_GRACE = 3.0  # seconds that an ended process has before it is killed
SPARE = 2  # idle processes that are kept
_NUMBERS = itertools.count(1)


class Stopped(ShoalError):
    """Work that was cancelled, or whose process was ended by somebody else."""


@dataclass
class Work:
    """Something at work: how far it is, and what came of it. Read it from any thread; nobody else writes."""

    title: str
    state: State = "running"
    done: int = 0
    parts: int = 0  # 0: nobody knows how many there are
    at_work: str = ""
    error: str = ""  # one sentence
    result: Any = None
    began: float = field(default_factory=time.time)
    seconds: float = 0.0
    number: int = field(default_factory=lambda: next(_NUMBERS))
    future: Future[Any] = field(default_factory=Future, repr=False)
    process: Any = field(default=None, repr=False)
    keeping: bool = False  # it has ended, and what follows has not

    @property
    def running(self) -> bool:
        """Until what it found is kept: whoever looks as soon as it no longer runs must find that."""
        return self.state == "running" or self.keeping

    @property
    def share(self) -> float | None:
        """How much of it is done, where anybody knows."""
        return min(self.done / self.parts, 1.0) if self.parts else None

    def cancel(self) -> None:
        """End it now, whatever it is doing."""
        if self.state == "running":
            self.state = "cancelled"
            if self.process is not None:
                self.process.end()


class Workers:
    """Processes for the work of one studio; a few idle ones are kept, because starting one takes seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._closed = False
        self._turns = threading.Semaphore(SPARE)  # of what is short: a page asks for much at once

    def warm_up(self) -> None:
        """Start a process before anybody asks for it, unless one is idle."""

        def start() -> None:
            with self._lock:
                waiting = bool(self._idle)
            if not waiting:
                self._give_back(_Process())

        threading.Thread(target=start, daemon=True).start()

    def start(self, title: str, task: Task, *given: Any, then: Callable[[Work], None] | None = None) -> Work:
        """Begin something long; `then` is called with it when it has ended, in a thread of its own."""
        work = Work(title)
        threading.Thread(target=self._carry_out, args=(work, task, given, then), daemon=True).start()
        self.warm_up()  # whoever asks something small meanwhile should not wait
        return work

    def ask(self, title: str, task: Task, *given: Any) -> Future[Any]:
        """Something short, for whoever wants the result and nothing else; a failure is raised."""
        work = Work(title)

        def wait_and_carry_out() -> None:
            with self._turns:
                self._carry_out(work, task, given, None)

        threading.Thread(target=wait_and_carry_out, daemon=True).start()
        return work.future

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            all_of_them = [*self._idle, *self._busy]
            self._idle.clear()
        for process in all_of_them:
            process.end()

    def _carry_out(
        self, work: Work, task: Task, given: tuple[Any, ...], then: Callable[[Work], None] | None
    ) -> None:
        process = self._take()
        work.process = process
        if work.state != "running":  # cancelled before it began
            process.end()
        sentence = "it was cancelled" if work.state != "running" else _listen(work, process, task, given)
        work.seconds = time.time() - work.began
        with self._lock:
            self._busy.discard(process)
        if sentence is None and work.state == "running":
            work.keeping, work.state = True, "done"
            self._give_back(process)
        else:
            if process.alive() and work.state == "running":
                self._give_back(process)  # a refusal: the process itself is well
            if work.state == "running":
                work.keeping, work.error, work.state = True, sentence or "", "failed"
        try:
            if then is not None:
                then(work)
        finally:
            work.keeping = False
            with suppress(InvalidStateError):  # whoever wanted it has left the page
                if work.state == "done":
                    work.future.set_result(work.result)
                else:
                    work.future.set_exception(Stopped(work.error or "it was cancelled"))

    def _take(self) -> _Process:
        with self._lock:
            found = self._idle.pop() if self._idle else None
        process = found if found is not None and found.alive() else _Process()
        with self._lock:
            self._busy.add(process)
        return process

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            keep = not self._closed and len(self._idle) < SPARE
            if keep:
                self._idle.append(process)
        if not keep:
            process.end()


class _Process:
    """A process that waits for work."""

    def __init__(self) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs,), name="shoal-studio-work", daemon=True)
        self.process.start()
        theirs.close()
        self._lock = threading.Lock()  # `multiprocessing` lets one thread at a time wait for a process

    def alive(self) -> bool:
        with self._lock:
            return self.process.is_alive()

    def end(self) -> None:
        """End it now; whoever cancels and whoever listens may both say so."""
        with self._lock:
            self.process.terminate()
            self.process.join(_GRACE)
            if self.process.is_alive():
                self.process.kill()
                self.process.join(_GRACE)
            self.pipe.close()


def _listen(work: Work, process: _Process, task: Task, given: tuple[Any, ...]) -> str | None:
    """Hear of the work until it has ended; one sentence where it failed."""
    try:
        process.pipe.send((task, given))
        while True:
            kind, told = process.pipe.recv()
            if kind == "progress":
                work.done, work.parts, work.at_work = told
            elif kind == "done":
                work.result = told
                return None
            else:
                return str(told)
    except (EOFError, OSError):
        process.end()  # its pipe may close before it counts as dead; nobody else must be given it
        return "its process ended without a result; perhaps the memory of this machine was not enough"


def _serve(pipe: Connection) -> None:
    """In a process of its own: carry out one task after the other."""
    _end_with_parent()
    with suppress(ImportError):  # what most tasks load first
        import shoal.jobs.tables.inspect
        import shoal.jobs.tables.protect  # noqa: F401
    while True:
        try:
            task, given = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_outcome(pipe, task, given))


def _outcome(pipe: Connection, task: Task, given: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        with following(_Teller(pipe)):
            return "done", task(*given)
    except ShoalError as error:
        return "failed", " ".join(str(error).split())
    except MemoryError:
        return "failed", "the table does not fit into memory; use fewer columns or a larger machine"
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}; this is a defect of Shoal, please report it"


class _Teller:
    """Passes on how far the work is, a few times a second."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._last = pipe, -_EVERY

    def __call__(self, done: int, parts: int, at_work: str) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            self._pipe.send(("progress", (done, parts, at_work)))


def _end_with_parent() -> None:
    """A process whose studio is gone has nobody to work for."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        while parent is not None and parent.is_alive():
            parent.join(3600)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def follow(*told: Any) -> None:
    """Says how far a job is, in either of the two ways that jobs tell it: to `jobs.run`."""
    if len(told) == 1 and isinstance(told[0], Progress):
        state = told[0]
        best = "searching" if state.best is None else f"best loss so far {state.best:.3f}"
        told = (state.done, state.done + state.open, best)
    tell(*told)
