import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
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


def test_of_rows_made_by_chance_nothing_is_said_that_chance_makes_untrue(tmp_path: Path) -> None:
    original, tree, sexes = tmp_path / "patients.csv", tmp_path / "ill.csv", tmp_path / "sex.csv"
    tree.write_text("flu;lungs;*\ncold;lungs;*\nulcer;stomach;*\n", "utf-8")
    sexes.write_text("F;*\nM;*\n", "utf-8")
    rows = [f"Person{row},{'FM'[row % 2]},{('flu', 'cold', 'ulcer')[row % 3]}" for row in range(600)]
    original.write_text("name,sex,ill\n" + "\n".join(rows) + "\n", "utf-8")
    hierarchies = {"sex": str(sexes), "ill": str(tree)}
    for method, model in (
        ("retention(rho=0.2,levels=ill:1)", "d-gamma-privacy(d=0.1,gamma=0.9)"),
        ("noisy-counts(levels=ill:1)", "differential-privacy(epsilon=1)"),
    ):
        release = tmp_path / f"{method[:5]}.csv"
        shoal.protect(
            original,
            output=release,
            identifier="name",
            quasi="sex",
            sensitive="ill",
            hierarchy=hierarchies,
            method=method,
            model=model,
        )
        both: tuple[dict[str, Any], ...] = ({}, {"original": str(original), "hierarchy": hierarchies})
        for known in both:
            page = release.with_suffix(".html")
            found = write_report(release, output=page, attack=("homogeneity", "similarity"), **known)
            told = page.read_text("utf-8")
            for untrue in (
                "from the file alone",
                "values kept as they are",
                "kept exact",
                "of the detail was lost",
                "picks the right row",
                "A group may agree on its secret",
                "others know sex and nothing more",
            ):
                assert untrue not in told, (method, known, untrue)
            assert "rests on the method" in told and "no file can prove it" in told
            assert not found.working, "rows that chance made are nobody's"
