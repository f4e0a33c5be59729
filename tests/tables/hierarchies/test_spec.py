from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies import Hierarchy, fit_to_column, flat, hierarchy_of, of_released

from .checks import assert_hierarchy, some_numbers, way

AGES = pl.Series(["17", "22", "40", None, "71", "22"])


@pytest.mark.parametrize(
    ("spec", "labels"),
    [
        ("mask()", ["2*"]),
        ("mask", ["2*"]),
        ("mask(sign=x, keep=right)", ["x2"]),
        ("mask(step=2)", []),
        ("interval(width=5,levels=2)", ["[20, 25)", "[20, 30)"]),
        ("interval(width=5,levels=2,fanout=4,origin=2)", ["[22, 27)", "[22, 42)"]),
        ("interval(cuts=18|30|65)", ["[18, 30)"]),
        ("interval(cuts=18|30|65/30)", ["[18, 30)", "< 30"]),
        ("grown(depth=1)", ["< 40"]),
        ("flat()", []),
        (" suggest() ", ["[0, 50)"]),
    ],
)
def test_words_build_a_hierarchy_over_the_column(spec: str, labels: list[str]) -> None:
    hierarchy = hierarchy_of(spec, AGES, "age")
    assert_hierarchy(hierarchy, ["17", "22", "40", "71", None])
    assert way(hierarchy, "22")[1 : len(labels) + 1] == labels


def test_dates_take_their_order_from_the_words() -> None:
    column = pl.Series(["02/01/1990"])
    assert hierarchy_of("date(order=day)", column, "born").label("02/01/1990", 1) == "1990-01"
    assert hierarchy_of("date(order=month)", column, "born").label("02/01/1990", 1) == "1990-02"
    with pytest.raises(BadHierarchy, match=r"column 'born': the date '02/01/1990' may .*date\(order=day\)"):
        hierarchy_of("date()", column, "born")


def test_a_class_column_guides_the_growth() -> None:
    target = pl.Series([0, 1, 1, 1, 1, 1])
    assert hierarchy_of("grown(depth=1)", AGES, "age", target).label("22", 1) == "≥ 22"


def test_trees_objects_and_files_are_taken_as_they_are(tmp_path: Path) -> None:
    column = pl.Series(["a", "b", None])
    (tmp_path / "leaf.CSV").write_text("a;x;*\nb;y;*\n")
    (tmp_path / "leaf.tsv").write_text("a\tx\nb\ty\n")
    (tmp_path / "tree.json").write_text('{"x": ["a"], "y": ["b"]}')
    (tmp_path / "pairs.csv").write_text("a,x\nb,y\n")
    for spec in (
        {"x": ["a"], "y": ["b"]},
        [{"x": ["a"]}, {"y": ["b"]}],
        Hierarchy.of_levels([["a", "b"], ["x", "y"]]),
        tmp_path / "leaf.CSV",
        str(tmp_path / "leaf.tsv"),
        str(tmp_path / "tree.json"),
        f"parents(file={tmp_path / 'pairs.csv'})",
    ):
        hierarchy = hierarchy_of(spec, column, "letter")
        assert way(hierarchy, "a") == ["a", "x", "*"]
        assert way(hierarchy, None) == [None, None, "*"]


def test_general_codes_in_the_column_fit_a_file_of_parents(tmp_path: Path) -> None:
    (tmp_path / "icd.csv").write_text("J45.1;J45\nJ45;J\n")
    hierarchy = hierarchy_of(f"parents(file={tmp_path / 'icd.csv'})", pl.Series(["J45", "J45.1"]), "icd")
    assert way(hierarchy, "J45") == ["J45", "J45", "J", "*"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("masks()", r"no hierarchy 'masks\(\)' for column 'age'; give a file .*mask\(\), interval\(width"),
        ("", "no hierarchy ''"),
        ("mask(", "no hierarchy"),
        ("mask(width=5)", "mask has no parameter 'width=5'; it takes sign, keep, step"),
        ("flat(1)", "flat has no parameter '1'; it takes none"),
        ("mask(step=1,step=2)", "names step twice"),
        ("mask(keep=top)", "no keep=top; choose left or right"),
        ("mask(step=two)", "step=two is not a whole number"),
        ("interval()", "interval takes either width"),
        ("interval(width=5,cuts=18)", "interval takes either width"),
        ("interval(width=-5)", "width=-5"),
        ("interval(width=5,levels=x)", "levels=x"),
        ("interval(cuts=18|x)", "cut=x is not a number"),
        ("grown(depth=0)", "depth=0"),
        ("date(order=year)", "no order=year; choose day or month"),
        ("parents()", "parents needs a file"),
    ],
)
def test_what_is_not_understood_is_refused_with_the_known_forms(spec: str, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        hierarchy_of(spec, AGES, "age")


def test_refusals_of_a_builder_name_the_column(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match="column 'age': the value 'old' is not a number"):
        hierarchy_of("interval(width=5)", pl.Series(["5", "old"]), "age")
    with pytest.raises(BadHierarchy, match=r"cannot read .*none\.csv"):
        hierarchy_of(tmp_path / "none.csv", AGES, "age")


@pytest.mark.parametrize("spec", ["mask()", "interval(width=5)", "grown()", "date()", "flat()", "suggest()"])
def test_a_column_that_is_all_missing_has_a_hierarchy_too(spec: str) -> None:
    assert hierarchy_of(spec, pl.Series([None], dtype=pl.String), "x").leaves == (None,)


def test_values_that_the_hierarchy_does_not_know_are_refused_with_column_and_cure() -> None:
    with pytest.raises(
        BadHierarchy, match="column 'x' has a value that its hierarchy does not know: 'c'; add a line for it"
    ):
        fit_to_column(flat(["a", "b"]), pl.Series(["a", "c", "c"]), "x")
    with pytest.raises(BadHierarchy, match=r"has 5 values .*: '1', '2', '3', …; add a line for each"):
        fit_to_column(flat(["a"]), pl.Series([1, 2, 3, 4, 5]), "x")


def test_a_hierarchy_that_fits_is_left_alone_and_may_know_more_values() -> None:
    hierarchy = flat(["a", "b", "c"])
    assert fit_to_column(hierarchy, pl.Series(["a"]), "x") is hierarchy
    assert fit_to_column(hierarchy, pl.Series(["a", None]), "x").leaves == ("a", "b", "c", None)
    assert hierarchy.leaves == ("a", "b", "c")


@given(some_numbers)
def test_every_numeric_column_fits_every_numeric_word(values: list[str]) -> None:
    column = pl.Series([*values, None])
    for spec in ("interval(width=0.5,levels=3)", "interval(cuts=-5|0|5)", "grown(depth=2)", "suggest()"):
        hierarchy = hierarchy_of(spec, column, "x")
        assert set(hierarchy.leaves) == {*values, None}
        assert_hierarchy(hierarchy, hierarchy.leaves)


def test_a_release_may_have_labels_of_a_higher_level(tmp_path: Path) -> None:
    path = tmp_path / "ill.csv"
    path.write_text("flu;lungs;*\ncold;lungs;*\nulcer;stomach;*\n", "utf-8")
    assert of_released(path, pl.Series(["flu", None]), "ill").leaves == ("flu", "cold", "ulcer", None)
    coarse = of_released(str(path), pl.Series(["stomach", None]), "ill")
    assert coarse.leaves == ("lungs", "stomach", None) and coarse.height == 1
    with pytest.raises(BadHierarchy, match="does not know: 'heart'"):
        of_released(path, pl.Series(["heart", "lungs"]), "ill")
