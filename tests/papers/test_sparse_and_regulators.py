"""Narayanan and Shmatikov 2008 on sparse data; the Article 29 Working Party's three criteria, 2014."""

import numpy as np
import polars as pl
import pytest

from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.inference.inference import Inference
from shoal.tables.attacks.linkability import Linkability
from shoal.tables.attacks.singling_out.predicates import best_blind
from shoal.tables.attacks.singling_out.singling_out import SinglingOut
from shoal.tables.attacks.sparse_profile.sparse_profile import SparseProfile
from shoal.tables.table import Table

PERSONS, FILMS = 3000, 2000


def ratings(persons: int, films: int, each: int, seed: int) -> pl.DataFrame:
    """Ratings in which a few films are everybody's and most films are few people's, over five years."""
    chance = np.random.default_rng(seed)
    share = 1 / np.arange(1, films + 1)
    frame = pl.DataFrame(
        {
            "user": np.repeat(np.arange(persons), each),
            "film": chance.choice(films, persons * each, p=share / share.sum()),
            "stars": chance.integers(1, 6, persons * each),
            "day": chance.integers(0, 1800, persons * each),
        }
    )
    return frame.unique(["user", "film"], keep="first", maintain_order=True)


def known(frame: pl.DataFrame, targets: int, items: int, wrong: int, seed: int) -> pl.DataFrame:
    """A few ratings of some people: the date within 14 days, the stars within 1, some films quite wrong."""
    chance = np.random.default_rng(seed)
    some = chance.choice(frame["user"].unique().sort().to_numpy(), targets, replace=False)
    rows = frame.filter(pl.col("user").is_in(some)).sample(fraction=1, shuffle=True, seed=seed)
    rows = rows.group_by("user", maintain_order=True).head(items)
    place = rows.select(pl.int_range(pl.len()).over("user")).to_series().to_numpy()
    number = rows.height
    other = chance.choice(frame["film"].unique().sort().to_numpy(), number)
    return rows.select(
        pl.format("person {}", pl.col("user")).alias("name"),
        "user",
        pl.Series("film", np.where(place < wrong, other, rows["film"].to_numpy())),
        pl.Series("stars", rows["stars"].to_numpy() + chance.integers(-1, 2, number)),
        pl.Series("day", rows["day"].to_numpy() + chance.integers(-14, 15, number)),
    )


RATINGS = ratings(PERSONS, FILMS, 60, 1)
ATTACK = SparseProfile("user", "film", "stars", "day", who="name")


def test_eight_ratings_of_which_two_are_wrong_find_99_percent() -> None:
    """Section 5: 8 ratings, 2 of them completely wrong, dates within 14 days: 99 % of the records."""
    found = ATTACK.attack(Scene(Table(RATINGS), external=known(RATINGS, 500, 8, 2, 3)))
    assert found.rate.value >= 0.99 and found.details["precision"] >= 0.99  # type: ignore[operator]
    fewer = ATTACK.attack(Scene(Table(RATINGS), external=known(RATINGS, 500, 2, 0, 3)))
    assert 0.4 < fewer.rate.value < found.rate.value


def test_without_dates_and_with_popular_films_only_it_is_much_harder() -> None:
    popular = RATINGS.filter(pl.col("film") < 12)
    list_ = known(popular, 500, 4, 1, 3)
    by_films = SparseProfile("user", "film", who="name").attack(Scene(Table(RATINGS), external=list_))
    assert by_films.rate.value < 0.05


def test_strangers_are_found_seldom_and_the_attacker_can_tell_how_seldom() -> None:
    """What stands out by 1.5 may be chance where data are small; the runner-up shows how often."""
    strangers = known(ratings(600, FILMS, 60, 9), 500, 8, 2, 5).drop("user")
    list_ = known(RATINGS, 500, 8, 2, 3)
    for eccentricity, most in ((1.5, 0.3), (5.0, 0.03)):
        attack = SparseProfile("user", "film", "stars", "day", who="name", eccentricity=eccentricity)
        found = attack.attack(Scene(Table(RATINGS), external=list_, control=strangers))
        assert found.rate.value >= 0.85 and found.details["precision"] >= 0.99  # type: ignore[operator]
        assert found.details["control"] <= most  # type: ignore[operator]
        assert found.details["claimed_without_the_best"] == pytest.approx(found.details["control"], abs=0.07)


def test_trivial_descriptions_single_out_in_37_percent() -> None:
    """Cohen and Nissim: a predicate of weight 1/n isolates with probability about 1/e, knowing nothing."""
    assert best_blind(365) == pytest.approx(0.3684, abs=1e-4)
    chance = np.random.default_rng(1)
    birthdays = chance.integers(0, 365, (2000, 365))
    assert np.mean((birthdays == 0).sum(axis=1) == 1) == pytest.approx(0.37, abs=0.03)


def survey(number: int, seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    age = chance.integers(18, 90, number)
    return pl.DataFrame(
        {
            "zip": (10000 + chance.integers(0, 500, number)).astype(str),
            "age": age.astype(str),
            "job": chance.integers(0, 300, number).astype(str),
            "income": (1000 * (20 + age // 3 + chance.integers(0, 40, number))).astype(str),
        }
    )


@pytest.mark.parametrize(
    "attack",
    [
        SinglingOut(size=4),
        Linkability(columns_a=("zip", "age"), columns_b=("job", "income")),
        Inference("job", ("zip", "age", "income")),
    ],
    ids=lambda attack: str(attack.name),
)
def test_the_three_criteria_are_met_by_stars_and_broken_by_the_data_themselves(
    attack: SinglingOut | Linkability | Inference,
) -> None:
    original, control = survey(2000, 1), survey(2000, 2)
    risks = []
    twenty = pl.col("age").cast(pl.Int64) // 20 * 20
    coarse = original.with_columns(
        pl.col("zip").str.slice(0, 4) + "*",
        pl.format("[{}, {})", twenty, twenty + 20).alias("age"),
        pl.col("income").str.slice(0, 1) + "****",
    )
    stars = original.with_columns(pl.lit("*").alias(column) for column in original.columns)
    for release in (original, coarse, stars):
        scene = Scene(Table(release, quasi=("zip", "age")), original=original, control=control, seed=1)
        risk = attack.attack(scene).details["risk"]
        assert isinstance(risk, float)
        risks.append(risk)
    assert risks[0] > 0.7 and risks[1] <= risks[0] and risks[2] < 0.02, risks
