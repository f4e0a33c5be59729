from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import (
    Hierarchy,
    from_nested,
    masked,
    of_cuts,
    read_hierarchy,
    read_parents,
    write_hierarchy,
)
from shoal.tables.hierarchies.hierarchy import Label

from .checks import assert_hierarchy, same, some_numbers, texts, way


def file(folder: Path, text: str, name: str = "hierarchy.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_leaf_file_as_arx_writes_it_is_a_hierarchy(tmp_path: Path) -> None:
    hierarchy = read_hierarchy(file(tmp_path, "1;0-4;0-9;*\n2;0-4;0-9;*\n7;5-9;0-9;*"))
    assert_hierarchy(hierarchy, ["1", "2", "7"])
    assert way(hierarchy, "7") == ["7", "5-9", "0-9", "*"]


def test_a_file_without_a_star_gets_one(tmp_path: Path) -> None:
    assert way(read_hierarchy(file(tmp_path, "a,x,Any\nb,y,Any\n")), "a") == ["a", "x", "Any", "*"]
    assert way(read_hierarchy(file(tmp_path, "a\nb\n")), "a") == ["a", "*"]


def test_an_empty_first_field_is_the_missing_value(tmp_path: Path) -> None:
    assert way(read_hierarchy(file(tmp_path, "\ufeff;unknown;*\na;known;*\n")), None) == [
        None,
        "unknown",
        "*",
    ]


def test_a_ragged_line_is_refused_with_line_and_value(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"line 3 of '.*hierarchy\.csv' \('c'\) has 2 fields instead of 3"):
        read_hierarchy(file(tmp_path, "a;x;*\nb;x;*\nc;*\n"))


def test_a_value_that_stands_twice_is_refused_with_its_lines(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"'a' stands twice .*lines 1 and 4"):
        read_hierarchy(file(tmp_path, "a;x\nb;x\n\na;x\n"))


def test_a_level_that_is_no_refinement_is_refused_with_its_lines(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"'x' becomes 'one' \(line 1\) and 'two' \(line 3\)"):
        read_hierarchy(file(tmp_path, "a;x;one;*\nb;y;one;*\nc;x;two;*\n"))


def test_a_nested_file_is_a_tree(tmp_path: Path) -> None:
    path = file(tmp_path, '{"Infection": ["Flu", "HIV"], "Cancer": {"Skin": ["Melanoma"]}}', "ill.json")
    nested = {"Infection": ["Flu", "HIV"], "Cancer": {"Skin": ["Melanoma"]}}
    assert same(read_hierarchy(path), from_nested(nested))


def test_a_nested_file_with_a_slip_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"line 2 of .*ill\.json' is not JSON"):
        read_hierarchy(file(tmp_path, '{"a": ["x"],\n "b" ["y"]}', "ill.json"))
    with pytest.raises(BadHierarchy, match="'a' stands twice"):
        read_hierarchy(file(tmp_path, '{"a": ["x"], "a": ["y"]}', "ill.json"))
    with pytest.raises(BadHierarchy, match="nested too deeply"):
        read_hierarchy(file(tmp_path, "[" * 100_000, "ill.json"))


def test_a_file_of_parents_is_a_tree_with_or_without_a_header(tmp_path: Path) -> None:
    for head in ("", "Child,Parent\n"):
        hierarchy = read_parents(file(tmp_path, head + "J45.1,J45\nJ45,J\nE11,\n"), values=["J45"])
        assert way(hierarchy, "J45.1") == ["J45.1", "J45", "J", "*"]
        assert way(hierarchy, "E11") == ["E11", "E11", "E11", "*"]
        assert set(hierarchy.leaves) == {"J45.1", "J45", "E11"}


def test_slips_in_a_file_of_parents_are_refused_with_value_and_line(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"'a' → 'b' → 'a' runs in a circle \(line 2\)"):
        read_parents(file(tmp_path, "child;parent\na;b\nb;a\n"))
    with pytest.raises(BadHierarchy, match=r"'a' has two parents, 'x' \(line 1\) and 'y' \(line 3\)"):
        read_parents(file(tmp_path, "a;x\nb;x\na;y\n"))
    with pytest.raises(BadHierarchy, match=r"line 2 .*has 3 fields instead of 2"):
        read_parents(file(tmp_path, "a;x\nb;x;*\n"))


def round_trip(hierarchy: Hierarchy, folder: pytest.TempPathFactory) -> Hierarchy:
    path = folder.getbasetemp() / "round.csv"
    write_hierarchy(hierarchy, path)
    return read_hierarchy(path)


@given(values=st.lists(texts, min_size=1, unique=True), groups=st.data())
def test_any_hierarchy_survives_the_round_trip(
    values: list[Label], groups: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    of_length = st.lists(st.none() | st.text(max_size=3), min_size=len(values), max_size=len(values))
    for hierarchy in (
        Hierarchy.of_levels([values, groups.draw(of_length)]),
        Hierarchy.of_levels([values]).with_missing_value(),
        masked(values).with_missing_value(),
    ):
        assert same(round_trip(hierarchy, tmp_path_factory), hierarchy)


@given(values=some_numbers)
def test_open_intervals_survive_the_round_trip(
    values: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    hierarchy = of_cuts(values, [[0, 10], [10]])
    assert same(round_trip(hierarchy, tmp_path_factory), hierarchy)
