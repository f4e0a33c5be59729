"""Several releases about the same people."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.several_releases import KindCounts, Together, code_jointly
from shoal.tables.table import Table

Row = tuple[str | None, str | None]


def release(rows: list[Row], quasi: str = "zip") -> Table:
    frame = pl.DataFrame(rows, schema={quasi: pl.String, "ill": pl.String}, orient="row")
    return Table(frame, quasi=(quasi,), sensitive=("ill",))


def test_values_are_counted_by_class() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["1", "2", "1"]}), ["zip"])
    counted = KindCounts.of(classes, np.array([1, 0, 1]), 2)
    assert counted.offsets.tolist() == [0, 1, 2] and counted.values.tolist() == [1, 0]
    assert counted.counts.tolist() == [2, 1] and counted.distinct.tolist() == [1, 1]


def test_columns_of_several_releases_share_one_numbering() -> None:
    codes, values = code_jointly([pl.Series(["b", None]), pl.Series([1, 2])])
    assert [[values[number] for number in own] for own in codes] == [["b", None], ["1", "2"]]


zips = st.sampled_from(["11", "12", "1*", "2*", "*", None])
ills = st.sampled_from(["flu", "cold", "gout", None])
releases = st.lists(
    st.lists(st.tuples(zips, ills), min_size=1, max_size=6).map(release), min_size=1, max_size=4
)
FITS = {
    "11": {"11", "1*", "*"},
    "12": {"12", "1*", "*"},
    "21": {"2*", "*"},
}


@given(releases, st.lists(st.sampled_from([*FITS]), min_size=1, max_size=5))
def test_what_is_left_for_people_is_what_every_release_allows(tables: list[Table], zips: list[str]) -> None:
    """The twin of the compiled loop: sets, person by person."""
    people = pl.DataFrame({"zip": zips})
    scene = Scene(tables[0], others=tuple(tables[1:]), readable=True)
    seen = Together.of_people(scene, people, "ill", "test")
    left, only, alone = seen.common
    assert seen.of_person is not None
    for person, code in enumerate(zips):
        each = [{ill for label, ill in table.frame.iter_rows() if label in FITS[code]} for table in tables]
        expected = set.intersection(*each)
        group = int(seen.of_person[person])
        assert set(seen.left(group)) == expected and left[group] == len(expected)
        assert alone[group].tolist() == [len(own) for own in each]
        if len(expected) == 1:
            assert {seen.values[only[group]]} == expected
        else:
            assert only[group] == -1


def test_classes_are_combined_where_all_labels_meet() -> None:
    tables = (release([("1*", "flu"), ("2*", "cold")]), release([("11", "flu"), ("12", "cold"), ("2*", "x")]))
    third = release([("*", "flu")])
    seen = Together.of_classes(Scene(tables[0], others=(tables[1], third)), "ill", "test")
    told = {tuple(sorted(seen.labels(group).items())) for group in range(len(seen.places))}
    assert told == {(("zip", "1* & 11 & *"),), (("zip", "1* & 12 & *"),), (("zip", "2* & *"),)}
    assert sorted(seen.common[0].tolist()) == [0, 0, 1] and seen.of_person is None


def test_every_release_must_have_the_column_and_something_in_common_with_the_list() -> None:
    one = release([("1", "flu")])
    other = Table(pl.DataFrame({"zip": ["1"], "age": ["3"]}), quasi=("zip",))
    with pytest.raises(BadParameter, match="test is after 'ill', and release 2 has no such column"):
        Together.of_classes(Scene(one, others=(other,)), "ill", "test")
    strange = release([("1", "flu")], "age")
    with pytest.raises(BadParameter, match="no quasi-identifier of release 2 \\(age\\) in the list"):
        Together.of_people(Scene(one, others=(strange,)), pl.DataFrame({"zip": ["1"]}), "ill", "test")


def test_a_blank_is_unknown_on_a_list_and_a_value_of_the_original() -> None:
    table = release([("1", "flu"), (None, "cold")])
    people = pl.DataFrame({"zip": ["1", None]})
    listed = Together.of_people(Scene(table), people, "ill", "test")
    truth = Together.of_people(Scene(table, original=people), people, "ill", "test")
    assert listed.of_person is not None and truth.of_person is not None
    assert listed.left(int(listed.of_person[1])) == ["cold", "flu"]
    assert truth.left(int(truth.of_person[1])) == ["cold"]
