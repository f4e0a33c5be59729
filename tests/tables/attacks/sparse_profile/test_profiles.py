"""Profiles of many items."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacks.sparse_profile import profiles as module
from shoal.tables.attacks.sparse_profile.profiles import Profiles

RELEASE = pl.DataFrame(
    {
        "user": ["a", "a", "b", "b", "c"],
        "film": ["x", "y", "x", "z", "x"],
        "stars": ["5", "1", "4", "2", "1"],
        "day": ["2005-01-01", "2005-02-01", "2005-01-31", "2005-03-01", "2005-06-30"],
    }
)
KNOWN = pl.DataFrame(
    {"name": ["Ann", "Ann"], "film": ["x", "y"], "stars": ["5", "2"], "day": ["2005-01-01"] * 2}
)


def scores(release: pl.DataFrame, known: pl.DataFrame, *names: str) -> dict[str, list[float]]:
    """The scores of everybody for each target, through the back door."""
    profiles = Profiles.of(release, known, "user", "film", "name", *names)
    rating = (-(pl.col("rating") - pl.col("rating_right")).abs() / 1.5).exp()
    date = (-(pl.col("date") - pl.col("date_right")).abs() / 30).exp()
    likeness = profiles._likeness(rating, date, lambda one, other: one + other)
    weight = 1 / np.log(np.maximum(profiles.holders, 2))
    rows = [row for _, table in profiles._tables(weight, likeness) for row in table.tolist()]
    return dict(zip(profiles.targets.to_list(), rows, strict=True))


def test_the_score_is_the_papers() -> None:
    x, y = 1 / math.log(3), 1 / math.log(2)  # x is everybody's; y of one alone weighs as if of two
    a = x * (1 + 1) + y * (math.exp(-1 / 1.5) + math.exp(-31 / 30))
    b = x * (math.exp(-1 / 1.5) + math.exp(-30 / 30))
    c = x * (math.exp(-4 / 1.5) + math.exp(-180 / 30))
    assert scores(RELEASE, KNOWN, "stars", "day")["Ann"] == pytest.approx([a, b, c])
    assert scores(RELEASE, KNOWN)["Ann"] == pytest.approx([x + y, x, x])
    assert scores(RELEASE, KNOWN, "stars")["Ann"][1] == pytest.approx(x * math.exp(-1 / 1.5))


def test_what_is_not_known_of_an_item_does_not_count() -> None:
    known = KNOWN.with_columns(stars=pl.Series([None, None], dtype=pl.String))
    x, y = 1 / math.log(3), 1 / math.log(2)
    assert scores(RELEASE, known, "stars", "day")["Ann"][0] == pytest.approx(x + y * math.exp(-31 / 30))
    nothing = known.with_columns(day=pl.Series([None, None], dtype=pl.String))
    assert scores(RELEASE, nothing, "stars", "day")["Ann"] == pytest.approx([x + y, x, x])
    assert scores(RELEASE, nothing.drop("stars", "day"), "stars", "day")["Ann"] == pytest.approx(
        [x + y, x, x]
    )


def test_the_strength_is_best_minus_second_in_standard_deviations() -> None:
    found = Profiles.of(RELEASE, KNOWN, "user", "film", "name", "stars", "day").standing_out(1.5, 30, 1.5)
    own = np.array(scores(RELEASE, KNOWN, "stars", "day")["Ann"])
    best, second = sorted(own)[::-1][:2]
    assert found.best.tolist() == [0] and found.claimed.tolist() == [(best - second) / own.std() >= 1.5]
    assert found.strength[0] == pytest.approx((best - second) / own.std())
    odds = np.exp(own / own.std())
    assert found.sure[0] == pytest.approx((odds / odds.sum()).max() * found.claimed[0])


def test_nobody_stands_out_where_all_are_alike() -> None:
    release = pl.DataFrame({"user": ["a", "b"], "film": ["x", "x"]})
    for film in ("x", "unheard of"):
        known = pl.DataFrame({"name": ["Ann"], "film": [film]})
        found = Profiles.of(release, known, "user", "film", "name").standing_out(1.5, 30, 1.5)
        assert found.strength.tolist() == [0] and not found.claimed.any()
    alone = Profiles.of(release[:1], known, "user", "film", "name").standing_out(1.5, 30, 1.5)
    assert not alone.claimed.any()


def test_the_only_one_who_agrees_is_found() -> None:
    profiles = Profiles.of(RELEASE, KNOWN, "user", "film", "name", "stars", "day")
    assert profiles.agreeing(1, 31, 0).claimed.tolist() == [True]
    assert profiles.agreeing(1, 14, 0).claimed.tolist() == [False]
    assert profiles.agreeing(1, 14, 1).claimed.tolist() == [True]  # y may be wrong, and b is 30 days off
    two = profiles.agreeing(1, 31, 1)
    assert not two.claimed.any() and two.without.tolist() == [True]
    assert not profiles.agreeing(1, 31, 9).claimed.all()


def test_dates_may_be_months_years_or_numbers_of_days() -> None:
    for days, off in ((["2005-01-16", "2005-01"], 0), (["2005-07-02", "2005"], 0), (["100", "130"], 30)):
        release = pl.DataFrame({"user": ["a", "b"], "film": ["x", "q"], "day": [days[1]] * 2})
        known = pl.DataFrame({"name": ["Ann"], "film": ["x"], "day": [days[0]]})
        assert scores(release, known, None, "day")["Ann"][0] * math.log(2) == pytest.approx(  # type: ignore[arg-type]
            math.exp(-off / 30)
        )
    with pytest.raises(BadParameter, match="the dates in 'day' must be dates as in 2006-03-01"):
        Profiles.of(RELEASE.with_columns(day=pl.lit("soon")), KNOWN, "user", "film", "name", None, "day")
    with pytest.raises(BadParameter, match="the ratings in 'film' must be numbers, not 'x'"):
        Profiles.of(RELEASE, KNOWN, "user", "day", "name", "film")


def test_what_was_not_known_is_learned() -> None:
    profiles = Profiles.of(RELEASE, KNOWN[:1], "user", "film", "name")
    assert (
        profiles.unknown(0, 0) == ["y"] and profiles.unknown(0, 1) == ["z"] and profiles.unknown(0, 2) == []
    )


def test_columns_that_are_not_there_are_named() -> None:
    with pytest.raises(BadParameter, match="no column 'x' in the release"):
        Profiles.of(RELEASE, KNOWN, "x", "film", "name")
    with pytest.raises(BadParameter, match="no column 'stars' in the list"):
        Profiles.of(RELEASE, KNOWN.drop("stars"), "user", "stars", "name")
    with pytest.raises(BadParameter, match="the list is empty"):
        Profiles.of(RELEASE, KNOWN.clear(), "user", "film", "name")


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from(["x", "y", "z", None]), st.integers(1, 5), st.integers(0, 90)
    ),
    min_size=1,
    max_size=12,
)


@given(ROWS, ROWS, st.sampled_from([1, 5, 10**7]))
def test_scores_are_those_of_a_plain_loop(
    released: list[tuple[str, str | None, int, int]],
    known: list[tuple[str, str | None, int, int]],
    cells: int,
) -> None:
    names = ["user", "film", "stars", "day"]
    schema = {"user": pl.String, "film": pl.String, "stars": pl.Int64, "day": pl.Int64}
    release = pl.DataFrame(released, schema, orient="row")
    list_ = pl.DataFrame(known, schema, orient="row").rename({"user": "name"})
    holders = {film: len({row[0] for row in released if row[1] == film}) for _, film, *_ in released}
    expected: dict[str, list[float]] = {}
    for target in dict.fromkeys(row[0] for row in known):
        items: dict[str | None, tuple[int, int]] = {}
        for name, film, stars, day in known:
            if name == target:
                items.setdefault(film, (stars, day))
        expected[target] = [
            sum(
                max(
                    (
                        math.exp(-abs(row[2] - stars) / 1.5) + math.exp(-abs(row[3] - day) / 30)
                        for row in released
                        if row[0] == user and row[1] == film
                    ),
                    default=0.0,
                )
                / math.log(max(holders.get(film, 2), 2))
                for film, (stars, day) in items.items()
            )
            for user in sorted({row[0] for row in released})
        ]
    before, module.CELLS = module.CELLS, cells
    try:
        found = scores(release, list_, *names[2:])
    finally:
        module.CELLS = before
    assert found.keys() == expected.keys()
    for target in expected:
        assert found[target] == pytest.approx(expected[target])
