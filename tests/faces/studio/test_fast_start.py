"""What the studio does without while it starts can be loaded by anybody afterwards."""

from __future__ import annotations

import importlib
import sys

import pytest

from shoal.faces.studio import fast_start
from shoal.faces.studio.fast_start import without_clients


def test_a_library_is_hidden_inside_and_there_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_start, "CLIENTS", ("wave", "json"))
    monkeypatch.delitem(sys.modules, "wave", raising=False)

    def fail() -> None:
        with without_clients():
            importlib.import_module("json")  # loaded before, so it stays
            importlib.import_module("wave")

    with pytest.raises(ModuleNotFoundError):
        fail()
    assert importlib.import_module("wave").__name__ == "wave"
