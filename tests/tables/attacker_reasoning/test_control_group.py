"""People in the data against people who are not."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.outcome import Rate
from shoal.tables.attacker_reasoning.control_group import Contrast, in_both, outsiders, sample_rows, truth
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.table import Table

FRAME = pl.DataFrame({"id": ["7"], "zip": ["1"], "ill": ["flu"]})
TABLE = Table(FRAME, identifier=("id",), quasi=("zip",))


def test_the_risk_is_what_people_outside_do_not_share() -> None:
    # 60 % inside, 20 % outside: of the 80 % that fail outside, half succeed inside.
    contrast = Contrast(Rate(60, 100), Rate(20, 100))
    assert contrast.risk == pytest.approx(0.5)
    low, high = contrast.interval or (9, 9)
    assert low < 0.5 < high and high - low < 0.35
    assert contrast.to_json()["control"] == 0.2 and contrast.to_json()["control_targets"] == 100


def test_a_release_that_helps_nobody_has_no_risk() -> None:
    assert Contrast(Rate(10, 100), Rate(30, 100)).risk == 0
    assert Contrast(Rate(0, 100), Rate(0, 100)).risk == 0


def test_without_a_control_group_or_with_one_that_always_fails_nobody_can_tell() -> None:
    for control in (None, Rate(5, 5), Rate(0, 0)):
        contrast = Contrast(Rate(3, 5), control)
        assert contrast.risk is None and contrast.interval is None
        assert contrast.to_json()["risk"] is None and contrast.to_json()["risk_interval"] is None


@given(st.integers(1, 500), st.integers(1, 500), st.data())
def test_the_risk_lies_in_its_interval(inside: int, outside: int, data: st.DataObject) -> None:
    contrast = Contrast(
        Rate(data.draw(st.integers(0, inside)), inside), Rate(data.draw(st.integers(0, outside)), outside)
    )
    if contrast.risk is not None and contrast.interval is not None:
        low, high = contrast.interval
        assert 0 <= low <= contrast.risk <= high <= 1


def test_people_are_drawn_again_alike() -> None:
    frame = pl.DataFrame({"n": range(1000)})
    one = sample_rows(frame, 10, 3)
    assert one.equals(sample_rows(frame, 10, 3)) and one["n"].is_sorted() and one["n"].n_unique() == 10
    assert not one.equals(sample_rows(frame, 10, 4)) and sample_rows(frame, 1000, 3).equals(frame)


def test_columns_are_those_that_release_and_original_share() -> None:
    scene = Scene(TABLE, original=FRAME, control=FRAME)
    assert in_both(scene, (), "a") == ("zip", "ill") and in_both(scene, (), "a", ("ill",)) == ("zip",)
    with pytest.raises(BadParameter, match="a needs 'x' in the release, which has id, zip, ill"):
        in_both(scene, ("x",), "a")
    with pytest.raises(BadParameter, match="finds no column that the release"):
        in_both(Scene(TABLE, original=FRAME.select("id")), (), "a")
    with pytest.raises(BadParameter, match="the original has no rows"):
        truth(Scene(TABLE, original=FRAME.clear()))
    with pytest.raises(BadParameter, match="in the control group"):
        outsiders(scene, ("y",), "a")
    assert outsiders(Scene(TABLE, original=FRAME, control=FRAME.clear()), ("zip",), "a") is None
