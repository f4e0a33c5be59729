"""The skewness attack."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import only_classes_that_keep, with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.skewness import Skewness
from shoal.tables.manifest import Manifest
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.release import TableRelease
from shoal.tables.table import Table
from tables.builders import Case, cases

TABLE = Table(
    pl.DataFrame(
        {"zip": ["1"] * 4 + ["2"] * 16, "hiv": ["pos", "pos", "neg", "neg"] + ["neg"] * 14 + ["pos"] * 2}
    ),
    (),
    ("zip",),
    ("hiv",),
)


def test_odds_in_the_class_are_held_against_those_of_the_table() -> None:
    # 4 of 20 are positive, odds 1/4; in the first class 2 of 4, odds 1.
    found = Skewness(gain=4.0, values=("pos",)).attack(Scene(TABLE))
    assert found.rate.hits == 4 and found.baseline == 0
    assert dict(found.findings[0]) == {
        "who": {"zip": "1"},
        "learned": {"hiv": "pos"},
        "confidence": 0.5,
        "before": 0.2,
        "gain": 4.0,
        "people": 4,
    }
    assert found.details["largest_gain_short_of_certainty"] == 4.0
    assert found.details["largest_gain_of"] == {"zip": "1"}
    assert Skewness(gain=4.01, values=("pos",)).attack(Scene(TABLE)).rate.hits == 0


def test_certainty_has_no_bounds_and_is_still_json() -> None:
    frame = pl.DataFrame({"zip": ["1", "2", "2"], "hiv": ["pos", "neg", "pos"]})
    found = Skewness().attack(Scene(Table(frame, (), ("zip",), ("hiv",))))
    assert found.findings[-1]["gain"] is None and found.details["people_certain"] == 1
    json.dumps(found.to_json(), allow_nan=False)


def test_one_value_in_the_whole_table_is_no_gain() -> None:
    table = Table(pl.DataFrame({"zip": ["1", "2"], "hiv": ["neg", "neg"]}), (), ("zip",), ("hiv",))
    found = Skewness().attack(Scene(table))
    assert found.rate.hits == 0 and "nothing to cure" in found.cure and found.details["people_certain"] == 0


def test_harmless_values_can_be_left_out() -> None:
    every = Skewness(gain=1.5).attack(Scene(TABLE))
    assert every.rate.hits == 20, "for the second class it is the negative value that gains"
    assert Skewness(gain=1.5, values=("pos",)).attack(Scene(TABLE)).rate.hits == 4
    with pytest.raises(
        BadParameter, match="skewness names 'HIV', and nobody has it in 'hiv'; there is neg, pos"
    ):
        Skewness(values=("HIV",)).attack(Scene(TABLE))
    assert Skewness(values=("HIV",)).attack(Scene(TABLE, readable=True)).rate.hits == 0


def test_the_manifest_knows_the_table_before_suppression() -> None:
    release = TableRelease(TABLE, 40, "optimal", {}, {}, 2, levels={"zip": 0})
    told = replace(
        Manifest.of(release),
        domains={"hiv": Domain("hiv", ("neg", "pos"), np.array([20, 20], np.int64))},
    )
    found = Skewness(gain=2.0).attack(Scene(TABLE, manifest=told))
    # Half of the original was positive, so the first class gains nothing and the second is mostly negative.
    assert found.rate.hits == 16 and found.findings[0]["learned"] == {"hiv": "neg"}


def test_people_on_a_list_are_held_against_the_table_too() -> None:
    people = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["1", "2"]})
    found = Skewness(values=("pos",)).attack(Scene(TABLE, external=people))
    assert [told["who"] for told in found.findings] == [{"name": "Ann"}] and found.rate.targets == 2


@pytest.mark.parametrize("gain", [1.0, 0.0, -2.0, float("inf"), float("nan")])
def test_a_gain_is_above_one(gain: float) -> None:
    with pytest.raises(BadParameter, match="skewness needs a gain above 1, not"):
        Skewness(gain)


def test_classes_are_left_out_until_the_table_without_them_is_in_line() -> None:
    scene, attack = Scene(TABLE), Skewness(gain=3.0, values=("pos",))
    found = with_cure_checked(attack.attack(scene), attack, scene)
    assert found.cured is not None and found.cured.rate.hits == 0 and found.cured.lost == 0.2
    assert "without the 4 rows of the classes that raise somebody's odds 3 times or more" in found.cured.how
    alone = Table(pl.DataFrame({"zip": ["1", "2"], "hiv": ["pos", "neg"]}), (), ("zip",), ("hiv",))
    assert attack.remedied(Scene(alone.with_roles(quasi=("zip",), sensitive=("hiv",))))[0] is not None
    assert Skewness().remedied(Scene(alone)) == (None, ""), "nothing would be left"


@given(cases(sensitive=(1, 2)), st.sampled_from([1.2, 2.0, 5.0]), st.booleans())
def test_as_a_person_with_a_pencil_would_count_and_the_cures_are_ones(
    case: Case, gain: float, first: bool
) -> None:
    named = tuple(sorted({row[0] for row in case.sensitive if row[0]}))[:1] if first else ()
    classes: dict[object, list[tuple[str | None, ...]]] = {}
    for quasi, sensitive in zip(case.quasi, case.sensitive, strict=True):
        classes.setdefault(quasi, []).append(sensitive)
    hits = 0
    for rows in classes.values():
        hit = False
        for own, every in zip(zip(*rows, strict=True), zip(*case.sensitive, strict=True), strict=True):
            for value in set(own):
                c, n, total, table = own.count(value), len(own), every.count(value), len(every)
                raised = c * (table - total) >= gain * total * (n - c) * (1 - 1e-9) and total < table
                hit |= raised and (not named or value in named)
        hits += len(rows) * hit
    scene, attack = Scene(case.table()), Skewness(gain, named, share=0.0)
    found = with_cure_checked(attack.attack(scene), attack, scene)
    assert found.rate.hits == hits
    assert found.cured is None or found.cured.rate.hits == 0
    if found.remedy is None:
        return
    # The model keeps the odds down against the table it was held against: that of the manifest.
    kept = only_classes_that_keep([catalog.make("model", found.remedy)], scene.table)
    if kept is not None:
        release = TableRelease(kept, kept.rows, "optimal", {}, {}, 2, levels={})
        told = replace(Manifest.of(release), domains=case.domains())
        assert attack.attack(Scene(kept, manifest=told, readable=True)).rate.hits == 0


def test_what_is_rare_in_the_class_too_is_no_news() -> None:
    rows = {"zip": ["1"] * 50 + ["2"] * 950, "ill": ["rare", *["usual"] * 999]}
    table = Table(pl.DataFrame(rows), quasi=("zip",), sensitive=("ill",))
    assert Skewness(values=("rare",)).attack(Scene(table)).rate.hits == 0
    assert Skewness(values=("rare",), share=0.02).attack(Scene(table)).rate.hits == 50
    with pytest.raises(BadParameter, match="skewness needs a share from 0 to 1, not 2"):
        Skewness(share=2.0)
