"""Attacks on versions of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.temporal.temporal import Kind, Temporal
from shoal.tables.table import Table

Row = tuple[str | None, ...]


def version(rows: Sequence[Row], *columns: str) -> Table:
    names = columns or ("zip", "age", "ill")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    quasi = tuple(name for name in ("zip", "age") if name in names)
    return Table(frame, quasi=quasi, sensitive=("ill",))


BEFORE = version(
    [("476**", "2*", "flu"), ("476**", "2*", "cold"), ("479**", "3*", "flu"), ("479**", "3*", "gout")]
)
AFTER = version([*BEFORE.frame.iter_rows(), ("476**", "2*", "hiv")])
PEOPLE = pl.DataFrame(
    {"name": ["Ann", "Bob", "Cid"], "zip": ["47677", "47905", "47602"], "age": [29, 33, 22]}
)


def test_one_row_more_in_a_class_is_the_newcomer() -> None:
    found = Temporal("difference").attack(Scene(BEFORE, others=(AFTER,), external=PEOPLE))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (1, 1, 0.5)
    assert found.findings == (
        {
            "who": {"zip": "476**", "age": "2*", "on the list": "Ann, Cid"},
            "learned": {"ill": "hiv"},
            "confidence": 1.0,
            "how": "difference, came after version 1",
        },
    )
    assert (found.details["came"], found.details["left"]) == (1, 0) and "m-invariant" in found.cure


def test_one_row_less_is_the_one_who_left() -> None:
    found = Temporal("difference").attack(Scene(AFTER, others=(BEFORE,)))
    assert found.findings[0]["how"] == "difference, left after version 1"
    assert found.findings[0]["learned"] == {"ill": "hiv"} and found.details["left"] == 1


def test_newcomers_with_different_values_hide_each_other() -> None:
    more = version([*AFTER.frame.iter_rows(), ("476**", "2*", "gout")])
    found = Temporal("difference").attack(Scene(BEFORE, others=(more,)))
    assert (found.rate.hits, found.rate.targets) == (0, 2) and "nothing to cure" in found.cure


def test_a_class_of_one_value_needs_no_second_version() -> None:
    same = version([("476**", "2*", "flu"), ("476**", "2*", "flu")])
    found = Temporal("difference").attack(Scene(same, others=(version([*same.frame.iter_rows()] * 2),)))
    assert (found.rate.hits, found.rate.targets) == (0, 2)


def test_whoever_is_in_two_classes_has_what_they_share() -> None:
    other = version([("4767*", "2*", "cold"), ("4767*", "2*", "cold"), ("4767*", "2*", "hiv")])
    found = Temporal("intersection").attack(Scene(BEFORE, others=(other,)))
    assert (found.rate.hits, found.rate.targets) == (1, 1)
    assert found.findings[0]["who"] == {"zip": "476** & 4767*", "age": "2*"}
    assert found.findings[0]["learned"] == {"ill": "cold"}
    assert found.findings[0]["how"] == "intersection, stayed from version 1 to 2"


def test_rows_that_fit_together_in_one_way_are_joined() -> None:
    columns = ("zip", "ill", "ward")
    before = version([("476**", "flu", "A"), ("476**", "flu", "B"), ("476**", "cold", "C")], *columns)
    after = version([("4767*", "flu", "B"), ("4767*", "cold", "A"), ("4790*", "flu", "A")], *columns)
    found = Temporal("join").attack(Scene(before, others=(after,)))
    assert found.rate.hits == 1 and found.details["join"] == 1
    assert found.findings[0]["learned"] == {"zip": "4767*", "ill": "flu", "ward": "B"}


def test_a_key_joins_rows_whatever_else_changes() -> None:
    columns = ("id", "zip", "ill")
    before = version([("1", "476**", "flu"), ("2", "476**", "cold"), ("3", "479**", "flu")], *columns)
    after = version([("1", "4767*", "hiv"), ("9", "4767*", "flu"), ("3", "47***", "flu")], *columns)
    found = Temporal("join", key="id").attack(Scene(before, others=(after,)))
    assert found.rate.hits == 1 and found.findings[0]["learned"] == {"zip": "4767*", "ill": "hiv"}
    with pytest.raises(BadParameter, match="temporal needs 'nr' in every version, and version 1 has id, zip"):
        Temporal(key="nr").attack(Scene(before, others=(after,)))


def test_all_three_are_counted_once() -> None:
    other = version([("4767*", "2*", "cold"), ("4767*", "2*", "hiv")])
    scene = Scene(BEFORE, others=(other,))
    every: list[Kind] = ["join", "intersection"]
    assert [Temporal(kind).attack(scene).rate.hits for kind in every] == [1, 1]
    found = Temporal("all").attack(scene)
    assert found.details["join"] == found.details["intersection"] == 1
    assert found.rate.hits == 1 + found.details["came"] + found.details["left"]  # type: ignore[operator]


def test_many_versions_are_compared_one_after_the_other() -> None:
    found = Temporal("difference").attack(Scene(BEFORE, others=(AFTER, BEFORE)))
    steps = found.details["steps"]
    assert isinstance(steps, list) and [step["hits"] for step in steps] == [1, 1]
    assert [told["how"] for told in found.findings] == [
        "difference, came after version 1",
        "difference, left after version 2",
    ]


def test_the_first_version_alone_gives_nothing_more_away() -> None:
    scene = Scene(BEFORE, others=(AFTER,))
    cured = with_cure_checked(Temporal().attack(scene), Temporal(), scene).cured
    assert cured is not None and cured.rate.hits == 0 and cured.how == "with the first version alone"
    assert Temporal().remedied(Scene(BEFORE)) == (None, "")


def test_people_on_the_list_are_named_as_far_as_it_knows_them() -> None:
    def told(people: pl.DataFrame) -> object:
        found = Temporal().attack(Scene(BEFORE, others=(AFTER,), external=people))
        return found.findings[0]["who"]["on the list"]  # type: ignore[index, call-overload]

    assert told(PEOPLE.drop("age")) == told(PEOPLE) == "Ann, Cid"
    assert told(PEOPLE.head(2).tail(1)) == "nobody"
    assert told(pl.concat([PEOPLE] * 4)) == "Ann, Cid, Ann, Cid, Ann, and 3 more"
    assert told(PEOPLE.select("name")) == "Ann, Bob, Cid"  # knows nothing, excludes nobody
    assert told(PEOPLE.select("zip", "age").head(1)) == "47677 29"
    nobody = Temporal().attack(Scene(BEFORE, others=(AFTER,), external=PEOPLE.head(0)))
    assert nobody.findings[0]["who"] == {"zip": "476**", "age": "2*"}


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(BadParameter, match="kind is one of all, join, intersection, difference, not 'both'"):
        Temporal("both")  # type: ignore[arg-type]
    bare = Table(pl.DataFrame({"zip": ["1"]}), quasi=("zip",))
    with pytest.raises(BadParameter, match="needs 'ill' in every version, and version 2 has zip"):
        Temporal().attack(Scene(BEFORE, others=(bare,)))


cells = st.tuples(st.sampled_from(["1*", "2*"]), st.just("3*"), st.sampled_from(["a", "b", None]))
versions = st.lists(cells, min_size=1, max_size=8).map(version)


@given(versions, versions)
def test_the_same_version_twice_tells_nothing_and_any_two_make_json(one: Table, two: Table) -> None:
    found = Temporal("difference").attack(Scene(one, others=(one,)))
    assert (found.rate.hits, found.rate.targets) == (0, 0)
    found = Temporal().attack(Scene(one, others=(two,), shown=0, readable=True))
    assert len(found.findings) == found.rate.hits <= found.rate.targets
    json.dumps(found.to_json(), allow_nan=False)


@given(versions, st.sampled_from(["1*", "2*"]), st.sampled_from(["a", "b", None]))
def test_one_newcomer_is_always_found(one: Table, zip_: str, ill: str | None) -> None:
    """But for a class that is new or has one value anyway."""
    before = {value for label, _, value in one.frame.iter_rows() if label == zip_}
    found = Temporal("difference").attack(
        Scene(one, others=(version([*one.frame.iter_rows(), (zip_, "3*", ill)]),), readable=True)
    )
    assert found.rate.targets == 1
    assert found.rate.hits == (1 if len(before | {ill}) > 1 else 0)


def test_a_version_in_which_nothing_changed_tells_nothing() -> None:
    rows = [("47***", "*", "flu"), ("47***", "*", "cold"), ("476**", "*", "flu"), ("476**", "*", "gout")]
    found = Temporal().attack(Scene(version(rows), others=(version(rows[::-1]),)))
    assert (found.rate.hits, found.rate.targets) == (0, 2)
    # One row more, and somebody may have been counted elsewhere before.
    assert Temporal().attack(Scene(version(rows), others=(version([*rows, rows[0]]),))).rate.hits
