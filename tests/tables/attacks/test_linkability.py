"""Linkability."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.linkability import Linkability
from shoal.tables.table import Table


def people(number: int, seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {name: chance.integers(0, 40, number).astype(str) for name in ("zip", "age", "job", "ill")}
    )


ORIGINAL, CONTROL = people(1500, 1), people(1500, 2)
LINK = Linkability(columns_a=("zip", "age"), columns_b=("job", "ill"))


def scene(frame: pl.DataFrame, control: pl.DataFrame | None = CONTROL) -> Scene:
    return Scene(Table(frame, quasi=("zip", "age")), original=ORIGINAL, control=control, seed=1)


def test_the_data_themselves_join_their_people_and_nobody_else() -> None:
    found = LINK.attack(scene(ORIGINAL))
    assert found.rate.value > 0.3 and found.details["control"] < 0.01  # type: ignore[operator]
    assert found.details["risk"] == pytest.approx(found.rate.value, abs=0.01)
    assert found.baseline == 1 / 1500
    first = found.findings[0]
    assert set(first["who"]) == {"zip", "age"} and set(first["learned"]) == {"job", "ill"}  # type: ignore[arg-type]


def test_the_rate_is_what_can_be_expected() -> None:
    """One of the rows that share the first columns is theirs; so is one who shares the others."""
    first, second = (
        Counter(ORIGINAL.select(names).iter_rows()) for names in (["zip", "age"], ["job", "ill"])
    )
    expected = np.mean(
        [
            np.mean([(other == (job, ill)) / second[other] for other in _of(zip_, age)])
            for zip_, age, job, ill in ORIGINAL.iter_rows()
        ]
    )
    assert max(first.values()) > 1
    found = LINK.attack(scene(ORIGINAL)).rate
    assert found.interval[0] < expected < found.interval[1]


def _of(zip_: str, age: str) -> list[tuple[str, ...]]:
    return ORIGINAL.filter(zip=zip_, age=age).select("job", "ill").rows()


def test_a_release_of_stars_joins_no_more_than_a_blind_guess() -> None:
    stars = ORIGINAL.with_columns(pl.lit("*").alias(column) for column in ORIGINAL.columns)
    found = LINK.attack(scene(stars))
    assert found.rate.value < 0.005 and found.details["risk"] < 0.005  # type: ignore[operator]


def test_twins_cannot_be_told_apart() -> None:
    frame = pl.DataFrame({"a": ["1", "1", "2"], "b": ["x", "x", "y"]})
    found = Linkability(columns_a=("a",), columns_b=("b",), attempts=9).attack(
        Scene(Table(frame, quasi=("a",)), original=frame, shown=0)
    )
    # The one without a twin is joined for certain, each twin with probability one half.
    sure = {finding["who"]["a"]: finding["confidence"] for finding in found.findings}  # type: ignore[index,call-overload]
    assert sure["2"] == 1 and sure.get("1", 0.5) == 0.5


def test_labels_and_nearest_rows_join_as_well() -> None:
    coarse = ORIGINAL.with_columns(
        pl.col("age").replace_strict({str(n): f"[{n // 2 * 2}, {n // 2 * 2 + 2})" for n in range(40)})
    )
    assert 0.1 < LINK.attack(scene(coarse)).rate.value < LINK.attack(scene(ORIGINAL)).rate.value
    shifted = ORIGINAL.with_columns((pl.col("age").cast(pl.Float64) + 0.25).cast(pl.String))
    found = LINK.attack(scene(shifted))
    assert found.rate.value > 0.25, "nobody fits exactly, and still the nearest row is theirs"


def test_columns_are_chosen_when_none_are_given() -> None:
    found = Linkability().attack(scene(ORIGINAL))
    assert found.details["columns_a"] == ["zip", "age"] and found.details["columns_b"] == ["job", "ill"]
    quasi = Table(ORIGINAL, quasi=("zip", "age", "job", "ill"))
    halves = Linkability().attack(Scene(quasi, original=ORIGINAL)).details
    assert halves["columns_a"] == ["zip", "age"] and halves["columns_b"] == ["job", "ill"]
    other = Linkability(columns_b=("zip",)).attack(scene(ORIGINAL)).details
    assert other["columns_a"] == ["age", "job", "ill"]
    with pytest.raises(BadParameter, match="no columns for a second list"):
        one = ORIGINAL.select("zip")
        Linkability().attack(Scene(Table(one, quasi=("zip",)), original=one))
    with pytest.raises(BadParameter, match="'zip' on both lists"):
        Linkability(columns_a=("zip",), columns_b=("zip",))
    with pytest.raises(BadParameter, match="from 1 on, not 0"):
        Linkability(attempts=0)


def test_the_cure_is_checked() -> None:
    few = pl.concat([ORIGINAL, ORIGINAL[:700]])
    found = attack_table(
        AttackTable(data=few, attack="linkability", quasi=("zip", "age"), original=few, seed=1)
    )
    assert "without --control" in found.cure and found.details["control"] is None
    assert found.cured is not None and found.cured.rate.hits < found.rate.hits


VALUES = st.sampled_from(["1", "2", "*", None])


@settings(max_examples=50)
@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8),
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8),
)
def test_confidence_is_the_chance_of_being_right(
    released: list[tuple[str | None, ...]], original: list[tuple[str | None, ...]]
) -> None:
    schema = {"a": pl.String, "b": pl.String}
    frame, truth = (pl.DataFrame(rows, schema, orient="row") for rows in (released, original))
    # The release may be about others: only that nothing breaks, and that no chance is above 1.
    found = Linkability(columns_a=("a",), columns_b=("b",)).attack(
        Scene(Table(frame, quasi=("a",)), original=truth, readable=True, shown=0)
    )
    assert all(0 < finding["confidence"] <= 1 for finding in found.findings)  # type: ignore[operator]
    if released == original and len(set(released)) == len(released) and "*" not in str(released):
        assert found.rate.targets == len(original)
