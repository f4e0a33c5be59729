"""The scene of an attack."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import scene_of
from shoal.tables.attacks.intersection import Intersection
from shoal.tables.attacks.linkage import Linkage
from shoal.tables.attacks.sparse_profile.sparse_profile import SparseProfile
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table

RELEASE = pl.DataFrame({"zip": ["476**"], "age": ["2*"], "ill": ["flu"]})


def test_people_come_from_a_list_and_one_by_one() -> None:
    listed = pl.DataFrame({"zip": [47602], "age": [21]})
    job = AttackTable(
        data=RELEASE, attack="linkage", quasi=("zip", "age"), external=listed,
        target=('name=Bob,zip=47678,age=27', '"name=Doe, Ann",zip=1'),
    )  # fmt: skip
    people = scene_of(job, Linkage()).external
    assert people is not None and people.rows() == [
        ("47602", "21", None),
        ("47678", "27", "Bob"),
        ("1", None, "Doe, Ann"),
    ]


def test_a_hierarchy_over_many_peoples_values_has_them_in_one_order() -> None:
    # A trained model sees where a label stands among the leaves: another order is another model.
    days = [
        f"19{year}-0{month}-1{day}" for year in range(40, 99) for month in range(1, 7) for day in range(3)
    ]
    job = AttackTable(
        data=pl.DataFrame({"born": ["194*"], "ill": ["flu"]}), attack="linkage", quasi=("born",),
        external=pl.DataFrame({"born": days}).sample(fraction=1, shuffle=True, seed=1),
        hierarchy={"born": "mask"},
    )  # fmt: skip
    hierarchy = scene_of(job, Linkage()).table.hierarchies["born"]
    assert list(hierarchy.leaves) == days


def test_what_an_attack_needs_is_asked_for() -> None:
    job = AttackTable(data=RELEASE, attack="linkage", quasi=("zip",))
    with pytest.raises(BadParameter, match="linkage needs a list of people it knows; give --external FILE"):
        scene_of(job, Linkage())
    with pytest.raises(BadParameter, match="--target takes what is known of a person"):
        scene_of(AttackTable(data=RELEASE, attack="linkage", quasi=("zip",), target=("Bob",)), Linkage())


def test_a_file_gives_a_hierarchy_without_anybodys_values(tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("47678;476**;*\n47602;476**;*\n")
    job = AttackTable(
        data=RELEASE, attack="linkage", quasi=("zip", "age"), sensitive=("ill",),
        other=(RELEASE.select("zip", "ill"),), hierarchy={"zip": str(tmp_path / "zip.csv")},
        target=("age=21",),
    )  # fmt: skip
    scene = scene_of(job, Linkage())
    assert scene.table.hierarchies["zip"].label("47602", 1) == "476**"
    assert scene.others[0].quasi == ("zip",) and scene.others[0].sensitive == ("ill",)


def test_an_attack_that_asks_for_its_columns_by_name_needs_no_roles() -> None:
    job = AttackTable(
        data=RELEASE, attack="sparse-profile(person=zip,item=ill)", target=("name=Bob,ill=flu",)
    )
    scene = scene_of(job, SparseProfile(person="zip", item="ill"))
    assert scene.table.quasi == () and scene.external is not None
    with pytest.raises(BadParameter, match="no quasi-identifier named"):
        scene_of(job, Linkage())


def test_releases_need_not_have_the_same_columns(tmp_path: Path) -> None:
    (tmp_path / "job.csv").write_text("cook;Food;*\nclerk;Office;*\n")
    other = pl.DataFrame({"age": ["2*"], "job": ["Food"], "ill": ["flu"]})
    job = AttackTable(
        data=RELEASE.drop("age"), other=(other,), attack="intersection", quasi=("zip", "age", "job"),
        sensitive=("ill",), hierarchy={"job": str(tmp_path / "job.csv")},
        target=("zip=47678,age=27,job=cook",),
    )  # fmt: skip
    scene = scene_of(job, Intersection())
    assert (scene.table.quasi, scene.others[0].quasi) == (("zip",), ("age", "job"))
    assert scene.others[0].hierarchies["job"].label("cook", 1) == "Food"
    with pytest.raises(BadParameter, match="no column 'aeg': release 1 has zip, ill; release 2 has age, job"):
        scene_of(replace(job, quasi=("zip", "aeg")), Intersection())
    with pytest.raises(BadParameter, match="no quasi-identifier of release 2 named; name those of all"):
        scene_of(replace(job, quasi=("zip",)), Intersection())


def test_a_suggested_hierarchy_serves_where_it_knows_labels_of_all_levels() -> None:
    people = pl.DataFrame({"born": ["1970-01-03", "1970-05-02", "1981-07-07"], "job": ["a", "b", "a"]})
    release = pl.DataFrame({"born": ["1970-Q1", "1970-1979"], "job": ["Food", "*"], "ill": ["flu", "cold"]})
    job = AttackTable(data=release, attack="linkage", quasi=("born", "job"), external=people)
    hierarchies = scene_of(job, Linkage()).table.hierarchies
    assert set(hierarchies) == {"born"} and hierarchies["born"].label("1981-07-07", 3) == "1981"


def test_every_release_keeps_the_hierarchies_it_came_with() -> None:
    mine = Hierarchy.of_levels([["cook", "clerk"], ["Food", "Office"]])
    theirs = Hierarchy.of_levels([["cook", "clerk"], ["warm", "cold"]])
    first, second = (
        Table(pl.DataFrame({"job": [label], "ill": ["flu"]}), (), ("job",), ("ill",), {"job": hierarchy})
        for label, hierarchy in (("Food", mine), ("warm", theirs))
    )
    job = AttackTable(data=first, other=(second,), attack="intersection", target=("job=cook",))
    scene = scene_of(job, Intersection())
    assert (scene.table.hierarchies["job"], scene.others[0].hierarchies["job"]) == (mine, theirs)
    assert Intersection().attack(scene).rate.hits == 1
