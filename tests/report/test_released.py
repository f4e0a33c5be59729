from dataclasses import replace

from report.conftest import Case
from shoal.jobs.dossier import ColumnStory, Dossier
from shoal.report.blocks import Chart, Grid, Words
from shoal.report.released import released


def words(dossier: Dossier) -> str:
    return " ".join(block.text for block in released(dossier) if isinstance(block, Words))


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
    blocks = list(released(more))
    chart = next(block for block in blocks if isinstance(block, Chart))
    assert all(name in chart.alt for name in ("zip", "age", "sex"))
    grid = next(block for block in blocks if isinstance(block, Grid))
    assert [row[0].text for row in grid.rows] == ["ill", "ward"]
