"""How long somebody waits for the studio: the first page, a large table, and a click while a search runs.

A real browser does what a person does; what it draws is part of the wait. CPU seconds are those of the
process that serves and of its workers: on a loaded machine they are what can be believed.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import show
from benchmarks.people import people

ROWS = 1_000_000
CLICKS = 20
LONGEST = 300.0  # seconds to wait for the address
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Studio:
    """A studio that was started: the process, its address, and when."""

    process: subprocess.Popen[str]
    address: str
    began: float

    def cpu(self, workers: bool) -> float:
        """Seconds so far of the process that serves, or of those that work for it."""
        pids = self._workers() if workers else [self.process.pid]
        return sum(_cpu(pid) for pid in pids)

    def peak(self, workers: bool) -> float:
        """Megabytes at most: of the process that serves, or of the largest that works for it."""
        pids = self._workers() if workers else [self.process.pid]
        return max((_peak(pid) for pid in pids), default=0.0)

    def _workers(self) -> list[int]:
        there = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in there.read_text().split()]


def run(rows: int | None = None, rounds: int | None = None) -> None:
    """Print one table; without a browser only a line that says so."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("studio: no chromium here; `make chromium` installs Debian's where it may")
        return
    table = people(rows or ROWS).table
    with browsing(chromium) as browser:
        starts = [_start(browser) for _ in range(rounds or 3)]
        lines = [_line("start to the first page", [wall for wall, _ in starts], [cpu for _, cpu in starts])]
        lines += _work(browser, table, rows or ROWS)
    title = f"Studio: {rows or ROWS:,} rows; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    header = ["", "wall s", "longest", "CPU s serving", "CPU s working"]
    show.table(title, header, lines, ["medians, for one; of wall also the longest"])


@contextmanager
def browsing(chromium: str) -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(folder: Path) -> Iterator[Studio]:
    """`shoal studio` in a process of its own."""
    began = time.perf_counter()
    words = [sys.executable, "-m", "shoal", "studio", "--project", str(folder), "--no-browser"]
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    told = folder.with_name("told.txt")
    with told.open("w") as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT, text=True, env=usual)
    try:
        found = None
        while found is None and process.poll() is None and time.perf_counter() - began < LONGEST:
            found = re.search(r"http://\S+(?=\n)", told.read_text())
            time.sleep(0.01)
        assert found is not None, told.read_text()
        yield Studio(process, found[0], began)
    finally:
        process.terminate()
        process.wait(60)


def _start(browser: Any) -> tuple[float, float]:
    """From the command to a page that can be clicked."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "project") as studio:
        page = _tab(browser, studio)
        page.get_by_role("button", name="Open the sample").wait_for()
        wall = time.perf_counter() - studio.began
        cpu = studio.cpu(workers=False)
        page.context.close()
    return wall, cpu


def _work(browser: Any, table: Path, rows: int) -> list[list[str]]:
    """A large file is read and paged; then clicks while it is protected."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        project.mkdir()
        shutil.copyfile(table, project / "people.csv")
        with serving(project) as studio:
            page = _tab(browser, studio)
            lines = [_measured("load and look", studio, lambda: _load(page, rows))]
            lines.append(_measured("page through it", studio, lambda: _page(page, rows)))
            page.get_by_role("button", name="Accept all suggestions").click()
            page.get_by_text("Every column is decided.").wait_for()
            _turn(page, "Run")
            page.get_by_role("button", name="Protect").click()
            page.get_by_role("region", name="Run 1").wait_for()
            lines.append(_measured("a click while a search runs", studio, lambda: _click(page)))
            _turn(page, "Run")
            if not page.get_by_text("at work").is_visible():
                print("studio: the search had ended before the last click; try --rows with more")
            page.context.close()
            for words, of in (("peak MB serving", False), ("peak MB of one worker", True)):
                lines.append([words, f"{studio.peak(of):,.0f}", "", "", ""])
    return lines


def _load(page: Any, rows: int) -> list[float]:
    began = time.perf_counter()
    page.get_by_role("button", name="Use it").click()
    page.get_by_text(f"Rows 1–15 of {rows:,}").wait_for()
    return [time.perf_counter() - began]


def _page(page: Any, rows: int) -> list[float]:
    """To places far apart; each is on the screen before the next is asked for."""
    times = []
    for number in range(1, CLICKS // 2 + 1):
        first = (rows * number // (CLICKS // 2 + 1) - 1) // 15 * 15 + 1
        field = page.get_by_label("Go to row")
        field.fill(str(first))
        began = time.perf_counter()
        field.press("Enter")
        page.get_by_text(f"Rows {first:,}–").wait_for()
        times.append(time.perf_counter() - began)
    return times


def _click(page: Any) -> list[float]:
    """From one page to another and back: from the click until its title is there."""
    times = []
    for number in range(CLICKS):
        times.append(_turn(page, ("Data", "Run")[number % 2]))
    return times


def _turn(page: Any, name: str) -> float:
    link = page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
    link.wait_for()
    began = time.perf_counter()
    link.click()
    page.get_by_role("heading", level=1, name=name, exact=True).wait_for()
    return time.perf_counter() - began


def _measured(what: str, studio: Studio, work: Callable[[], list[float]]) -> list[str]:
    before = studio.cpu(False), studio.cpu(True)
    times = work()
    serving, working = studio.cpu(False) - before[0], studio.cpu(True) - before[1]
    each = len(times)
    return [*_line(what, times, [serving / each] * each)[:4], f"{working / each:.3f}"]


def _line(what: str, walls: list[float], cpus: list[float]) -> list[str]:
    return [
        what,
        f"{statistics.median(walls):.3f}",
        f"{max(walls):.3f}",
        f"{statistics.median(cpus):.3f}",
        "",
    ]


def _tab(browser: Any, studio: Studio) -> Any:
    context = browser.new_context(viewport={"width": 1180, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(600_000)
    page = context.new_page()
    page.goto(studio.address)
    return page


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:  # it has ended
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def _peak(pid: int) -> float:
    try:
        told = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", told)
    return int(found[1]) / 1024 if found else 0.0
