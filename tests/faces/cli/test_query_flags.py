"""The flags of query commands."""

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.cli.query_flags import alone, token


def test_the_token_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOAL_TOKEN", " shoal_a\n")
    assert token(None) == "shoal_a"
    (tmp_path / "token").write_text("shoal_b\n", "utf-8")
    assert token(str(tmp_path / "token")) == "shoal_b"
    monkeypatch.delenv("SHOAL_TOKEN")
    (tmp_path / "empty").write_text("\n", "utf-8")
    for file, why in ((None, "SHOAL_TOKEN"), (tmp_path / "empty", "is empty"), (tmp_path, "cannot read")):
        with pytest.raises(BadParameter, match=why):
            token(None if file is None else str(file))


def test_flags_that_mean_nothing_together_are_refused() -> None:
    alone("--service", {"data": [], "unit": None, "rows": None})
    with pytest.raises(BadParameter, match="--unit and --service do not go together"):
        alone("--service", {"data": None, "unit": "who"})
