"""Every test of the faces works in a folder of its own."""

from pathlib import Path

import pytest

from faces.shell import ROLES, patients, protect


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with the table `patients.csv`."""
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(patients(), "utf-8")
    return tmp_path


@pytest.fixture
def release() -> Path:
    """A release of the table, with its manifest."""
    models = ("--k", 3, "--model", "l-diversity(l=2)", "--model", "t-closeness(t=0.5)")
    run = protect(
        "patients.csv", "-o", "release.csv", *ROLES, *models, "--suppress", 0.1, "--method", "optimal"
    )
    assert run.code == 0, run.err
    return Path("release.csv")
