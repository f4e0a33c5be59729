"""Whether somebody is in the data at all."""

import duckdb
import numpy as np
import polars as pl
import pytest

from queries.attacked import people, scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.plain import Plain
from shoal.queries.attacks.membership.membership import Membership
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.endpoints.people import People

TRAITS = tuple(f"g{place}" for place in range(80))


def genomes(number: int, seed: int = 5) -> People:
    """People with eighty traits of their own, as in the papers."""
    chance = np.random.default_rng(seed)
    shares = chance.uniform(0.1, 0.9, len(TRAITS))
    traits = {
        name: (chance.random(number) < share).astype(int).astype(str)
        for name, share in zip(TRAITS, shares, strict=True)
    }
    table = Table("patients", (Column("id"), *map(Column, TRAITS)), "id")
    return People.of(table, pl.DataFrame({"id": [f"P{place}" for place in range(number)], **traits}))


def test_many_exact_shares_tell_who_is_in_the_data() -> None:
    found = Membership("answers", 15, 80).attack(scene(Plain(), genomes(400), secret=None, known=TRAITS))
    # Half the root of 80 attributes over 15 people: 1.15 deviations, so 87 % are right on average.
    assert found.rate.value > 0.65 and found.rate.targets == 30 and found.baseline == 0.5
    assert found.details["auc"] > 0.75 and found.details["people_in_the_data"] == 15  # type: ignore[operator]


def test_a_service_is_attacked_as_it_is_with_a_population_beside_it() -> None:
    whole = genomes(300)
    inside, outside = whole.rows(np.arange(15)), whole.frame[15:]
    database = duckdb.connect().register("patients", inside.frame)

    def answer(sql: str) -> object:
        return database.execute(sql).fetchall()[0][0]

    here = scene(answer, inside, secret=None, known=TRAITS, population=outside)
    found = Membership(people=15, attributes=80).attack(here)
    assert found.rate.value > 0.65 and found.details["questions"] == 81


def synthetic(copied: bool) -> tuple[People, pl.DataFrame, pl.DataFrame]:
    """People, others like them, and a table that copies the first, or is drawn anew."""
    whole = people(600, seed=4)
    inside = whole.rows(np.arange(150))
    fresh = people(150, seed=9).frame.drop("id")
    return inside, whole.frame[150:], inside.frame.drop("id") if copied else fresh


@pytest.mark.parametrize("score", ["distance", "density"])
def test_a_table_that_copies_people_gives_them_away(score: str) -> None:
    inside, others, release = synthetic(True)
    known = ("sex", "town", "age", "ill", "income")
    here = scene(Plain(), inside, secret=None, known=known, population=others, release=release)
    found = Membership(score, 100).attack(here)  # type: ignore[arg-type]
    assert found.rate.value > 0.95 and "synthetic" in found.cure and found.remedy is None


@pytest.mark.parametrize("score", ["distance", "density"])
def test_a_table_about_others_tells_nothing(score: str) -> None:
    inside, others, release = synthetic(False)
    known = ("sex", "town", "age", "ill", "income")
    here = scene(Plain(), inside, secret=None, known=known, population=others, release=release)
    found = Membership(score, 100).attack(here)  # type: ignore[arg-type]
    assert found.rate.interval[0] < 0.5 < found.rate.interval[1]


def test_what_is_missing_is_asked_for() -> None:
    here = scene(Plain(), secret=None)
    with pytest.raises(BadParameter, match="--release"):
        Membership("density").attack(here)
    with pytest.raises(BadParameter, match="--population"):
        Membership().attack(scene(Plain(), secret=None, release=people().frame))
    with pytest.raises(BadParameter, match="--population"):
        Membership().attack(scene(lambda _: 1, secret=None))
    with pytest.raises(BadParameter, match="nothing to count"):
        Membership().attack(scene(Plain(), secret=None, known=("nothing",)))
    with pytest.raises(BadParameter, match="no score"):
        Membership("luck")  # type: ignore[arg-type]
