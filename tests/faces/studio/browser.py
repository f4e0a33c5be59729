"""A studio that is served for real, and Debian's Chromium to look at it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from patience import LONG, end, line_of

CHROMIUM = shutil.which("chromium")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = LONG * 1000  # in milliseconds, as Playwright counts


@dataclass(frozen=True)
class Served:
    """A studio at work: its address with the token, and the folder of its project."""

    address: str
    project: Path
    pid: int

    @property
    def origin(self) -> str:
        return self.address.split("/?")[0].split("/table")[0]

    @contextmanager
    def halted_workers(self) -> Iterator[None]:
        """In here every worker stands still, so that what is begun does not end by itself."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        workers = [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
        assert workers, "no worker is there"
        with halted(*workers):
            yield

    @property
    def token(self) -> str:
        return self.address.split("token=")[1]


@contextmanager
def halted(*processes: int) -> Iterator[None]:
    """In here these processes stand still."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


@contextmanager
def serving(project: Path, *words: str) -> Iterator[Served]:
    """`shoal studio` in a process of its own."""
    # NiceGUI asks the environment whether it is being tested, and would serve elsewhere.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    command = [sys.executable, "-m", "shoal", "studio", *words, "--project", str(project), "--no-browser"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=plain, cwd=project.parent
    )
    try:
        found = re.search(r"http://\S+", line_of(process))
        assert found is not None
        yield Served(found[0], project, process.pid)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            end(process)


@contextmanager
def browsing() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            with _running(None):
                yield browser
        finally:
            browser.close()


@contextmanager
def tab(browser: Browser, served: Served, width: int = 1280, height: int = 900) -> Iterator[Page]:
    """A tab in a profile of its own that has come in with the token, and asks nobody else for anything."""
    with _running(browser._loop):
        # Nothing fades: colours are what they will be as soon as they change.
        context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        try:
            page = context.new_page()
            page.goto(served.address)
            yield page
            ours = (served.origin, "data:", "blob:", "about:")
            assert not [url for url in asked if not url.startswith(ours)], "a page asked elsewhere"
        finally:
            context.close()


@contextmanager
def _running(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    """In here another loop counts as the one of this thread.

    Playwright's does from its first word to its last; between two tests of the studio it must not, or others
    could start none of their own.
    """
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


def upload(page: Page, name: str, content: bytes | str) -> None:
    """Upload a file on the first page."""
    data = content.encode() if isinstance(content, str) else content
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )


def people(rows: int = 60) -> str:
    """A small table of made-up people."""
    lines = ["name,zip,age,ill"]
    ills = ("flu", "asthma", "ulcer", "gout")
    for number in range(rows):
        lines.append(f"Person {number},1{number % 3}0{number % 7},{20 + number % 40},{ills[number % 4]}")
    return "\n".join(lines) + "\n"


def turn_to(page: Page, name: str) -> None:
    """Another page by the navigation, and not before it is there: until then clicks reach the one before."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", level=1, name=name, exact=True).wait_for()


def follow(page: Page, button: str, name: str) -> None:
    """A button that leads to another page, and not before that is there."""
    page.get_by_role("button", name=button).click()
    page.get_by_role("heading", level=1, name=name, exact=True).wait_for()


def decided(page: Page, name: str, content: str) -> None:
    """Upload a table and accept what its columns suggest."""
    upload(page, name, content)
    page.get_by_role("button", name="Accept all suggestions").click()
    page.get_by_text("Every column is decided.").wait_for()


def slide(page: Page, name: str, key: str) -> None:
    """Move a slider by a key; Quasar takes keys inside the element that says its role."""
    page.get_by_role("slider", name=name).locator("[tabindex]").first.press(key)
