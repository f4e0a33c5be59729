"""Who of a complete list is in which class."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.class_members import Members, in_truth, person_name, rows_in_truth
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy

HIERARCHY = {"q": Hierarchy.of_levels([["a", "b", "c", "d"], ["A", "A", "C", "C"]])}


def settled(people: Sequence[str | None], release: list[str]) -> tuple[Members, RowClasses, RowClasses]:
    frame = pl.DataFrame({"q": people}, schema={"q": pl.String})
    classes = RowClasses.of(pl.DataFrame({"q": release}), ["q"])
    looks = RowClasses.of(frame, ["q"])
    return Members.of(looks, fits(frame, classes, HIERARCHY, True, blank_is_value=True)), looks, classes


def told(people: Sequence[str | None], release: list[str]) -> dict[str, dict[str | None, int]]:
    """Of each class that is settled, who is in it."""
    found, looks, classes = settled(people, release)
    answer: dict[str, dict[str | None, int]] = {
        classes.labels[number, 0]: {} for number in np.flatnonzero(found.known).tolist()
    }
    for look, number, many in zip(found.look, found.of_class, found.people, strict=True):
        answer[classes.labels[int(number), 0]][looks.labels[int(look), 0]] = int(many)
    return answer


def test_a_partition_is_read_off() -> None:
    assert told(["a", "b", "b", "c", "d"], ["A"] * 3 + ["C"] * 2) == {
        "A": {"a": 1, "b": 2},
        "C": {"c": 1, "d": 1},
    }


def test_who_is_left_over_is_in_the_other_class() -> None:
    # Three b are a class of their own, so the two others are in A.
    assert told(["a"] * 2 + ["b"] * 5, ["A"] * 4 + ["b"] * 3) == {"A": {"a": 2, "b": 2}, "b": {"b": 3}}


def test_an_incomplete_list_settles_nothing_by_leftovers() -> None:
    assert told(["a"] * 2 + ["b"] * 4, ["A"] * 4 + ["b"] * 3) == {}
    assert told(["a", "b", "c"], ["A"] * 3 + ["C"]) == {"C": {"c": 1}}


def test_people_dealt_to_several_classes_are_told_apart_only_by_looks_that_differ_there() -> None:
    # Two of a and b are in A and one of each kind or two of one in *: nobody knows.
    assert told(["a", "a", "b", "b"], ["A"] * 2 + ["*"] * 2) == {}


def test_a_blank_is_a_value() -> None:
    assert told([None, "a", "a"], ["*", "a", "a"]) == {"*": {None: 1}, "a": {"a": 2}}


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8),
    st.data(),
)
def test_what_is_settled_is_true(people: list[str], data: st.DataObject) -> None:
    """Each person is given a label that fits; whatever is settled agrees."""
    labels = [
        data.draw(st.sampled_from([who, "A" if who in "ab" else "C", "*"]), label="label") for who in people
    ]
    found = told(list(people), labels)
    for label, members in found.items():
        truth = [who for who, own in zip(people, labels, strict=True) if own == label]
        assert members == {who: truth.count(who) for who in truth}


def test_the_truth_is_looked_up_by_looks() -> None:
    original = pl.DataFrame({"q": ["a", "a", None], "ill": ["x", None, "y"]})
    looks = RowClasses.of(pl.DataFrame({"q": ["a", "b", None]}), ["q"])
    assert in_truth(None, looks, "ill") is None and in_truth(original, looks, "age") is None
    found = in_truth(original, looks, "ill")
    assert found is not None
    place = {value: number for number, value in enumerate(looks.labels["q"].to_list())}
    assert found[0][[place["a"], place["b"], place[None]]].tolist() == [2, 0, 1]
    asked = np.array([place["a"], place["a"], place[None], place["b"]])
    assert rows_in_truth(found[1], asked, [None, "y", "y", "x"]).tolist() == [1, 0, 1, 0]


def test_people_are_named_by_what_the_release_does_not_have() -> None:
    people = pl.DataFrame({"q": ["a", "b"], "name": ["Ann", None]})
    assert person_name(people, 0, ["q"]) == {"name": "Ann"} and person_name(people, 1, ["q", "name"]) == {
        "q": "b",
        "name": None,
    }
