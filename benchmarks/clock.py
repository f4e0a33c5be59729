"""What work takes: CPU seconds over all threads, and for whole commands also wall time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

Result = TypeVar("Result")

LONGEST = (
    7 * 3600.0
)  # seconds that anything measured may take before it is given up; the child gives up first
CHILD = Path(__file__).with_name("child.py")
SHOAL = (sys.executable, "-c", "from shoal.faces.cli import main; main()")


@dataclass(frozen=True)
class Timed(Generic[Result]):
    """CPU seconds of the first call, of the best of those after it, and what the last one returned."""

    cold: float
    warm: float
    result: Result


@dataclass(frozen=True)
class Cost:
    """What a whole command took, its own children included, and what it said."""

    wall: float
    cpu: float
    peak: int  # bytes
    said: str = ""


def timed(work: Callable[[], Result], rounds: int) -> Timed[Result]:
    """Call once cold, then `rounds` times warm."""
    spent = []
    for _ in range(1 + rounds):
        started = time.process_time()
        result = work()
        spent.append(time.process_time() - started)
    return Timed(spent[0], min(spent[1:]), result)


def command(words: Sequence[str]) -> Cost:
    """Run a command in a process of its own; what it complains of is shown only when it fails."""
    with tempfile.NamedTemporaryFile() as said:
        call = [sys.executable, "-I", "-S", str(CHILD), said.name, *words]
        # Where Python may not keep what it compiled, as in some containers, a start takes a second longer.
        usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        done = subprocess.run(call, stdout=subprocess.PIPE, check=True, timeout=LONGEST, env=usual)
        code, wall, cpu, peak, complaint = json.loads(done.stdout)
        text = said.read().decode()
    if code != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {code}: {text}{complaint}")
    return Cost(wall, cpu, peak, text)


def best_command(words: Sequence[str], rounds: int) -> Cost:
    """The least time of several runs, the most memory, and what the last one said."""
    costs = [command(words) for _ in range(rounds)]
    return Cost(
        min(cost.wall for cost in costs),
        min(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
        costs[-1].said,
    )


def protect_words(
    data: Path,
    output: Path,
    quasi: Sequence[str],
    hierarchies: Mapping[str, Path],
    k: int,
    suppress: float,
    sensitive: Sequence[str] = (),
) -> list[str]:
    """The command line of a release."""
    words = [*SHOAL, "table", "protect", str(data), "-o", str(output), "--quasi", ",".join(quasi)]
    if sensitive:
        words += ["--sensitive", ",".join(sensitive)]
    for column in quasi:
        words += ["--hierarchy", f"{column}={hierarchies[column]}"]
    return [*words, "--k", str(k), "--suppress", str(suppress), "--method", "optimal"]
