import re
from pathlib import Path

import polars as pl
import pytest

from report.conftest import Case
from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.report import write_report


def test_both_forms_are_written(case: Case, tmp_path: Path) -> None:
    found = write_report(
        str(case.release), output=tmp_path / "report.html", pdf=tmp_path / "report.pdf", attack="homogeneity",
        external=str(case.people),
    )  # fmt: skip
    assert found.verdict.holds
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_nothing_is_written_when_something_is_wrong(case: Case, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no attack 'nonsense'"):
        write_report(str(case.release), output=tmp_path / "report.html", attack="nonsense")
    assert not list(tmp_path.iterdir())


def test_it_can_be_told_without_being_written(case: Case) -> None:
    before = sorted(case.folder.iterdir())
    assert write_report(str(case.release), attack=("homogeneity",)).released == case.dossier.released
    assert sorted(case.folder.iterdir()) == before


def test_no_attack_of_the_catalog_gives_anybody_away(case: Case, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    found = write_report(
        str(case.release), output=page, original=str(case.original), external=str(case.people),
        other=(str(case.release),), control=str(case.people),
    )  # fmt: skip
    assert {trial.name for trial in found.trials} <= set(catalog.names("attack"))
    text = page.read_text("utf-8")
    original = pl.read_csv(case.original, infer_schema=False)
    assert not [name for name in original["name"] if re.search(rf"\b{name}\b", text)]
    assert not [code for code in original["zip"].unique() if re.search(rf"\b{code}\b", text)]
