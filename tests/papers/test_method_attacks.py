"""Attacks that know the method: the examples of their papers."""

from collections.abc import Sequence
from math import comb

import numpy as np
import polars as pl
import pytest

from shoal.core.contract import Refines
from shoal.core.outcome import Finding, Promise
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.definetti.definetti import Definetti
from shoal.tables.attacks.downcoding.downcoding import Downcoding
from shoal.tables.attacks.minimality.minimality import Minimality
from shoal.tables.hierarchies import Hierarchy, flat
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

HIERARCHY = Hierarchy.of_levels([["q1", "q2"], ["Q", "Q"]])
# The paper's simplified 2-diversity: nobody is linked to HIV with more than 1/2; to have it not is no secret.
MODEL = "confidence-bounding(h=0.5,values=HIV)"


def wong(labels: Sequence[str], ills: Sequence[str], people: Sequence[str], local: bool) -> Finding:
    table = Table(pl.DataFrame({"qid": labels, "ill": ills}), (), ("qid",), ("ill",), {"qid": HIERARCHY})
    promise = (Promise("confidence-bounding", None, True, MODEL),)
    levels = None if local else {"qid": 1}
    method = "local recoding of the paper" if local else "optimal"
    release = TableRelease(table, len(labels), method, {}, {}, 1, levels=levels, promises=promise)
    listed = pl.DataFrame({"name": [f"{who} {row}" for row, who in enumerate(people)], "qid": people})
    reach: Refines | None = "class" if local else None
    return Minimality(reach=reach).attack(Scene(table, external=listed, manifest=Manifest.of(release)))


HIV = ["HIV"] * 2 + ["none"] * 5


@pytest.mark.parametrize(
    ("labels", "local"), [(["Q"] * 7, False), (["Q"] * 4 + ["q2"] * 3, True)], ids=["global", "local"]
)
def test_wong_2007_two_q1_and_five_q2(labels: list[str], local: bool) -> None:
    """Table 1: two of seven have HIV; only with both among the two q1 would q1 by itself have broken 1/2."""
    found = wong(labels, HIV, ["q1"] * 2 + ["q2"] * 5, local)
    assert [told["who"] for told in found.findings] == [{"name": "q1 0"}, {"name": "q1 1"}]
    assert [told["learned"] for told in found.findings] == [{"ill": "HIV"}] * 2
    assert [told["confidence"] for told in found.findings] == [1.0, 1.0]
    assert found.details["promised"] == 0.5


def test_wong_2007_two_q1_and_four_q2() -> None:
    """The authors' talk: Q four times, q2 twice; Peter, a q1, has cancer for certain."""
    found = wong(["Q"] * 4 + ["q2"] * 2, HIV[:6], ["q1"] * 2 + ["q2"] * 4, True)
    assert found.rate.hits == 2 and found.details["highest_confidence"] == 1.0


def test_wong_2007_credibility_is_a_ratio_of_worlds() -> None:
    """n1 = 4 and n2 = 10 people, 5 with the value: q1 breaks 1/2 with 3 or 4 of them, q2 with none."""
    found = wong(["Q"] * 14, ["HIV"] * 5 + ["none"] * 9, ["q1"] * 4 + ["q2"] * 10, False)
    worlds = {j: comb(4, j) * comb(10, 5 - j) for j in (3, 4)}
    credibility = sum(j / 4 * number for j, number in worlds.items()) / sum(worlds.values())
    assert found.rate.hits == 4
    assert found.details["highest_confidence"] == pytest.approx(credibility)


def test_wong_2007_a_good_table_is_not_generalised_and_tells_nothing() -> None:
    found = wong(
        ["q1"] * 2 + ["q2"] * 5, ["HIV", "none", "HIV", *["none"] * 4], ["q1"] * 2 + ["q2"] * 5, True
    )
    assert found.rate.hits == 0


def test_kifer_2009_smokers_and_cancer() -> None:
    """Groups that pass for 1/2: who learns from all groups is right far more often than the bound allows."""
    chance = np.random.default_rng(3)
    rows, groups = [], 300
    for group in range(groups):
        smokers = int(chance.integers(0, 3))  # of four people; as many have cancer, up to rare exceptions
        for person in range(4):
            smokes = person < smokers
            cancer = smokes if chance.random() < 0.95 else not smokes
            rows.append((str(group), "yes" if smokes else "no", "cancer" if cancer else f"flu {person % 2}"))
    frame = pl.DataFrame(rows, schema=["group", "smoker", "ill"], orient="row")
    # Only groups in which no value has more than half are released: 2-diverse.
    shares = pl.len().over("group", "ill") / pl.len().over("group")
    frame = frame.filter(shares.max().over("group") <= 0.5)
    table = Table(
        frame.with_columns(smoker=pl.lit("*")),
        (),
        ("group", "smoker"),
        ("ill",),
        {"smoker": flat(["yes", "no"])},
    )
    found = Definetti().attack(Scene(table, external=frame.drop("ill"), original=frame))
    smoking = frame.filter(pl.col("smoker") == "yes").height
    assert found.details["accuracy_of_class_majority"] <= 0.6  # type: ignore[operator]
    assert found.rate.hits > 0.8 * smoking and found.details["accuracy"] > 0.6  # type: ignore[operator]


def test_cohen_2022_a_minimal_release_is_made_finer() -> None:
    """Two rows that had to be generalised together differ: each is given its own value back, for certain."""
    ages = Hierarchy.of_levels([["91", "92", "93", "94"], ["9L", "9L", "9H", "9H"]])
    table = Table(pl.DataFrame({"age": ["9L"] * 2 + ["9H"] * 2}), (), ("age",), (), {"age": ages})
    told = (Promise("k-anonymity", 2.0, True, "k-anonymity(k=2)"),)
    release = TableRelease(table, 4, "local-recoding", {}, {}, 2, promises=told)
    original = pl.DataFrame({"age": ["91", "92", "94", "93"]})
    found = Downcoding().attack(Scene(table, original=original, manifest=Manifest.of(release)))
    assert (found.rate.hits, found.rate.targets, found.details["right"]) == (4, 4, 1.0)
    finer = sorted(told["learned"]["age"] for told in found.findings)  # type: ignore[index, call-overload, type-var]
    assert finer == ["91", "92", "93", "94"]
