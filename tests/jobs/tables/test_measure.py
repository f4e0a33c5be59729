"""`measure` as a request."""

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.jobs import MeasureTable, run
from shoal.jobs.tables.measure import measure_table

FRAME = pl.DataFrame(
    {"zip": ["1", "1", "2", "3"], "sex": ["F", "F", "M", "M"], "age": ["30", "40", "91", "20"]}
)


def test_the_request_and_the_function_say_the_same() -> None:
    asked: dict[str, Any] = {
        "quasi": "zip,sex",
        "sampling_fraction": 0.1,
        "threshold": 0.5,
        "safe_harbor": True,
    }
    job = MeasureTable(data=FRAME, **asked)
    assert measure_table(job).to_json() == run(job).to_json() == shoal.measure(FRAME, **asked).to_json()


def test_what_is_asked_for_arrives() -> None:
    found = shoal.measure(FRAME, quasi="zip,sex", population_size=40, threshold=0.5, combinations=1)
    assert found.risks.at_risk.threshold == 0.5 and found.risks.at_risk.prosecutor.rows == 2
    assert found.risks.population_size == 40 and found.risks.combined.largest == 1
    assert found.safe_harbor is None
    harbor = shoal.measure(FRAME, quasi="zip", safe_harbor=True).safe_harbor
    assert harbor is not None and harbor.holds is False


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"population_size": 3}, "cannot hold the 4 rows"),
        ({"population_size": 9, "sampling_fraction": 0.5}, "give one of them"),
        ({"sampling_fraction": 0}, "above 0"),
        ({"threshold": 7}, "from 0 to 1"),
        ({"combinations": -1}, "not -1"),
    ],
)
def test_what_cannot_be_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        shoal.measure(FRAME, quasi="zip,sex", **asked)


PEOPLE = pl.DataFrame(
    {"age": ["20", "21", "30", "31"] * 5, "sex": ["F", "M"] * 10, "ill": ["flu", "flu", "gout", "gout"] * 5}
)


def test_with_the_original_it_says_what_the_release_is_good_for() -> None:
    release = shoal.protect(PEOPLE, quasi="age,sex", sensitive="ill", k=5, seed=1)
    plain = shoal.measure(release, original=PEOPLE)
    assert plain.usefulness is not None and plain.usefulness.of_class is None
    assert plain.losses is not None and "weighted_loss" not in plain.losses
    found = shoal.measure(release, original=PEOPLE, class_column="ill", weight={"age": 0})
    assert found.losses is not None and found.losses["weighted_loss"] == 0
    told = found.to_json()["usefulness"]
    assert isinstance(told, dict) and told["class_column"] == "ill"
    assert "what it is still good for" in found.to_tables()
    assert "usefulness" not in shoal.measure(release).to_json()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"class_column": "ill"}, "--class-column is about what was lost; give --original"),
        ({"weight": "age=2"}, "--weight is about what was lost"),
        ({"original": PEOPLE, "weight": "ill=2"}, "'ill', which is no quasi-identifier"),
        ({"original": PEOPLE, "class_column": "nix"}, "no column 'nix'"),
        ({"original": PEOPLE, "class_column": "age"}, "'age' is a quasi-identifier"),
    ],
)
def test_usefulness_needs_an_original_and_columns_that_are_there(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        shoal.measure(PEOPLE, quasi="age,sex", **asked)
