"""Hierarchies changed, imported with what they do not cover, and their effect on groups."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.hierarchy_editing import (
    branches,
    effect_of_levels,
    found_hierarchy,
    import_hierarchy,
    kept_column,
    levels_in_short,
    moved,
    parents_on_level,
    save_hierarchy,
    with_level,
    without_level,
)
from shoal.jobs.tables.preview import write_rows
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy

JOBS = Hierarchy.of_levels(
    [["nurse", "doctor", "cook"], ["care", "care", "food"], ["indoors", "indoors", "kitchen"], ["*"] * 3]
)


def test_a_label_that_moves_takes_the_ancestors_of_its_new_parent() -> None:
    assert moved(JOBS, 1, {"nurse": "food"}).levels()[1:3] == [
        ["food", "care", "food"],
        ["kitchen", "indoors", "kitchen"],
    ]
    assert JOBS.levels()[1] == ["care", "care", "food"]


def test_a_hierarchy_is_a_tree_opened_branch_by_branch() -> None:
    assert [(one.label, one.leaves) for one in branches(JOBS, 3, "*")] == [("indoors", 2), ("kitchen", 1)]
    assert [one.label for one in branches(JOBS, 1, "care")] == ["nurse", "doctor"]
    for level, label in ((0, "nurse"), (4, "*"), (1, "sea")):
        with pytest.raises(BadParameter):
            branches(JOBS, level, label)


def test_a_new_parent_keeps_the_ancestors_that_the_label_had() -> None:
    levels = moved(JOBS, 1, {"nurse": "nursing"}).levels()
    assert levels[1:3] == [["nursing", "care", "food"], ["indoors", "indoors", "kitchen"]]
    assert parents_on_level(JOBS, 1) == {"nurse": "care", "doctor": "care", "cook": "food"}


@pytest.mark.parametrize("level", [0, 3, 4, -1])
def test_values_and_top_stay(level: int) -> None:
    with pytest.raises(BadParameter, match="level"):
        moved(JOBS, level, {})
    with pytest.raises(BadParameter, match="level"):
        without_level(JOBS, level)


def test_levels_are_added_below_the_top_and_left_out() -> None:
    more = with_level(Hierarchy.of_levels([["a", "b"], ["*", "*"]]))
    assert more.levels() == [["a", "b"], ["a", "b"], ["*", "*"]]
    assert moved(more, 1, {"a": "both", "b": "both"}).levels()[1] == ["both", "both"]
    assert without_level(JOBS, 1).levels()[1] == ["indoors", "indoors", "kitchen"]


def test_a_file_that_covers_everything_is_taken_and_another_is_told_what_it_lacks(tmp_path: Path) -> None:
    values = pl.Series("job", ["nurse", "cook", None, "pilot"])
    save_hierarchy(JOBS.with_missing_value(), tmp_path / "jobs.csv")
    assert read_hierarchy(tmp_path / "jobs.csv").levels() == JOBS.levels()
    assert import_hierarchy(tmp_path / "jobs.csv", values, tmp_path / "taken.csv") == ["pilot"]
    assert not (tmp_path / "taken.csv").exists()
    assert import_hierarchy(tmp_path / "jobs.csv", values[:3], tmp_path / "deep" / "taken.csv") == []
    assert read_hierarchy(tmp_path / "deep" / "taken.csv").levels() == JOBS.levels()


def test_the_effect_is_that_of_counting_rows_by_hand(tmp_path: Path) -> None:
    place = tmp_path / "rows.arrow"
    frame = pl.DataFrame({"zip": ["101", "102", "201", None], "len": ["a", "a", "b", "b"]})
    write_rows(frame, place)
    specs = {"zip": "mask()", "len": None}
    assert kept_column(place, "zip").to_list() == ["101", "102", "201", None]
    low = effect_of_levels(place, specs, {}, 2)
    assert low == {"rows": 4, "classes": 4, "smallest": 1, "alone": 4, "too_small": 4}
    some = effect_of_levels(place, specs, {"zip": 1}, 2)
    assert some == {"rows": 4, "classes": 3, "smallest": 1, "alone": 2, "too_small": 2}
    top = effect_of_levels(place, specs, {"zip": 99, "len": 1}, 2)
    assert top == {"rows": 4, "classes": 1, "smallest": 4, "alone": 0, "too_small": 0}


def test_levels_in_short_name_some_labels() -> None:
    told = levels_in_short(found_hierarchy(pl.Series("zip", ["101", None]), "zip", "mask()"))
    assert told["leaves"] == 2
    assert told["levels"][0] == {"labels": 2, "sample": ["101", "missing"]}
    assert told["levels"][-1] == {"labels": 1, "sample": ["*"]}
