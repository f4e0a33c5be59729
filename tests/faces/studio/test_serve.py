"""Starting the studio tells its token to whoever started it, and to nobody else on the machine."""

from __future__ import annotations

import stat
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from shoal.faces.studio.serve import open_in_browser

ADDRESS = "http://127.0.0.1:8765/table/a&b/data?token=a-token-of-this-test"


def test_the_token_is_in_no_list_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser is a process like others: everybody on the machine sees what it was started with."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    way = tmp_path / "a folder" / "open.html"
    for _ in range(2):  # the second time over what a killed studio left
        open_in_browser(ADDRESS, way)
    assert len(set(opened)) == 1
    assert "a-token-of-this-test" not in opened[0]
    assert Path(unquote(urlsplit(opened[0]).path)) == way
    assert stat.S_IMODE(way.stat().st_mode) == 0o600
    assert ADDRESS.replace("&", "&amp;") in way.read_text()
