"""Sparse-profile matching."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.sparse_profile.sparse_profile import SparseProfile
from shoal.tables.table import Table

# Ten people who all saw the same two films, and one rare film each.
RELEASE = pl.DataFrame(
    {
        "user": [f"u{person}" for person in range(10) for _ in range(3)],
        "film": [film for person in range(10) for film in ("hit", "hit too", f"rare {person}")],
    }
)
KNOWN = pl.DataFrame({"name": ["Ann", "Ann", "Bob", "Cid"], "film": ["hit", "rare 3", "hit", "unheard of"]})
ATTACK = SparseProfile(person="user", item="film")


def test_a_rare_item_points_to_one_person_and_a_common_one_to_nobody() -> None:
    found = ATTACK.attack(Scene(Table(RELEASE), external=KNOWN))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (1, 3, 0.1)
    (told,) = found.findings
    assert told["who"] == {"name": "Ann"} and told["learned"] == {"user": "u3", "film": "hit too"}
    assert 0.5 < told["confidence"] < 1  # type: ignore[operator]
    assert found.details["right"] is None and found.details["precision"] is None
    assert "no model of the catalog" in found.cure


def test_where_the_truth_is_known_only_right_answers_are_hits() -> None:
    known = KNOWN.with_columns(user=pl.Series(["u4", "u4", "u5", "u6"]))
    found = ATTACK.attack(Scene(Table(RELEASE), external=known))
    assert found.rate.hits == 0 and found.details["claimed"] == 1 and found.details["precision"] == 0
    truth = pl.DataFrame({"name": ["Ann", "Zoe"], "user": ["u3", "u9"]})
    found = ATTACK.attack(Scene(Table(RELEASE), external=KNOWN, original=truth))
    assert found.rate.hits == 1 and found.details["precision"] == 1 and found.details["in_the_release"] == 1


def test_strangers_tell_how_often_somebody_is_claimed_wrongly() -> None:
    strangers = pl.DataFrame({"name": ["Xi", "Yo"], "film": ["hit", "rare 1"]})
    found = ATTACK.attack(Scene(Table(RELEASE), external=KNOWN, control=strangers))
    assert found.details["control"] == 0.5 and found.details["risk"] == 0
    for useless in (strangers.drop("name"), strangers.clear()):
        plain = ATTACK.attack(Scene(Table(RELEASE), external=KNOWN, control=useless))
        assert plain.details["control"] is None, "no list of items, so it tells nothing"


def test_the_cure_leaves_out_rare_items_and_is_checked() -> None:
    job = AttackTable(data=RELEASE, attack="sparse-profile(person=user,item=film)", external=KNOWN)
    found = attack_table(job)  # no quasi-identifier is asked for
    assert found.cured is not None and found.cured.rate.hits == 0
    assert found.cured.lost == pytest.approx(1 / 3) and "fewer than 2 people" in found.cured.how
    dated = RELEASE.with_columns(day=pl.lit("2005-03-01"))
    scene, how = SparseProfile("user", "film", date="day").remedied(Scene(Table(dated), external=KNOWN))
    assert scene is not None and scene.table.frame["day"].unique().to_list() == ["2005"] and "years" in how
    counted = dated.with_columns(day=pl.lit("400"))
    scene, _ = SparseProfile("user", "film", date="day").remedied(Scene(Table(counted), external=KNOWN))
    assert scene is not None and scene.table.frame["day"].unique().to_list() == ["547.0"]
    only_rare = RELEASE.filter(pl.col("film").str.starts_with("rare"))
    assert ATTACK.remedied(Scene(Table(only_rare), external=KNOWN)) == (None, "")


def test_the_rule_of_agreement_is_another_way() -> None:
    found = SparseProfile("user", "film", rule="agreeing", wrong=0).attack(
        Scene(Table(RELEASE), external=KNOWN)
    )
    assert found.rate.hits == 1 and found.findings[0]["confidence"] == 1
    assert found.details["mean_eccentricity"] is None


def test_whose_items_they_are_is_asked_when_it_is_not_plain() -> None:
    known = KNOWN.with_columns(town=pl.lit("here"))
    with pytest.raises(BadParameter, match="give who=…, the list has name, film, town"):
        ATTACK.attack(Scene(Table(RELEASE), external=known))
    assert (
        SparseProfile("user", "film", who="name").attack(Scene(Table(RELEASE), external=known)).rate.hits == 1
    )
    with pytest.raises(BadParameter, match="no column 'x' in the list"):
        SparseProfile("user", "film", who="x").attack(Scene(Table(RELEASE), external=known))


def test_parameters_out_of_range_are_refused() -> None:
    for wrong in (
        {"rho0": 0}, {"d0": -1}, {"eccentricity": 0}, {"rule": "x"}, {"wrong": -1}, {"rating": "film"},
        {"date_tolerance": float("nan")},
    ):  # fmt: skip
        with pytest.raises(BadParameter):
            SparseProfile("user", "film", **wrong)


def test_missing_values_are_values() -> None:
    release = pl.DataFrame({"user": [None, "a", "b"], "film": [None, "x", "x"]})
    known = pl.DataFrame({"name": [None], "film": [None]}, schema={"name": pl.String, "film": pl.String})
    found = ATTACK.attack(Scene(Table(release), external=known))
    assert found.rate.hits == 1 and found.findings[0]["learned"] == {"user": None}


def test_a_list_with_no_item_of_the_release_is_refused() -> None:
    known = pl.DataFrame({"name": ["Ann", "Bob"], "film": ["RARE-3", "tt0001"]})
    with pytest.raises(BadParameter, match="nothing in 'film' of the list is in the release"):
        ATTACK.attack(Scene(Table(RELEASE), external=known))
