"""Where the risk comes from, put together."""

import json

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.appraisal.risks import Risks, risks, size_of_population
from shoal.tables.measures.risk import Exposure

FRAME = pl.DataFrame({"a": ["1", "1", "2", "3", None], "b": ["x", "x", "x", "y", "y"]})


def of(**asked: float | int | None) -> Risks:
    rows = CodedRows.of(FRAME, ["a", "b"])
    return risks(Exposure.of_sample(rows.rows), rows, **asked)  # type: ignore[arg-type]


def test_without_the_size_of_the_population_nothing_is_estimated() -> None:
    found = of()
    uniqueness = found.to_json()["uniqueness"]
    assert isinstance(uniqueness, dict)
    assert uniqueness["estimates"] is None and uniqueness["population_size"] is None
    assert uniqueness["sample_uniques"] == 3
    assert any(
        "--population-size" in cell for row in found.to_tables()["alone in the population"] for cell in row
    )


def test_with_it_every_estimator_answers_or_says_why_not() -> None:
    found = of(population_size=50)
    assert list(found.estimates) == ["dankar", "pitman", "slide-negative-binomial", "zayatz"]
    document = found.to_json()
    json.dumps(document, allow_nan=False)
    uniqueness = document["uniqueness"]
    assert isinstance(uniqueness, dict) and isinstance(uniqueness["estimates"], dict)
    assert uniqueness["sampling_fraction"] == 0.1
    assert set(uniqueness["estimates"]) == {"dankar", "pitman", "slide_negative_binomial", "zayatz"}
    for estimate in found.estimates.values():
        assert estimate.uniques is not None or estimate.reason


def test_tables_are_rectangles_of_text() -> None:
    for found in (of(), of(population_size=50, combinations=0), of(population_size=5, threshold=0.0)):
        for rows in found.to_tables().values():
            assert len({len(row) for row in rows}) == 1 and all(
                isinstance(cell, str) for row in rows for cell in row
            )


def test_no_combinations_no_table_of_them() -> None:
    assert not [title for title in of(combinations=0).to_tables() if "combinations" in title]
    assert [title for title in of().to_tables() if title == "riskiest of 3 combinations"]


def test_the_population_is_told_as_a_number_or_a_fraction_or_counted() -> None:
    assert size_of_population(10, None, None, None) is None
    assert size_of_population(10, 70, None, None) == 70
    assert size_of_population(10, None, 0.3, None) == 33
    assert size_of_population(10, None, None, 70) == size_of_population(10, 70, None, 70) == 70


@pytest.mark.parametrize(
    ("size", "fraction", "people", "message"),
    [
        (70, 0.1, None, "give one of them"),
        (None, 0.0, None, "above 0"),
        (None, 1.5, None, "up to 1, not 1.5"),
        (9, None, None, "cannot hold the 10 rows"),
        (80, None, 70, "has 70 people and not 80"),
    ],
)
def test_what_cannot_be_is_refused(
    size: int | None, fraction: float | None, people: int | None, message: str
) -> None:
    with pytest.raises(BadParameter, match=message):
        size_of_population(10, size, fraction, people)


def test_rows_at_risk_in_words() -> None:
    rows = CodedRows.of(FRAME, ["a"])
    found = risks(Exposure(np.array([1, 4]), np.array([7, 2_000])), rows)
    told = [row[0] for row in found.to_tables()["rows at risk"]]
    assert told[1:3] == ["1 in 5 to 9", "1 in 1000 or less"]
