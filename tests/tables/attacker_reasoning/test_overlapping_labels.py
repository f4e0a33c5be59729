"""Labels and classes of two releases that may be about one person."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning import overlapping_labels
from shoal.tables.attacker_reasoning.overlapping_labels import class_pairs, finer, labels_overlap
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label
from tables.builders import hierarchies


@cache
def meet(one: Label, other: Label, hierarchy: Hierarchy | None = None) -> bool:
    both = [pl.Series([label], dtype=pl.String) for label in (one, other)]
    there, back = labels_overlap(both[0], both[1], hierarchy), labels_overlap(both[1], both[0], hierarchy)
    assert there[0, 0] == back[0, 0], "meeting goes both ways"
    return bool(there[0, 0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("*", "anything"),
        ("*", None),
        (None, None),
        ("476**", "4767*"),
        ("476**", "47677"),
        ("[20, 30)", "[29, 40]"),
        ("[20, 30]", "[30, 40]"),
        ("[20, 30)", "25"),
        ("2*", "[25, 40]"),
        ("< 18", "10-20"),
        ("≥ 65", "[60, 70]"),
        ("1975", "1975-03-09"),
        ("1975-03", "1975-Q1"),
        ("1970s", "1975-Q1"),
        ("1970-1979", "1975-03-09"),
        ("1970-1979", "1975-Q2"),
        ("{flu, cold}", "flu"),
        ("{flu, cold}", "{cold, gout}"),
        ("{22, 35}", "[20, 30)"),
        ("{22, 35}", "3*"),
        ("{47602, 47909}", "476**"),
        ("{1975-03-09, 1980-01-01}", "1975-Q1"),
        ("plain", "plain"),
    ],
)
def test_labels_that_meet(one: Label, other: Label) -> None:
    assert meet(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, "anything"),
        ("476**", "477**"),
        ("476**", "47****"),
        ("[20, 30)", "[30, 40]"),
        ("[20, 30]", "(30, 40]"),
        ("[20, 30)", "30"),
        ("2*", "[30, 40]"),
        ("1975", "1976-03-09"),
        ("1975-03", "1975-Q2"),
        ("{flu, cold}", "gout"),
        ("{flu, cold}", "{gout, asthma}"),
        ("{22, 35}", "[25, 30)"),
        ("{flu, cold}", None),
        ("plain", "other"),
        ("27", "27.5"),
    ],
)
def test_labels_that_do_not_meet(one: Label, other: Label) -> None:
    assert not meet(one, other)


def test_a_hierarchy_outweighs_what_labels_seem_to_say() -> None:
    hierarchy = Hierarchy.of_levels([["02138", "02139", "02141"], ["02130", "02130", "02140"]])
    assert meet("02138", "02130", hierarchy) and not meet("02138", "02140", hierarchy)
    assert not meet("02138", "02130")
    ages = Hierarchy.of_levels([["20", "25", "30"], ["young", "young", "old"]])
    assert meet("young", "[25, 30]", ages) and not meet("young", "[30, 40]", ages)
    assert meet("young", "{25, 30}", ages) and not meet("young", "{30, 40}", ages)


def test_a_word_meets_a_label_that_covers_one_of_its_leaves() -> None:
    hierarchy = Hierarchy.of_levels([["47678", "47602", "48909"], ["North", "North", "South"]])
    assert meet("North", "476**", hierarchy) and not meet("South", "476**", hierarchy)
    assert meet("South", "[48000, 49000]", hierarchy) and not meet("North", "{48909, 1}", hierarchy)
    assert not meet("North", None, hierarchy) and not meet("North", "East", hierarchy)
    labels = pl.Series(["North", "South", "*"]), pl.Series(["476**", "4****", "489**", "x"])
    expected = [[True, True, False, False], [False, True, True, False], [True] * 4]
    assert labels_overlap(*labels, hierarchy).tolist() == expected


def test_ranges_meet_where_a_hierarchy_knows_nobody() -> None:
    hierarchy = Hierarchy.of_levels([["22", "27", "29"], ["[20, 25)", "[25, 30)", "[25, 30)"]])
    assert meet("[20, 25]", "[24, 30]", hierarchy) and meet("[20, 25]", "[25, 30)", hierarchy)
    assert not meet("[20, 25)", "[25, 30)", hierarchy) and not meet("[20, 22]", "[27, 29]", hierarchy)


@given(hierarchies(), st.data())
def test_by_a_hierarchy_labels_meet_when_they_share_a_leaf(hierarchy: Hierarchy, data: st.DataObject) -> None:
    names = sorted({name for level in hierarchy.names for name in level}, key=str)
    one, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))

    def leaves(label: Label) -> set[int]:
        for level, known in enumerate(hierarchy.names):
            if label in known:
                return {at for at, code in enumerate(hierarchy.codes[level]) if known[code] == label}
        return set()

    expected = bool(leaves(one) & leaves(other)) or "*" in (one, other) or one == other
    assert meet(one, other, hierarchy) == expected


rows = st.lists(
    st.tuples(st.sampled_from(["1*", "2*", "15", "*", None]), st.sampled_from(["[1, 5]", "[4, 9]", "7"])),
    min_size=1,
    max_size=8,
)


@given(rows, rows)
def test_classes_meet_when_all_their_labels_do(
    first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    one, two = (
        RowClasses.of(pl.DataFrame(of, schema={"a": pl.String, "b": pl.String}, orient="row"), ["a", "b"])
        for of in (first, second)
    )
    own, other = class_pairs(one, two, {}, readable=True)
    expected = [
        (i, j)
        for i, mine in enumerate(one.labels.iter_rows())
        for j, theirs in enumerate(two.labels.iter_rows())
        if all(meet(a, b) for a, b in zip(mine, theirs, strict=True))
    ]
    assert list(zip(own.tolist(), other.tolist(), strict=True)) == expected


def test_only_columns_that_both_have_are_compared() -> None:
    one = RowClasses.of(pl.DataFrame({"a": ["1", "2"], "b": ["x", "y"]}), ["a", "b"])
    two = RowClasses.of(pl.DataFrame({"c": ["x"], "a": ["2"]}), ["c", "a"])
    assert [part.tolist() for part in class_pairs(one, two, {})] == [[1], [0]]
    three = RowClasses.of(pl.DataFrame({"a": ["1", "1", "2"], "c": ["x", "y", "x"]}), ["a", "c"])
    assert [part.tolist() for part in class_pairs(one, three, {})] == [[0, 0, 1], [0, 1, 2]]
    assert [part.tolist() for part in class_pairs(three, one, {})] == [[0, 1, 2], [0, 0, 1]]
    apart = RowClasses.of(pl.DataFrame({"c": ["x", "z"]}), ["c"])
    assert [part.tolist() for part in class_pairs(one, apart, {})] == [[0, 0, 1, 1], [0, 1, 0, 1]]


def test_labels_in_another_language_are_refused() -> None:
    one = RowClasses.of(pl.DataFrame({"zip": ["north"]}), ["zip"])
    two = RowClasses.of(pl.DataFrame({"zip": ["476**"]}), ["zip"])
    with pytest.raises(BadParameter, match="such as 'north' and '476"):
        class_pairs(one, two, {})
    assert not len(class_pairs(one, two, {}, readable=True)[0])


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlapping_labels, "MOST", 3)
    one = RowClasses.of(pl.DataFrame({"zip": ["*", "1", "2", "3"]}), ["zip"])
    with pytest.raises(BadParameter, match="more than 3 ways; give the people as --external FILE"):
        class_pairs(one, one, {})
    other = RowClasses.of(pl.DataFrame({"age": ["1"]}), ["age"])
    with pytest.raises(BadParameter, match="more than 3 ways"):
        class_pairs(one, other, {})


def test_the_finer_label_is_the_one_inside() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c"], ["x", "x", "y"]])
    first = pl.Series(["a", "x", "*", "a", "y", None])
    second = pl.Series(["x", "b", "x", "a", "*", "*"])
    assert finer(first, second, hierarchy).to_list() == ["a", "b", "x", "a", "y", None]
    told = finer(pl.Series(["4767*", "[20, 30]", None]), pl.Series(["476**", "[25, 40]", "b"]), None)
    assert told.to_list() == ["4767*", "[20, 30] & [25, 40]", "missing & b"]
