"""What a label may stand for."""

import re
from collections.abc import Sequence
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning import label_values as module
from shoal.tables.attacker_reasoning.label_values import covered_values, reading
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label


def reads(
    label: Label, values: Sequence[Label], hierarchy: Hierarchy | None = None, tolerance: float = 0
) -> set[Label]:
    pairs = covered_values(
        pl.Series(values, dtype=pl.String), pl.Series([label], dtype=pl.String), hierarchy, tolerance
    )
    return set(pairs["value"].to_list())


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("476**", ["47677", "47600"], ["47777", "4767", "476778"]),
        ("**677", ["47677"], ["47678", "677"]),
        ("2*", ["20", "29"], ["2", "30", "200"]),
        ("[20, 30)", ["20", "29.5"], ["30", "19"]),
        ("[20, 30]", ["20", "30"], ["31"]),
        ("(20, 30]", ["21", "30"], ["20"]),
        ("20-30", ["20", "30"], ["31", "unknown"]),
        ("[-5, -2]", ["-5", "-3.5"], ["-1", "3"]),
        ("< 18", ["17"], ["18"]),
        ("≥ 65", ["65"], ["64"]),
        ("≥40", ["40"], ["39"]),
        ("90+", ["90", "101"], ["89"]),
        ("1975-03", ["1975-03-09", "1975-03-09T08:30"], ["1975-04-01"]),
        ("1975-Q2", ["1975-04-01", "1975-06-30"], ["1975-03-31", "1976-04-01"]),
        ("1975", ["1975-03-09", "1975"], ["1976-01-01", "19750"]),
        ("1970s", ["1975-03-09", "1979"], ["1980-01-01"]),
        ("1970-1979", ["1975-03-09", "1979", "1970"], ["1980-01-01", "1969-12-31"]),
        ("[1975-03-09, 1975-04-01)", ["1975-03-09", "1975-03-31"], ["1975-04-01", "1975-03-08"]),
        ("< 1975-03-09", ["1975-03-08"], ["1975-03-09"]),
        ("{flu, cold}", ["flu", "cold"], ["gout"]),
        ("*", ["a", None, "*"], []),
        ("*****", ["47677", "4767", None], []),
        (None, [None], ["a"]),
        ("plain", ["plain"], ["other"]),
        ("[1975-02-31, 1975-04-01]", [], ["1975-03-09"]),
    ],
)
def test_labels_speak_for_themselves(label: Label, inside: list[Label], outside: list[Label]) -> None:
    assert reads(label, [*inside, *outside]) == set(inside)


def test_a_hierarchy_knows_better() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c"], ["x", "x", "c"]])
    assert reads("x", ["a", "b", "c", "d"], hierarchy) == {"a", "b"}
    numbers = Hierarchy.of_levels([["1", "5", "9"]])
    assert reads("[1, 5]", ["1", "5", "9"], numbers) == {"1", "5"}


def test_a_value_that_the_hierarchy_has_never_heard_of_is_read_as_without_one() -> None:
    hierarchy = Hierarchy.of_levels([["47677", "47602"], ["476**", "4****"]])
    assert reads("476**", ["47677", "47602", "47611", "90210"], hierarchy) == {"47677", "47611"}
    assert reads("[1, 5]", ["1", "4"], Hierarchy.of_levels([["1", "9"]])) == {"1", "4"}


def test_a_label_that_stands_on_two_levels_stands_for_all_below_both() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c", "d"], ["x", "x", "c", "d"], ["y", "y", "x", "x"]])
    assert reads("x", ["a", "b", "c", "d"], hierarchy) == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("label", "by", "inside", "outside"),
    [
        ("27", 2, ["25", "29", "27.5"], ["24", "29.1", "x"]),
        ("[20, 30)", 2, ["18", "31.9"], ["17", "32"]),
        ("2*", 1, ["19", "30"], ["18", "31"]),
        ("{20, 40}", 1, ["19", "41"], ["30"]),
        ("1975-03-09", 30, ["1975-02-07", "1975-04-08"], ["1975-02-06", "1975-04-09"]),
        ("1975-03", 1, ["1975-02-28", "1975-04-01"], ["1975-02-27", "1975-04-02"]),
        ("1975", 1, ["1974-12-31", "1976-01-01"], ["1974-12-30", "1976-01-02"]),
        ("1970-1979", 1, ["1969-12-31", "1980-01-01"], ["1969-12-30"]),
        ("Smith", 1, ["Smith", "Smth", "Smyth", "Simth", "Smiths"], ["Smythe", "smiths"]),
        ("{flu, gout}", 1, ["flue", "gut"], ["flush"]),
        ("*", 1, ["a", None], []),
    ],
)
def test_with_a_tolerance_near_values_fit_too(
    label: str, by: float, inside: list[Label], outside: list[Label]
) -> None:
    assert reads(label, [*inside, *outside], tolerance=by) == set(inside)


def test_a_tolerance_reaches_the_leaves_of_a_hierarchy() -> None:
    ages = Hierarchy.of_levels([["20", "30", "60"], ["young", "young", "old"]])
    assert reads("young", ["19", "22", "32", "33", "59"], ages, 2) == {"22", "32", "19"}
    towns = Hierarchy.of_levels([["Bonn", "Ulm"], ["north", "south"]])
    assert reads("north", ["Bon", "Ulm", "Bonnn", "Boon"], towns, 1) == {"Bon", "Bonnn", "Boon"}


@pytest.mark.parametrize("by", [0.5, 4])
def test_a_tolerance_of_texts_is_a_few_edits(by: float) -> None:
    with pytest.raises(BadParameter, match="give a whole number from 1 to 3"):
        reads("Smith", ["Smyth"], tolerance=by)


VALUES = [
    "1",
    "2",
    "3",
    "17",
    "20",
    "25",
    "30",
    "x",
    "yy",
    "1975-03-09",
    "1975",
    "1981-06-01",
    "2*",
    "",
    None,
]
LABELS = ["*", "2*", "[2, 20]", "(2, 30)", "< 20", "1975", "1970s", "1975-1981", "{x, 17}", "east", None, "x"]
HIERARCHY = Hierarchy.of_levels(
    [["1", "2", "3", "17", "x", None], ["[2, 20]", "east", "east", "east", "west", None]]
)


def stands_for(label: Label, value: Label, hierarchy: Hierarchy | None) -> bool:
    """One pair at a time, as a person with a pencil would decide it."""
    if label == value or label == "*":
        return True
    if (
        hierarchy is not None
        and value in hierarchy.leaves
        and any(label in names for names in hierarchy.names)
    ):
        return any(hierarchy.label(value, level) == label for level in range(hierarchy.height + 1))
    if label is None or value is None:
        return False
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    year = int(value[:4]) if re.fullmatch(r"\d{4}(-.*)?", value) else 0
    meant = {
        "2*": len(value) == 2 and value[0] == "2",
        "[2, 20]": 2 <= number <= 20,
        "(2, 30)": 2 < number < 30,
        "< 20": number < 20,
        "1975": year == 1975,
        "1970s": 1970 <= year < 1980,
        "1975-1981": 1975 <= year <= 1981,
        "{x, 17}": value in ("x", "17"),
    }
    return meant.get(label, False)


@given(
    st.lists(st.sampled_from(VALUES), max_size=8),
    st.lists(st.sampled_from(LABELS), min_size=1, max_size=6),
    st.sampled_from([None, HIERARCHY]),
    st.booleans(),
)
def test_all_at_once_is_as_one_pair_at_a_time(
    values: list[Label], names: list[Label], hierarchy: Hierarchy | None, listed: bool
) -> None:
    own, theirs = pl.Series(values, dtype=pl.String), pl.Series(names, dtype=pl.String)
    expected = {(v, n) for v in set(values) for n in set(names) if stands_for(n, v, hierarchy)}
    assert set(covered_values(own, theirs, hierarchy).rows()) == expected
    # Kept as stretches, the same is read.
    found = reading(own, theirs, hierarchy, many=10**9 if listed else 0)
    read = set()
    for value, kind in zip(found.values.to_list(), found.kind.tolist(), strict=True):
        listed_labels = found.labels[found.offsets[kind] : found.offsets[kind + 1]].tolist()
        place = found.place[kind]
        between = np.flatnonzero((found.low <= place) & (place < found.high)).tolist() if place >= 0 else []
        read |= {(value, found.names[label]) for label in {*listed_labels, *between}}
    assert read == expected
    assert all((found.number[found.kind] > 0) == [any(v == w for w, _ in expected) for v in found.values])


def test_many_values_are_few_kinds() -> None:
    values = pl.Series([str(number) for number in range(100_000)])
    labels = pl.Series([f"[{low}, {low + 9_999}]" for low in range(0, 100_000, 10_000)])
    found = reading(values, labels, None)
    assert len(found.offsets) - 1 == 10 and (found.number == 1).all()


def test_so_many_pairs_that_there_is_no_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    with pytest.raises(BadParameter, match="overlap too much"):
        covered_values(pl.Series(["1", "2", "3"]), pl.Series([f"[0, {end}]" for end in range(2, 9)]), None)


def test_a_day_is_a_day_of_the_calendar() -> None:
    assert date(1975, 3, 9).toordinal() == 721056
    assert reads("[1975-02-27, 1975-03-01]", ["1975-02-28", "1975-02-29"]) == {"1975-02-28"}
