"""The intersection attack on several releases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.intersection import Intersection
from shoal.tables.table import Table


def release(rows: Sequence[tuple[str | None, ...]], *columns: str) -> Table:
    names = columns or ("zip", "ill")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Table(frame, quasi=tuple(name for name in names if name != "ill"), sensitive=("ill",))


FIRST = release([("130**", "Heart Disease"), ("130**", "Cancer"), ("148**", "Flu"), ("148**", "Flu")])
SECOND = release([("1305*", "Flu"), ("1305*", "Cancer"), ("148**", "Flu"), ("148**", "Cold")])
PEOPLE = pl.DataFrame({"name": ["Alice", "Bob"], "zip": ["13053", "14850"]})


def test_what_both_releases_allow_is_learned() -> None:
    found = Intersection().attack(Scene(FIRST, others=(SECOND,), external=PEOPLE))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (2, 2, 0.5)
    assert found.findings[0] == {"who": {"name": "Alice"}, "learned": {"ill": "Cancer"}, "confidence": 1.0}
    assert found.details["told_by_one_release"] == [1, 0] and found.details["told_only_together"] == 1
    assert "publish one joint release" in found.cure
    assert found.details["read_by"] == ["zip", "zip"]


def test_the_cure_is_checked_with_the_first_release_alone() -> None:
    scene = Scene(FIRST, others=(SECOND,), external=PEOPLE)
    cured = with_cure_checked(Intersection().attack(scene), Intersection(), scene).cured
    assert cured is not None and cured.how == "with the first release alone" and cured.rate.hits == 1
    assert Intersection().remedied(Scene(FIRST)) == (None, "")


def test_without_a_list_every_combination_of_classes_is_a_target() -> None:
    found = Intersection().attack(Scene(FIRST, others=(SECOND,)))
    assert (found.rate.hits, found.rate.targets) == (2, 2)
    assert [told["who"] for told in found.findings] == [{"zip": "130** & 1305*"}, {"zip": "148**"}]
    nothing = release([("1305*", "HIV"), ("148**", "Flu")])
    found = Intersection().attack(Scene(FIRST, others=(nothing,)))
    assert (found.rate.targets, found.details["contradictions"]) == (1, 1)


def test_the_original_gives_the_people_and_tells_right_from_wrong() -> None:
    original = PEOPLE.with_columns(ill=pl.Series(["Cancer", "Cold"]))
    found = Intersection().attack(Scene(FIRST, others=(SECOND,), original=original))
    assert found.details["judged"] == 2 and found.details["right"] == 1
    listed = Intersection().attack(Scene(FIRST, others=(SECOND,), external=PEOPLE, original=original))
    assert listed.details["judged"] == 2 and listed.details["right"] == 1
    strangers = Intersection().attack(
        Scene(FIRST, others=(SECOND,), external=PEOPLE, original=original.rename({"name": "n", "zip": "z"}))
    )
    assert "right" not in strangers.details
    # Two rows of the truth that look alike and differ cannot be judged.
    twice = pl.concat([original, original.with_columns(ill=pl.lit("Flu"))])
    found = Intersection().attack(Scene(FIRST, others=(SECOND,), external=PEOPLE, original=twice))
    assert (found.details["judged"], found.details["right"]) == (0, 0)


def test_people_in_no_class_and_contradictions_are_counted_apart() -> None:
    people = pl.DataFrame({"name": ["Alice", "Cid", "Dan"], "zip": ["13053", "13099", "14850"]})
    other = release([("1305*", "Cancer"), ("148**", "HIV")])
    found = Intersection().attack(Scene(FIRST, others=(other,), external=people))
    assert (found.details["in_no_class"], found.details["contradictions"]) == (1, 1)
    assert (found.rate.hits, found.rate.targets) == (1, 3)


def test_releases_are_read_by_the_columns_that_each_shares_with_the_list() -> None:
    by_age = release([("2*", "Cancer"), ("2*", "Gout"), ("3*", "Flu"), ("3*", "Cold")], "age", "ill")
    people = PEOPLE.with_columns(age=pl.Series(["29", "33"]))
    found = Intersection().attack(Scene(FIRST, others=(by_age,), external=people))
    assert [told["learned"] for told in found.findings] == [{"ill": "Cancer"}, {"ill": "Flu"}]
    # Without a list, classes that share no column may all be about one person.
    assert Intersection().attack(Scene(FIRST, others=(by_age,))).details["contradictions"] == 2


def test_partial_breaches_are_told_up_to_a_number_of_values() -> None:
    many = release([("1", ill) for ill in "abcd"])
    found = Intersection(at_most=3).attack(Scene(many, others=(release([("1", ill) for ill in "abce"]),)))
    assert found.rate.hits == 0 and found.details["partial"] == {"2": 0, "3": 1}
    assert found.findings[0]["learned"] == {"ill": ["a", "b", "c"]}
    assert found.findings[0]["confidence"] == 1 / 3
    assert "but 1 of 1 are narrowed down to at most 3 values; publish one joint release" in found.cure
    same = Intersection(at_most=3).attack(Scene(release([("1", "a"), ("1", "b")]), others=(many,)))
    assert same.rate.hits == 0 and "nothing to cure: no value" in same.cure, "the first says as much alone"
    assert not Intersection(at_most=2).attack(Scene(many, others=(many,))).findings
    with pytest.raises(BadParameter, match="at-most is how many values may be left, 1 or more, not 0"):
        Intersection(at_most=0)


def test_a_list_of_nobody_is_refused() -> None:
    with pytest.raises(BadParameter, match="intersection has a list with nobody on it"):
        Intersection().attack(Scene(FIRST, others=(SECOND,), external=PEOPLE.head(0)))


def test_many_values_left_are_summed_up() -> None:
    many = release([("1", str(ill)) for ill in range(12)])
    assert Intersection().attack(Scene(many, others=(many,))).details["values_left"] == {"more than 10": 1}


def test_a_missing_value_can_be_what_is_learned() -> None:
    one, two = release([("1", None), ("1", "flu")]), release([("1", None), ("1", "cold")])
    found = Intersection().attack(Scene(one, others=(two,)))
    assert found.findings[0]["learned"] == {"ill": None}
    json.dumps(found.to_json(), allow_nan=False)


def test_one_release_alone_is_said_to_be_enough_where_it_is() -> None:
    found = Intersection().attack(Scene(release([("1", "flu")]), others=(release([("1", "flu")]),)))
    assert found.cure.startswith("l-diversity(l=2) in every release")


@pytest.mark.parametrize("name", ["truth", "kinds", "value", "0", "key 0", "first"])
def test_column_names_of_ours_are_free_for_the_user(name: str) -> None:
    tables = [
        Table(table.frame.rename({"zip": name}), quasi=(name,), sensitive=("ill",))
        for table in (FIRST, SECOND)
    ]
    people = PEOPLE.rename({"zip": name}).with_columns(ill=pl.lit("Cancer"))
    found = Intersection().attack(Scene(tables[0], others=(tables[1],), external=people, original=people))
    assert found.rate.hits == 2 and found.details["right"] == 1
    assert Intersection().attack(Scene(tables[0], others=(tables[1],))).rate.hits == 2


cells = st.tuples(st.sampled_from("12"), st.sampled_from(["a", "b", "c", None]))
tables = st.lists(cells, min_size=1, max_size=8).map(release)


@given(tables, tables, tables)
def test_one_more_release_never_leaves_more_values(one: Table, two: Table, three: Table) -> None:
    people = pl.DataFrame({"zip": ["1", "2"]})
    fewer = Intersection(at_most=4).attack(Scene(one, others=(two,), external=people, readable=True))
    more = Intersection(at_most=4).attack(Scene(one, others=(two, three), external=people, readable=True))

    def left(found: Finding) -> dict[str, set[Any]]:
        told: list[Any] = list(found.findings)
        return {
            one["who"]["zip"]: set(ill) if isinstance(ill := one["learned"]["ill"], list) else {ill}
            for one in told
        }

    for person, values in left(more).items():
        assert values <= left(fewer)[person]


def test_a_release_that_is_there_twice_tells_nothing_more() -> None:
    wide = release([("13***", "Flu"), ("13***", "Cancer"), ("130**", "Flu"), ("130**", "Cold")])
    copy = release([*reversed(wide.frame.rows())])
    found = Intersection().attack(Scene(wide, others=(copy, copy)))
    assert (found.rate.hits, found.rate.targets) == (0, 2) and found.details["copies"] == 2
    assert "copies" not in Intersection().attack(Scene(FIRST, others=(SECOND,))).details
