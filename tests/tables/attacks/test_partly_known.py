"""A sensitive value that is known already is one more quasi-identifier."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.partly_known import PartlyKnown
from shoal.tables.table import Table

# Two classes of three: 3-anonymous, and 2-diverse in the illness.
FRAME = pl.DataFrame(
    {
        "zip": ["476**"] * 3 + ["479**"] * 3,
        "ill": ["flu", "hiv", "hiv", "flu", "flu", "gout"],
        "pay": ["10", "20", "30", "40", "50", "60"],
    }
)
TABLE = Table(FRAME, quasi=("zip",), sensitive=("ill", "pay"))


def test_everybody_alone_with_the_value_in_their_class_is_found() -> None:
    found = PartlyKnown(known=("ill",)).attack(Scene(TABLE))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (2, 6, 1 / 6)
    assert found.findings == (
        {"who": {"zip": "476**", "ill": "flu"}, "learned": {"pay": "10"}, "confidence": 1.0},
        {"who": {"zip": "479**", "ill": "gout"}, "learned": {"pay": "60"}, "confidence": 1.0},
    )
    assert found.details["hits_without_what_is_known"] == 0
    assert "--quasi zip,ill" in found.cure


def test_without_a_column_named_the_most_telling_one_is_reported() -> None:
    found = PartlyKnown().attack(Scene(TABLE))
    assert found.details["known"] == ["pay"] and found.rate.hits == 6
    assert found.details["hits_by_what_is_known"] == {"ill": 2, "pay": 6}


def test_a_list_with_some_secrets_finds_more_people_than_one_without() -> None:
    people = pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cid", "Dan"],
            "zip": ["47601", "47602", "47603", "47905"],
            "ill": ["flu", "hiv", None, "gout"],
        }
    )
    found = PartlyKnown().attack(Scene(TABLE, external=people))
    # Cid may have had the flu as well, which makes Ann's row less sure.
    assert [(told["who"], told["learned"], told["confidence"]) for told in found.findings] == [
        ({"name": "Ann"}, {"pay": "10"}, 1 / 2),
        ({"name": "Dan"}, {"pay": "60"}, 1.0),
    ]
    assert found.details == {
        "attacked": "the people on the list",
        "known": ["ill"],
        "hits_without_what_is_known": 0,
        "hits_only_with_what_is_known": 2,
    }
    json.dumps(found.to_json(), allow_nan=False)


def test_a_list_without_secrets_leaves_everybody_in_the_release_to_attack() -> None:
    people = pl.DataFrame({"name": ["Ann"], "zip": ["47601"]})
    found = PartlyKnown(known=("ill",)).attack(Scene(TABLE, external=people))
    assert found.details["attacked"] == "everybody in the release" and found.rate.targets == 6


def test_a_row_that_has_nothing_more_to_tell_is_no_hit() -> None:
    table = Table(FRAME.drop("pay"), quasi=("zip",), sensitive=("ill",))
    for scene in (Scene(table), Scene(table, external=FRAME.select("zip", "ill"))):
        found = PartlyKnown().attack(scene)
        assert found.rate.hits == 0 and "nothing more to learn" in found.cure
        assert found.details["rows_found"] == (2 if scene.external is None else found.details["rows_found"])


@pytest.mark.parametrize("attacker", [PartlyKnown(known=("ill",)), PartlyKnown()])
def test_the_cure_is_one(attacker: PartlyKnown) -> None:
    wide = TABLE.with_frame(pl.concat([FRAME, FRAME.with_columns(zip=pl.lit("479**"))]))
    for scene in (Scene(wide), Scene(wide, external=FRAME.with_columns(name=pl.lit("x")).drop("pay"))):
        found = with_cure_checked(attacker.attack(scene), attacker, scene)
        assert found.rate.hits == 0 or (found.cured is not None and found.cured.rate.hits == 0)


def test_a_release_that_is_nothing_but_people_of_their_own_has_no_cheap_cure() -> None:
    changed, how = PartlyKnown().remedied(Scene(TABLE))
    assert changed is None and how == ""


def test_what_is_known_must_be_there_and_once() -> None:
    with pytest.raises(BadParameter, match="there is ill, pay"):
        PartlyKnown(known=("zip",)).attack(Scene(TABLE))
    with pytest.raises(BadParameter, match="names a column twice"):
        PartlyKnown(known=("ill", "ill"))


cells = st.sampled_from(["a", "b", None])


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=10))
def test_as_a_person_with_a_pencil_would_count(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, dict.fromkeys("qst", pl.String), orient="row")
    scene = Scene(Table(frame, quasi=("q",), sensitive=("s", "t")), shown=0)
    found = PartlyKnown(known=("s",)).attack(scene)
    alone = [row for row in rows if [other[:2] for other in rows].count(row[:2]) == 1]
    assert [told["learned"] for told in found.findings] == [{"t": row[2]} for row in alone]
    cured, _ = PartlyKnown(known=("s",)).remedied(scene)
    assert cured is None or PartlyKnown(known=("s",)).attack(cured).rate.hits == 0


def test_somebody_listed_twice_is_no_rival_of_themselves() -> None:
    people = pl.DataFrame({"name": ["Ann", "Ann"], "zip": ["47601", "47601"], "ill": ["flu", "flu"]})
    found = PartlyKnown(known=("ill",)).attack(Scene(TABLE, external=people))
    assert (found.rate.hits, found.rate.targets) == (1, 1)
