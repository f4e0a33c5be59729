from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import from_nested, from_parents

from .checks import assert_hierarchy, same, way

ILL = {"Infection": ["Flu", "HIV"], "Cancer": {"Skin": ["Melanoma"], "Lung": []}}


def test_a_nested_mapping_becomes_a_tree_and_short_branches_repeat_their_label() -> None:
    hierarchy = from_nested(ILL)
    assert hierarchy.leaves == ("Flu", "HIV", "Melanoma", "Lung")
    assert way(hierarchy, "Flu") == ["Flu", "Infection", "Infection", "*"]
    assert way(hierarchy, "Melanoma") == ["Melanoma", "Skin", "Cancer", "*"]
    assert way(hierarchy, "Lung") == ["Lung", "Lung", "Cancer", "*"]


def test_the_zip_codes_of_the_seeds_stand_at_heights_0_2_and_4_of_4() -> None:
    zips = {"NY": {"10***": {"105**": ["10547", "10598"]}}, "MA": {"02***": {"021**": ["02138"]}}}
    hierarchy = from_nested(zips)
    assert hierarchy.height == 4
    assert [hierarchy.label("10547", level) for level in (0, 2, 4)] == ["10547", "10***", "*"]


def test_lists_may_hold_groups_and_values_side_by_side() -> None:
    hierarchy = from_nested(["Healthy", {"Ill": ["Flu", {"Rare": "Q77"}]}])
    assert way(hierarchy, "Healthy") == ["Healthy", "Healthy", "Healthy", "*"]
    assert way(hierarchy, "Q77") == ["Q77", "Rare", "Ill", "*"]
    assert way(hierarchy, "Flu") == ["Flu", "Flu", "Ill", "*"]


def test_values_that_are_not_texts_are_written_as_a_table_writes_them() -> None:
    assert from_nested({"all": [1, True, 2.5, None]}).leaves == ("1", "true", "2.5", None)


def test_a_group_may_hold_a_value_of_its_own_name() -> None:
    assert way(from_nested({"Cancer": ["Cancer", "Melanoma"]}), "Cancer") == ["Cancer", "Cancer", "*"]


def test_an_own_star_on_top_is_not_doubled() -> None:
    assert from_nested({"*": ILL}).height == 3


def test_a_value_in_two_groups_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="'Flu' stands twice"):
        from_nested({"a": ["Flu"], "b": ["Flu"]})


def test_a_group_with_two_parents_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="'Other' becomes 'a' and 'b'"):
        from_nested({"a": {"Other": ["x"]}, "b": {"Other": ["y"]}})


def test_a_mapping_that_contains_itself_is_refused() -> None:
    circle: dict[str, object] = {}
    circle["a"] = circle
    with pytest.raises(BadHierarchy, match=r"circle .* under 'a'"):
        from_nested(circle)


def test_an_empty_mapping_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="no values"):
        from_nested({})


def test_pairs_give_the_same_tree_in_any_order() -> None:
    pairs = [("Melanoma", "Skin"), ("Flu", "Infection"), ("Skin", "Cancer")]
    pairs += [("HIV", "Infection"), ("Lung", "Cancer")]
    hierarchy = from_parents(pairs)
    for value in hierarchy.leaves:
        assert way(hierarchy, value) == way(from_nested(ILL), value)


def test_several_roots_meet_under_the_star_and_a_root_may_be_a_leaf() -> None:
    hierarchy = from_parents([("a", "x"), ("b", "y"), ("c", None), ("d", "")])
    assert [way(hierarchy, value) for value in "abcd"] == [
        ["a", "x", "*"], ["b", "y", "*"], ["c", "c", "*"], ["d", "d", "*"]
    ]  # fmt: skip


def test_a_group_that_occurs_as_a_value_becomes_a_leaf_under_itself() -> None:
    hierarchy = from_parents([("J45.1", "J45"), ("J45", "J")], values=["J45", "J45.1", "unknown"])
    assert set(hierarchy.leaves) == {"J45", "J45.1"}
    assert way(hierarchy, "J45") == ["J45", "J45", "J", "*"]


def test_a_circle_is_refused_with_its_values_and_a_line() -> None:
    with pytest.raises(BadHierarchy, match=r"'a' → 'b' → 'c' → 'a' runs in a circle \(line 3\)"):
        from_parents([("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")], lines=[2, 3, 4, 5])


def test_a_value_that_is_its_own_parent_is_a_circle() -> None:
    with pytest.raises(BadHierarchy, match=r"'a' → 'a' runs in a circle; take"):
        from_parents([("a", "a")])


def test_a_long_circle_is_shortened() -> None:
    with pytest.raises(BadHierarchy, match=r"'0' → '1' → '2' → '3' → … → '0'"):
        from_parents([(str(node), str((node + 1) % 50)) for node in range(50)])


def test_two_parents_are_refused_with_both_lines() -> None:
    with pytest.raises(
        BadHierarchy, match=r"'Flu' has two parents, 'Infection' \(line 1\) and 'Virus' \(line 7\)"
    ):
        from_parents([("Flu", "Infection"), ("Flu", "Virus")], lines=[1, 7])
    with pytest.raises(BadHierarchy, match="'Flu' has two parents, none and 'Virus'; keep one"):
        from_parents([("Flu", None), ("Flu", "Virus")])


def test_the_same_pair_twice_does_no_harm() -> None:
    assert from_parents([("a", "x"), ("a", "x")]).leaves == ("a",)


def test_no_pairs_are_refused() -> None:
    with pytest.raises(BadHierarchy, match="no values"):
        from_parents([])


@given(st.data(), st.integers(1, 40))
def test_every_forest_is_a_hierarchy_whichever_way_it_is_told(data: st.DataObject, size: int) -> None:
    parents = [data.draw(st.integers(-1, node - 1)) for node in range(size)]
    pairs = [(str(node), None if parent < 0 else str(parent)) for node, parent in enumerate(parents)]
    leaves = [str(node) for node in range(size) if node not in parents]
    by_pairs = from_parents(pairs)
    assert_hierarchy(by_pairs, leaves)

    def nested(above: int) -> dict[str, object]:
        return {str(node): nested(node) for node in range(size) if parents[node] == above}

    by_nesting = from_nested(nested(-1))
    assert by_nesting.height == by_pairs.height
    assert all(way(by_pairs, leaf) == way(by_nesting, leaf) for leaf in leaves)
    assert same(from_parents(pairs, values=leaves), by_pairs)
    everything = from_parents(pairs, values=map(str, range(size)))
    assert set(everything.leaves) == set(map(str, range(size)))
