from dataclasses import replace

from report.conftest import Case
from shoal.core.rounded_figures import per_cent
from shoal.report.blocks import Grid, Words
from shoal.report.sections import loss_section, risk


def test_risk_is_told_before_and_after(case: Case) -> None:
    grid = next(block for block in risk(case.dossier) if isinstance(block, Grid))
    assert grid.head[2:] == ("before", "after")
    figures = {row[0].text: [cell.text for cell in row[2:]] for row in grid.rows}
    assert figures["smallest group"][1] == str(case.dossier.risk.smallest_class)
    assert figures["marketer"][1] == per_cent(case.dossier.risk.marketer)


def test_without_an_original_there_is_one_side(case: Case) -> None:
    grid = next(block for block in risk(replace(case.dossier, risk_before=None)) if isinstance(block, Grid))
    assert grid.head[2:] == ("now",) and all(len(row) == 3 for row in grid.rows)


def test_a_missing_population_is_said(case: Case) -> None:
    assert any(isinstance(block, Words) for block in risk(case.dossier))
    assert not any(isinstance(block, Words) for block in risk(replace(case.dossier, has_population=True)))


def test_every_loss_is_explained_and_its_source_named(case: Case) -> None:
    grid, words = loss_section(case.dossier)
    assert isinstance(grid, Grid) and len(grid.rows) == len(case.dossier.losses) == 2
    assert isinstance(words, Words) and "Measured now" in words.text
    assert "taken from the data" in words.text, "why detail lost and precision are not there"
    every = {"precision": 0.5, "loss": 0.636, **case.dossier.losses}
    grid, words = loss_section(replace(case.dossier, losses=every))
    assert isinstance(grid, Grid) and len(grid.rows) == 4
    assert {row[0].text: row[2].text for row in grid.rows}["detail lost"] == "0.636"
    assert isinstance(words, Words) and "taken from the data" not in words.text
    _, told = loss_section(replace(case.dossier, measured=False))
    assert isinstance(told, Words) and "manifest" in told.text


def test_nothing_known_is_said(case: Case) -> None:
    (only,) = loss_section(replace(case.dossier, losses={}))
    assert isinstance(only, Words) and only.text.startswith("Not known")
