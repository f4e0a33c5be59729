from dataclasses import replace
from pathlib import Path

import polars as pl

import shoal
from report.conftest import TRIED, Case
from shoal.jobs.tables.report import report_table
from shoal.report.blocks import Box, Chart, Grid, Words
from shoal.report.document import document
from shoal.report.sections import released_section
from shoal.tables.appraisal.dossier import ColumnStory, Dossier


def words(dossier: Dossier) -> str:
    return " ".join(block.text for block in released_section(dossier) if isinstance(block, Words))


def test_rows_columns_and_what_was_removed_are_told(case: Case) -> None:
    told = words(case.dossier)
    assert f"has {case.dossier.released} rows and 4 columns" in told
    assert "name, which names people, was removed" in told
    assert "method optimal" in told and "proved" in told


def test_without_a_manifest_it_is_said_that_nobody_knows(case: Case) -> None:
    assert "not known" in words(replace(case.dossier, method=""))


def test_steps_and_a_stopped_search_are_told(case: Case) -> None:
    told = words(replace(case.dossier, steps=("noise(column=income)",), optimal=False))
    assert "noise(column=income)" in told and "time limit" in told


def test_every_column_is_in_the_picture_or_in_the_grid(case: Case) -> None:
    more = replace(
        case.dossier, columns=(*case.dossier.columns, ColumnStory("ward", "insensitive", "changed"))
    )
    blocks = list(released_section(more))
    chart = next(block for block in blocks if isinstance(block, Chart))
    assert all(name in chart.alt for name in ("zip", "age", "sex"))
    grid = next(block for block in blocks if isinstance(block, Grid))
    assert [row[0].text for row in grid.rows] == ["name", "zip", "age", "sex", "ill", "ward"]
    assert {row[2].text for row in grid.rows} == {"whoever made the release", "not recorded"}


def test_columns_left_out_and_risky_ones_that_went_out_undecided_are_told(case: Case, tmp_path: Path) -> None:
    shoal.protect(case.original, output=tmp_path / "out.csv", quasi="zip,age", k=3, undeclared="keep", seed=1)
    dossier = report_table(case.job(data=str(tmp_path / "out.csv"), attack=TRIED[:1]))
    grid = next(block for block in released_section(dossier) if isinstance(block, Grid))
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in grid.rows}
    assert rows["ill"][:2] == ["no role declared", "nobody"]
    assert rows["name"] == ["no role declared", "nobody", "left out"]
    told = words(dossier)
    assert "name was left out, because nobody gave it a role" in told
    assert "Decide about each before you sign" in told
    assert [column.name for column in dossier.undecided] == ["sex", "ill"]
    box = next(block for block in document(dossier).blocks if isinstance(block, Box))
    assert box.tone == "warn" and "look risky: sex and ill" in box.text


def test_a_release_made_elsewhere_is_not_green_while_a_risky_column_has_no_role(
    case: Case, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"zip": ["1", "2"] * 9, "diagnosis": ["flu", "hiv", "gout"] * 6})
    frame.write_csv(tmp_path / "theirs.csv")
    asked = {
        "data": str(tmp_path / "theirs.csv"),
        "original": None,
        "quasi": ("zip",),
        "k": 3,
        "attack": ("singling-out",),
    }
    dossier = report_table(case.job(**asked))
    assert [column.name for column in dossier.undecided] == ["diagnosis"]
    assert next(block for block in document(dossier).blocks if isinstance(block, Box)).tone == "warn"
    decided = report_table(case.job(**asked, insensitive=("diagnosis",)))
    assert not decided.undecided
