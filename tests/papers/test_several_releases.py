"""Several releases: the worked examples of the thesis, of the lecture and of the papers, to the digit."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.intersection import Intersection
from shoal.tables.attacks.temporal.temporal import Temporal
from shoal.tables.attacks.unsorted_matching.unsorted_matching import UnsortedMatching
from shoal.tables.hierarchies import Hierarchy, read_hierarchy
from shoal.tables.table import Table
from tables.builders import shared_data


def release(zip_: str, values: list[str]) -> Table:
    frame = pl.DataFrame({"zip": [zip_] * len(values), "diagnosis": values})
    return Table(frame, quasi=("zip",), sensitive=("diagnosis",))


ALICE = pl.DataFrame({"name": ["Alice"], "zip": ["13053"]})


def test_alice_has_cancer_for_certain() -> None:
    """Algorithm 3.1: {Heart Disease, Cancer} and {Flu, Cancer} have Cancer in common."""
    scene = Scene(
        release("130**", ["Heart Disease", "Cancer"]),
        others=(release("1305*", ["Flu", "Cancer"]),),
        external=ALICE,
    )
    found = Intersection().attack(scene)
    assert found.details["perfect"] == 1 and found.rate.value == 1
    assert found.findings == (
        {"who": {"name": "Alice"}, "learned": {"diagnosis": "Cancer"}, "confidence": 1.0},
    )


def test_three_values_left_are_a_partial_breach_of_one_third() -> None:
    scene = Scene(
        release("130**", ["Flu", "Fever", "Cold", "Cancer"]),
        others=(release("1305*", ["Cold", "Flu", "Fever", "Heart Disease"]),),
        external=ALICE,
    )
    found = Intersection().attack(scene)
    assert found.rate.hits == 0 and found.details["partial"] == {"2": 0, "3": 1}
    assert found.findings[0]["learned"] == {"diagnosis": ["Cold", "Fever", "Flu"]}
    assert found.findings[0]["confidence"] == 1 / 3


def test_two_hospitals_betray_a_patient_of_28_years() -> None:
    """Ganta, Kasiviswanathan and Smith 2008, figure 1: 4-anonymous and 6-anonymous, and Alice has AIDS."""

    def hospital(labels: list[tuple[str, str, str]], ills: list[str], size: int) -> Table:
        rows = [(*label, ill) for place, label in enumerate(labels) for ill in ills[place * size :][:size]]
        frame = pl.DataFrame(rows, schema=["zip", "age", "nationality", "condition"], orient="row")
        return Table(frame, quasi=("zip", "age", "nationality"), sensitive=("condition",))

    first = hospital(
        [("130**", "<30", "*"), ("130**", ">=40", "*"), ("130**", "3*", "*")],
        [
            "AIDS", "Heart Disease", "Viral Infection", "Viral Infection",
            "Cancer", "Heart Disease", "Viral Infection", "Viral Infection",
            "Cancer", "Cancer", "Cancer", "Cancer",
        ],
        4,
    )  # fmt: skip
    second = hospital(
        [("130**", "<35", "*"), ("130**", ">=35", "*")],
        [
            "AIDS", "Tuberculosis", "Flu", "Tuberculosis", "Cancer", "Cancer",
            "Cancer", "Cancer", "Cancer", "Tuberculosis", "Viral Infection", "Viral Infection",
        ],
        6,
    )  # fmt: skip
    alice = pl.DataFrame({"name": ["Alice"], "zip": ["13012"], "age": ["28"]})
    found = Intersection().attack(Scene(first, others=(second,), external=alice))
    assert found.findings[0]["learned"] == {"condition": "AIDS"}
    assert found.details["told_by_one_release"] == [0, 0] and found.details["told_only_together"] == 1


RACES, ZIPS = ("Asian", "Black", "White"), ("02138", "02139", "02141", "02142")
PT = pl.DataFrame({"Race": [race for race in RACES for _ in ZIPS], "ZIP": [*ZIPS] * 3})
GT1 = PT.with_columns(Race=pl.lit("Person"))
GT2 = PT.with_columns(ZIP=pl.col("ZIP").str.slice(0, 4) + "0")
HIERARCHIES = {
    "Race": Hierarchy.of_levels([RACES, ["Person"] * 3]),
    "ZIP": Hierarchy.of_levels([ZIPS, ["02130", "02130", "02140", "02140"]]),
}


def test_two_tables_in_the_same_order_give_back_the_private_one() -> None:
    """Sweeney 2002, figure 3: GT1 keeps the codes, GT2 the races, and PT is restored: 12 rows of 12."""
    one, two = (Table(frame, quasi=("Race", "ZIP"), hierarchies=HIERARCHIES) for frame in (GT1, GT2))
    found = UnsortedMatching().attack(Scene(one, others=(two,), original=PT, shown=0))
    assert (found.rate.hits, found.rate.targets) == (12, 12)
    assert found.details["rows_of_the_original_restored"] == 12 and found.details["same_order"] is True
    told = [{**finding["who"], **finding["learned"]} for finding in found.findings]  # type: ignore[dict-item]
    assert [(row["Race"], row["ZIP"]) for row in told] == PT.rows()


def test_without_hierarchies_the_rows_still_betray_their_order() -> None:
    one, two = (Table(frame, quasi=("Race", "ZIP")) for frame in (GT1, GT2))
    found = UnsortedMatching().attack(Scene(one, others=(two,)))
    assert found.details["same_order"] is True and found.rate.hits == 12


def test_versions_join_intersect_and_differ() -> None:
    """The three attacks of the lecture on RT_1 and RT_t."""
    columns = ["born", "plz", "ill"]
    first = [("*.75", "7622*", "Impotenz"), ("*.75", "7622*", "Krebs"), ("*.81", "7613*", "Diabetes")]
    first += [("*.81", "7613*", "Grippe")]
    second = [
        *first[:2],
        ("*.75", "7622*", "Sterilität"),
        ("*.81", "7613*", "Diabetes"),
        ("*.81", "7613*", "HIV"),
    ]
    tables = [
        Table(pl.DataFrame(rows, schema=columns, orient="row"), quasi=("born", "plz"), sensitive=("ill",))
        for rows in (first, second)
    ]
    scene = Scene(tables[0], others=(tables[1],))
    join, intersection, difference = (
        Temporal(kind).attack(scene) for kind in ("join", "intersection", "difference")
    )
    # Of the class *.81 only the diabetic can be in both; who came has HIV, who left had influenza.
    assert [told["learned"] for told in intersection.findings] == [{"ill": "Diabetes"}]
    assert [told["learned"]["ill"] for told in join.findings] == ["Diabetes"]  # type: ignore[index, call-overload]
    learned = [(told["how"], told["learned"]["ill"]) for told in difference.findings]  # type: ignore[index, call-overload]
    assert learned == [
        ("difference, came after version 1", "Sterilität"),
        ("difference, came after version 1", "HIV"),
        ("difference, left after version 1", "Grippe"),
    ]


ADULT = shared_data("adult")
SEVEN = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")


@pytest.mark.skipif(ADULT is None, reason="the shared Adult table is not beside the repository")
@pytest.mark.parametrize(
    ("models", "perfect"),
    [
        (("k-anonymity(k=5)",), 101),
        (("k-anonymity(k=5)", "l-diversity(l=3)"), 34),
        (("k-anonymity(k=20)",), 0),
    ],
)
def test_two_bodies_betray_people_of_adult(models: tuple[str, ...], perfect: int) -> None:
    """The experiment of Ganta et al. as docs/findings.md tells it: 5,000 people in both releases."""
    assert ADULT is not None
    frame = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema=False)
    hierarchies = {column: read_hierarchy(ADULT / "hierarchies" / f"{column}.csv") for column in SEVEN}
    order = np.random.default_rng(2008).permutation(frame.height)
    common, others = frame[order[:5000]], np.array_split(order[5000:], 2)
    releases = [
        shoal.protect(
            pl.concat([common, frame[part]]).select(*SEVEN, "occupation"),
            quasi=SEVEN,
            sensitive="occupation",
            hierarchy=hierarchies,
            model=models,
            method="mondrian",
            seed=2008,
        )
        for part in others
    ]
    people = common.select(*SEVEN, "occupation").with_row_index("name")
    found = shoal.attack(
        releases[0].table,
        "intersection",
        other=releases[1].table,
        external=people.drop("occupation"),
        original=people,
        quasi=SEVEN,
        sensitive="occupation",
        hierarchy=hierarchies,
    )
    assert (found.rate.hits, found.rate.targets) == (perfect, 5000)
    assert found.details["right"] == found.details["judged"] == perfect
    assert found.details["in_no_class"] == found.details["contradictions"] == 0
