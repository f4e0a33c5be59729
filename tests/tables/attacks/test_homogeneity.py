"""The homogeneity attack."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.homogeneity import Homogeneity
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table
from tables.builders import Case, cases

TABLE = Table(
    pl.DataFrame(
        {
            "zip": ["1*", "1*", "2*", "2*", "2*", "3*"],
            "ill": ["flu", "flu", "cold", "cold", "gout", None],
            "pay": ["1", "2", "3", "3", "3", "4"],
        }
    ),
    quasi=("zip",),
    sensitive=("ill",),
)


def test_a_class_with_one_value_gives_it_away() -> None:
    found = Homogeneity().attack(Scene(TABLE))
    assert (found.rate.hits, found.rate.targets) == (3, 6) and found.baseline == 1 / 3
    assert [dict(told) for told in found.findings] == [
        {"who": {"zip": "1*"}, "learned": {"ill": "flu"}, "confidence": 1.0, "people": 2},
        # That a value is missing is a value too.
        {"who": {"zip": "3*"}, "learned": {"ill": None}, "confidence": 1.0, "people": 1},
    ]
    assert found.remedy == "l-diversity(l=2)"


def test_a_lower_confidence_counts_people_who_are_nearly_sure() -> None:
    found = Homogeneity(2 / 3).attack(Scene(TABLE))
    assert found.rate.hits == 6 and found.findings[0]["confidence"] == pytest.approx(2 / 3)
    assert found.remedy == "l-diversity(l=1.51,kind=probabilistic)"
    assert Homogeneity(0.67).attack(Scene(TABLE)).rate.hits == 3


def test_with_several_columns_somebody_is_hit_when_any_is_learned() -> None:
    table = TABLE.with_roles(quasi=("zip",), sensitive=("ill", "pay"))
    found = Homogeneity().attack(Scene(table))
    assert found.rate.hits == 6 and found.baseline == 1 / 2
    assert found.details["people_hit_by_column"] == {"ill": 3, "pay": 4}
    assert {str(told["learned"]) for told in found.findings} == {
        "{'ill': 'flu'}",
        "{'pay': '3'}",
        "{'ill': None, 'pay': '4'}",
    }
    named = Homogeneity(column="pay").attack(Scene(table))
    assert named.rate.hits == 4 and named.remedy == "l-diversity(l=2,column=pay)"


def test_people_on_a_list_are_hit_when_all_rows_that_may_be_theirs_agree() -> None:
    people = pl.DataFrame({"name": ["Ann", "Bob", "Cid"], "zip": ["11", "22", "99"]})
    found = Homogeneity().attack(Scene(TABLE, external=people))
    assert (found.rate.hits, found.rate.targets) == (1, 3)
    assert found.details["people_whom_some_row_fits"] == 2
    assert found.findings == ({"who": {"name": "Ann"}, "learned": {"ill": "flu"}, "confidence": 1.0},)
    # A class that says * may be everybody's: what all agree on alone is not what all rows agree on.
    wider = Table(
        TABLE.frame.with_columns(zip=pl.Series(["1*", "1*", "*", "*", "*", "3*"])), (), ("zip",), ("ill",)
    )
    assert Homogeneity().attack(Scene(wider, external=people)).rate.hits == 0


def test_a_list_that_knows_fewer_columns_sees_larger_classes() -> None:
    frame = TABLE.frame.with_columns(sex=pl.Series(["F", "M", "F", "F", "M", "F"]))
    table = Table(frame, (), ("zip", "sex"), ("ill",))
    people = pl.DataFrame({"name": ["Bob"], "zip": ["22"]})
    assert Homogeneity().attack(Scene(table, external=people)).rate.hits == 0
    assert Homogeneity().attack(Scene(table, external=people.with_columns(sex=pl.lit("M")))).rate.hits == 1


def test_a_confidence_is_a_share_and_a_column_is_sensitive() -> None:
    with pytest.raises(BadParameter, match="homogeneity needs a confidence above 0 and up to 1, not 2"):
        Homogeneity(2.0)
    with pytest.raises(BadParameter, match="homogeneity names 'zip', which is not sensitive here"):
        Homogeneity(column="zip").attack(Scene(TABLE))


def test_one_row_is_a_person_whose_value_is_known() -> None:
    found = Homogeneity().attack(Scene(TABLE.with_frame(TABLE.frame[:1])))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (1, 1, 1.0)


@given(cases(sensitive=(1, 2)), st.sampled_from([0.34, 0.5, 0.9, 1.0]))
def test_as_a_person_with_a_pencil_would_count_and_the_cure_is_one(case: Case, confidence: float) -> None:
    classes: dict[object, list[tuple[str | None, ...]]] = {}
    for quasi, sensitive in zip(case.quasi, case.sensitive, strict=True):
        classes.setdefault(quasi, []).append(sensitive)
    hits = sum(
        len(rows)
        for rows in classes.values()
        if any(
            max(map(column.count, column)) >= confidence * len(rows) - 1e-9
            for column in zip(*rows, strict=True)
        )
    )
    scene, attack = Scene(case.table()), Homogeneity(confidence)
    found = with_cure_checked(attack.attack(scene), attack, scene)
    assert found.rate.hits == hits
    assert found.cured is None or found.cured.rate.hits == 0


def test_the_original_tells_right_answers_from_wrong_ones() -> None:
    table = Table(
        pl.DataFrame({"zip": ["1", "1", "2", "3"], "ill": ["flu", "flu", "lung", None]}),
        quasi=("zip",),
        sensitive=("ill",),
    ).with_hierarchies({"ill": Hierarchy.of_levels([["flu", "asthma", None], ["lung", "lung", None]])})
    people = pl.DataFrame({"name": ["Ann", "Bob", "Cid", "Dan", "Eve"], "zip": ["1", "1", "2", "3", "1"]})
    # Bob was left out of the release, Eve was never in the table, and Cid has one of what is told.
    original = people[:4].with_columns(ill=pl.Series(["flu", "gout", "asthma", None]))
    found = Homogeneity().attack(Scene(table, external=people, original=original))
    assert (found.rate.hits, found.details["judged"], found.details["right"]) == (5, 4, 3)
    for other in (original.drop("name"), original.drop("ill")):  # then nobody can tell
        assert "right" not in Homogeneity().attack(Scene(table, external=people, original=other)).details
    assert "right" not in Homogeneity().attack(Scene(table, original=original)).details
