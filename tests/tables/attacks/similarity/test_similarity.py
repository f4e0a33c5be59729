"""The similarity attack."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import only_classes_that_keep, with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.similarity.similarity import Similarity
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table
from tables.builders import Case, cases

TREE = Hierarchy.of_levels([["ulcer", "gastritis", "flu", "asthma"], ["stomach", "stomach", "lung", "lung"]])
FRAME = pl.DataFrame(
    {
        "zip": ["1*"] * 2 + ["2*"] * 2 + ["3*"] * 2,
        "ill": ["ulcer", "gastritis", "flu", "ulcer", "asthma", "asthma"],
        "pay": [100, 120, 100, 200, 170, 171],
    }
)
TABLE = Table(FRAME, (), ("zip",), ("ill",), {"ill": TREE})


def test_values_under_one_node_give_it_away() -> None:
    found = Similarity().attack(Scene(TABLE))
    assert (found.rate.hits, found.baseline) == (4, 0.5)
    assert [(told["learned"], told["level"]) for told in found.findings] == [
        ({"ill": "stomach"}, 1),
        ({"ill": "asthma"}, 0),
    ]
    assert found.details["people_with_one_value"] == 2 and found.details["people_with_similar_values"] == 2
    assert Similarity(level=0).attack(Scene(TABLE)).rate.hits == 2
    # Both classes hit must move half of their belief across the root.
    assert found.remedy == "t-closeness(t=0.4999,distance=hierarchical)"


def test_numbers_in_a_narrow_range_give_it_away() -> None:
    table = Table(FRAME, (), ("zip",), ("pay",))
    found = Similarity().attack(Scene(table))
    assert found.rate.hits == 4 and found.details["width_in_pay"] == 25
    assert {str(told["learned"]) for told in found.findings} == {
        "{'pay': '100 – 120'}",
        "{'pay': '170 – 171'}",
    }
    assert found.remedy == "k-e-anonymity(k=2,e=100)"
    assert Similarity(width=1.0).attack(Scene(table)).rate.hits == 2
    # The fullest range of 25: 100, 100 and 120.
    assert found.baseline == 0.5
    assert Similarity(confidence=0.9).attack(Scene(table)).remedy == "epsilon-m-anonymity(epsilon=25,m=2)"


def test_a_width_makes_numbers_of_what_has_a_hierarchy() -> None:
    pays = [str(pay) for pay in sorted(set(FRAME["pay"].to_list()))]
    hierarchy = Hierarchy.of_levels([pays, ["low"] * 2 + ["high"] * 3])
    table = Table(FRAME, (), ("zip",), ("pay",), {"pay": hierarchy})
    assert Similarity().attack(Scene(table)).findings[0]["learned"] == {"pay": "low"}
    assert Similarity(width=20.0).attack(Scene(table)).findings[0]["learned"] == {"pay": "100 – 120"}


def test_several_columns_are_attacked_each_in_its_way_and_what_has_none_is_said() -> None:
    table = Table(FRAME.with_columns(note=pl.lit("x")), (), ("zip",), ("ill", "pay", "note"), {"ill": TREE})
    found = Similarity().attack(Scene(table))
    assert found.rate.hits == 4 and found.details["passed_over"] == ["note"]
    assert found.findings[0]["learned"] == {"ill": "stomach", "pay": "100 – 120"}
    assert found.remedy is not None and found.remedy.startswith("t-closeness(t=0.")
    assert Similarity(column="ill").attack(Scene(table)).remedy == (
        "t-closeness(t=0.4999,distance=hierarchical,column=ill)"
    )
    with pytest.raises(
        BadParameter, match="cannot tell what values of 'note' have in common; give --hierarchy"
    ):
        Similarity(column="note").attack(Scene(table))


def test_a_table_that_is_alike_throughout_cannot_be_cured_by_classes() -> None:
    frame = pl.DataFrame({"zip": ["1"] * 10, "ill": ["ulcer"] * 9 + ["flu"]})
    found = Similarity(confidence=0.9).attack(Scene(Table(frame, (), ("zip",), ("ill",), {"ill": TREE})))
    assert found.rate.hits == 10 and found.baseline == 0.9
    assert found.remedy is None and "leave out the column" in found.cure


def test_people_on_a_list_are_hit_when_all_their_rows_are_alike() -> None:
    people = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["11", "22"]})
    found = Similarity().attack(Scene(TABLE, external=people))
    assert [told["who"] for told in found.findings] == [{"name": "Ann"}] and found.rate.targets == 2


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Similarity(width=float("inf")), "needs a width of at least 0 in the unit"),
        (lambda: Similarity(width=-0.1), "needs a width of at least 0 in the unit"),
        (lambda: Similarity(level=-1), "needs a level of the hierarchy from 0 on, not -1"),
        (lambda: Similarity(confidence=0.0), "confidence above 0"),
        (lambda: Similarity(level=2).attack(Scene(TABLE)), "has the levels 0 to 1 below the root, not 2"),
    ],
)
def test_what_makes_no_sense_is_refused(made: object, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        made()  # type: ignore[operator]


@given(cases(sensitive=(1, 2)), st.sampled_from([0.5, 0.75, 1.0]), st.sampled_from([None, 0.0, 1.0, 4.0]))
def test_after_the_cure_nobody_is_hit(case: Case, confidence: float, width: float | None) -> None:
    scene, attack = Scene(case.table()), Similarity(width, None, confidence)
    found = with_cure_checked(attack.attack(scene), attack, scene)
    assert found.cured is None or found.cured.rate.hits == 0
    assert not found.rate.hits or found.findings
    if found.remedy is None or (width is None and None in case.taxonomies):
        return  # a width that the table sets is another one without some of its rows
    kept = only_classes_that_keep([catalog.make("model", found.remedy)], scene.table)
    assert kept is None or attack.attack(Scene(kept)).rate.hits == 0
