"""The benchmark of the studio drives a browser from the first page to clicks while a search runs."""

from __future__ import annotations

import pytest

from benchmarks import studio
from faces.studio.browser import CHROMIUM


@pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here; `make chromium` installs Debian's where it may"
)
def test_the_studio_is_timed_from_its_start_to_a_click(capsys: pytest.CaptureFixture[str]) -> None:
    studio.run(2000, 1)
    told = capsys.readouterr().out
    for line in (
        "start to the first page",
        "load and look",
        "page through it",
        "a click while a search runs",
    ):
        assert line in told
