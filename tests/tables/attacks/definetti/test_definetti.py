"""The deFinetti attack."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.definetti.definetti import Definetti
from shoal.tables.hierarchies import flat
from shoal.tables.table import Table


def hospital(link: float, rows: int = 1200, size: int = 6, seed: int = 1) -> Scene:
    """Rooms of a few people; how many smoke differs from room to room. Smoking makes ill as far as `link`."""
    chance = np.random.default_rng(seed)
    smoker = chance.random(rows) < chance.choice([0.2, 0.5, 0.8], rows // size).repeat(size)
    cancer = np.where(chance.random(rows) < link, smoker, chance.random(rows) < 0.5)
    frame = pl.DataFrame(
        {
            "name": [f"p{row}" for row in range(rows)],
            "room": [str(row // size) for row in range(rows)],
            "smoker": np.where(smoker, "yes", "no"),
            "sex": np.where(chance.random(rows) < 0.5, "F", "M"),
            "ill": np.where(cancer, "cancer", "flu"),
        }
    )
    hidden = frame.drop("name").with_columns(smoker=pl.lit("*"), sex=pl.lit("*"))
    hierarchies = {"smoker": flat(["yes", "no"]), "sex": flat(["F", "M"])}
    table = Table(hidden, (), ("room", "smoker", "sex"), ("ill",), hierarchies)
    return Scene(table, external=frame.drop("ill"), original=frame, shown=5)


def test_where_values_go_with_looks_classes_tell_who_has_what() -> None:
    found = Definetti().attack(hospital(0.9))
    details = found.details
    assert details["accuracy"] > 0.9 > 0.8 > details["accuracy_of_class_majority"]  # type: ignore[operator]
    assert found.rate.value > 0.5 and abs(found.baseline - 0.5) < 0.1
    # Confidence is what it says.
    assert found.rate.hits / details["sure_about"] > details["mean_confidence"] - 0.05  # type: ignore[operator]
    assert len(found.findings) == 5
    assert all(told["confidence"] > 0.5 for told in found.findings)  # type: ignore[operator]


def test_where_values_do_not_go_with_looks_there_is_nothing_to_learn() -> None:
    found = Definetti().attack(hospital(0.0))
    details = found.details
    assert found.rate.value < 0.02
    assert abs(details["accuracy"] - details["accuracy_of_class_majority"]) < 0.05  # type: ignore[operator]


def test_without_the_truth_a_hit_is_somebody_it_is_sure_about() -> None:
    case = hospital(0.9)
    found = Definetti().attack(replace(case, original=None))
    assert found.rate.hits == found.details["sure_about"] and "accuracy" not in found.details
    strict = Definetti(confidence=0.99, gain=0.6).attack(replace(case, original=None))
    assert strict.rate.hits < found.rate.hits


def test_classes_that_are_like_the_table_stop_it() -> None:
    """Half the rooms are 3 and 3: after the cure only such are left, and they teach nothing."""
    case = hospital(0.9)
    found = with_cure_checked(Definetti().attack(case), Definetti(), case)
    assert found.remedy == 't-closeness(t=0.1,column="ill")'
    assert found.cured is not None and found.rate.hits > 100 and found.cured.rate.hits == 0


def test_people_who_fit_several_classes_are_not_guessed() -> None:
    frame = pl.DataFrame({"q": ["*", "*", "a", "a"], "ill": ["x", "y", "x", "y"]})
    table = Table(frame, (), ("q",), ("ill",), {"q": flat(["a", "b"])})
    found = Definetti().attack(Scene(table, external=pl.DataFrame({"q": ["a", "b"]})))
    assert found.details["guessed"] == 1 and found.rate.targets == 2


def test_odd_input_is_no_trouble() -> None:
    table = Table(
        pl.DataFrame({"q": ["a"], "ill": [None]}, schema={"q": pl.String, "ill": pl.String}),
        (),
        ("q",),
        ("ill",),
    )
    one = Definetti().attack(Scene(table, external=pl.DataFrame({"q": ["a"]}), original=table.frame))
    assert one.rate.hits == 0 and json.dumps(one.to_json(), allow_nan=False)
    none = Definetti().attack(Scene(table, external=pl.DataFrame({"q": ["b"]}), readable=True))
    assert none.rate.hits == 0 and none.details["guessed"] == 0
    strangers = pl.DataFrame({"q": ["z"], "ill": ["x"]})
    other = Definetti().attack(Scene(table, external=pl.DataFrame({"q": ["a"]}), original=strangers))
    assert other.rate.hits == 0
    with pytest.raises(BadParameter, match="finds no quasi-identifier"):
        Definetti().attack(Scene(table, external=pl.DataFrame({"name": ["Ann"]})))


def test_a_list_that_is_longer_or_shorter_than_a_class_is_no_trouble() -> None:
    case = hospital(1.0, 240)
    assert case.external is not None
    half = Definetti().attack(replace(case, external=case.external[::2]))
    twice = Definetti().attack(replace(case, external=pl.concat([case.external] * 2)))
    assert half.rate.targets == 120 and half.rate.value > 0.2
    assert twice.rate.targets == 480 and twice.rate.value > 0.5


@pytest.mark.parametrize(("name", "value"), [("confidence", 0.0), ("gain", 1.5), ("rounds", 0)])
def test_parameters_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(BadParameter, match=f"definetti .*{name}"):
        Definetti(**{name: value})  # type: ignore[arg-type]


def test_a_truth_that_the_release_writes_otherwise_is_none() -> None:
    case = hospital(1.0, 240)
    coarse = case.table.with_frame(case.table.frame.with_columns(ill="group " + pl.col("ill")))
    found = Definetti().attack(replace(case, table=coarse))
    assert found.rate.hits and found.rate.hits == found.details["sure_about"]
    assert "accuracy" not in found.details
