"""One studio and one browser for all tests of a process; each test has a tab of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from faces.studio.browser import CHROMIUM, Served, browsing, serving, tab


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here; `make chromium` installs Debian's where it may")
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="session")
def shared_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place: Path = tmp_path_factory.mktemp("studio") / "project"
    with serving(place) as studio:
        yield studio


@pytest.fixture
def served(
    request: pytest.FixtureRequest, shared_studio: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """One studio for all tests; one that is tried again has its own, without what it left behind."""
    if getattr(request.node, "execution_count", 1) == 1:
        yield shared_studio
        return
    with serving(tmp_path_factory.mktemp("again") / "project") as studio:
        yield studio


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Page]:
    with tab(chromium, served) as one:
        yield one
