"""Singling out."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.singling_out.singling_out import SinglingOut
from shoal.tables.table import Table


def people(number: int, seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {name: chance.integers(0, 12, number).astype(str) for name in ("zip", "age", "job", "ill")}
    )


ORIGINAL, CONTROL = people(2000, 1), people(2000, 2)


def scene(frame: pl.DataFrame, control: pl.DataFrame | None = CONTROL) -> Scene:
    return Scene(Table(frame, quasi=("zip", "age")), original=ORIGINAL, control=control, seed=1)


def test_the_data_themselves_single_out_and_a_control_group_shows_it() -> None:
    found = SinglingOut(size=4).attack(scene(ORIGINAL))
    assert found.rate.value == 1 and found.details["risk"] == 1
    assert 0 < found.details["control"] < 0.4  # type: ignore[operator]
    assert found.baseline == pytest.approx(0.368, abs=1e-3)
    assert found.findings[0]["who"] and found.details["by_several_columns"] == found.rate.hits


def test_a_release_of_stars_singles_out_nobody() -> None:
    stars = ORIGINAL.with_columns(pl.lit("*").alias(column) for column in ORIGINAL.columns)
    found = SinglingOut().attack(scene(stars))
    assert found.rate.hits == 0 and found.details["risk"] == 0 and "nothing to cure" in found.cure


def test_other_people_add_no_risk() -> None:
    """A release about other people singles out as often in the data as outside."""
    found = SinglingOut(size=4).attack(scene(people(2000, 3)))
    low = found.details["risk_interval"][0]  # type: ignore[index]
    assert low == 0 and "nothing that the release adds" in found.cure


def test_a_control_group_of_another_size_is_scaled() -> None:
    full = SinglingOut(size=4).attack(scene(people(2000, 3), people(2000, 4))).details["control"]
    half = SinglingOut(size=4).attack(scene(people(2000, 3), people(1000, 5))).details["control"]
    more = SinglingOut(size=4).attack(scene(people(2000, 3), people(6000, 6))).details["control"]
    assert half == pytest.approx(full, abs=0.05) and more == pytest.approx(full, abs=0.05)


def test_without_a_control_group_it_says_so() -> None:
    found = SinglingOut().attack(scene(ORIGINAL, None))
    assert found.details["control"] is None and found.details["risk"] is None
    assert "without --control" in found.cure


def test_extremes_and_rare_values_are_found_in_one_column() -> None:
    original = pl.DataFrame({"income": ["10", "20", "20", "30", "30"], "town": ["a", "a", "a", "a", "b"]})
    found = SinglingOut(size=1).attack(Scene(Table(original, quasi=("town",)), original=original))
    told = [finding["who"] for finding in found.findings]
    assert told == [{"income": "10"}, {"income": "at most 10"}, {"town": "b"}]
    assert found.details["people_singled_out"] == 2 and found.findings[0]["learned"] == {"town": "a"}


def test_the_cure_stops_it() -> None:
    job = AttackTable(data=ORIGINAL, attack="singling-out", quasi=("zip", "age"), original=ORIGINAL, seed=1)
    found = attack_table(job)
    assert found.cured is not None and found.cured.rate.hits == 0 and found.cured.lost > 0.5


def test_labels_are_read_through_what_they_say() -> None:
    original = pl.DataFrame({"zip": ["47602", "47678", "47905"], "age": ["22", "27", "29"]})
    release = pl.DataFrame({"zip": ["476**", "476**", "479**"], "age": ["[20, 25)", "[25, 30)", "[25, 30)"]})
    found = SinglingOut(size=2).attack(Scene(Table(release, quasi=("zip", "age")), original=original))
    # 479** alone, and every pair of labels; [20, 25) alone as well.
    assert found.rate.value == 1 and found.rate.targets == 5 and found.details["people_singled_out"] == 3


def test_one_row_and_bad_parameters() -> None:
    one = ORIGINAL[:1]
    found = SinglingOut().attack(Scene(Table(one, quasi=("zip",)), original=one))
    assert found.rate.value == 1 and found.baseline == 1
    for wrong in ({"size": 0}, {"attempts": 1}):
        with pytest.raises(BadParameter):
            SinglingOut(**wrong)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="needs 'x' in the release"):
        SinglingOut(columns=("x",)).attack(scene(ORIGINAL))


VALUES = st.sampled_from(["1", "2", None])


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=12))
def test_the_data_of_pairs_of_twins_are_never_singled_out(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows * 2, dict.fromkeys("abc", pl.String), orient="row")
    found = SinglingOut(attempts=50).attack(Scene(Table(frame, quasi=("a",)), original=frame))
    assert found.rate.hits == 0
