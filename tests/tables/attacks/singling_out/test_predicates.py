"""Descriptions of people, and whom they describe."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacks.singling_out import predicates as module
from shoal.tables.attacks.singling_out.predicates import (
    Condition,
    Ground,
    alone_among,
    alone_elsewhere,
    best_blind,
)
from shoal.tables.hierarchies import masked

PEOPLE = pl.DataFrame(
    {"zip": ["47602", "47678", "47905", None], "age": ["22", "27", "27", "90"], "sex": ["F", "F", "M", "M"]}
)


def test_a_description_is_read_through_the_hierarchy() -> None:
    ground = Ground(PEOPLE, PEOPLE.columns)
    counts, first = ground.described(
        [
            (Condition("zip", "476**"),),
            (Condition("zip", "476**"), Condition("age", "27")),
            (Condition("age", "[20, 30)"), Condition("sex", "M")),
            (Condition("zip", None),),
            (Condition("age", "90", "at least"),),
            (Condition("age", "27", "at most"), Condition("sex", "*")),
            (Condition("zip", "99999"), Condition("sex", "F")),
        ],
        {"zip": masked(["47602", "47678", "47905"])},
    )
    assert counts.tolist() == [2, 1, 1, 1, 1, 3, 0] and first.tolist() == [0, 1, 2, 3, 3, 0, -1]


def test_the_release_itself_is_read_word_for_word() -> None:
    released = Ground(pl.DataFrame({"zip": ["476**", "476**", "*"]}), ["zip"])
    counts, _ = released.described([(Condition("zip", "476**"),), (Condition("zip", "*"),)], None)
    assert counts.tolist() == [2, 1]


def test_a_condition_is_told_in_words() -> None:
    assert (
        Condition("age", "90", "at least").text() == "at least 90" and Condition("zip", None).text() is None
    )


def test_the_best_blind_description_hits_in_37_percent() -> None:
    assert best_blind(1) == 1 and best_blind(2) == 0.5
    assert best_blind(10**6) == pytest.approx(math.exp(-1), abs=1e-5)


def test_on_fewer_people_the_chance_is_the_hypergeometric_one() -> None:
    # 3 of 10 people are described; of 4 drawn, exactly one: 3 * C(7, 3) / C(10, 4).
    assert alone_among(np.array([3]), 10, 4) == pytest.approx(3 * 35 / 210)
    assert alone_among(np.array([1, 0, 5]), 10, 10) == pytest.approx(1)
    assert alone_among(np.array([10]), 10, 4) == 0 and alone_among(np.array([4]), 4, 1) == pytest.approx(1)


def test_a_small_control_group_is_scaled_up() -> None:
    """Descriptions that fit a share of 1 in 4,000 of everybody, seen in 2,000 people and asked of 4,000."""
    chance = np.random.default_rng(4)
    shares = chance.uniform(0, 1 / 1000, 4000)
    truth = (4000 * shares * (1 - shares) ** 3999).sum()
    seen = chance.binomial(2000, shares)
    assert alone_elsewhere(seen, 2000, 4000) == pytest.approx(truth, rel=0.1)
    assert alone_elsewhere(seen, 2000, 2000) == alone_among(seen, 2000, 2000)
    assert alone_elsewhere(np.zeros(5, np.int64), 10, 20) == 0
    assert 0 <= alone_elsewhere(np.array([1, 1]), 1, 50) <= 2


VALUES = st.sampled_from(["1", "2", "3", None])


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=10),
    st.lists(st.tuples(st.sampled_from(["1", "[1, 2]", "*", None]), VALUES), min_size=1, max_size=6),
    st.sampled_from([0, 64]),
)
def test_counts_are_those_of_a_plain_loop(
    people: list[tuple[str | None, str | None]], wanted: list[tuple[str | None, str | None]], slices: int
) -> None:
    frame = pl.DataFrame(people, {"x": pl.String, "y": pl.String}, orient="row")

    def fits(label: str | None, value: str | None) -> bool:
        return label in (value, "*") or (label == "[1, 2]" and value in ("1", "2"))

    before, module.SLICES = module.SLICES, slices
    try:
        counts, _ = Ground(frame, ["x", "y"]).described(
            [(Condition("x", x), Condition("y", y)) for x, y in wanted], {}
        )
    finally:
        module.SLICES = before
    assert counts.tolist() == [sum(fits(x, one) and fits(y, two) for one, two in people) for x, y in wanted]
