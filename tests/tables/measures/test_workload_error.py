"""How wrong counts are when they are asked of a release."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.measures.workload_error import Query, WorkloadError
from shoal.tables.model_inputs.text_values import texts
from tables.pairs import pair, pairs, people


def by_hand(both: SideBySide, frame: pl.DataFrame, query: Query) -> float:
    """A count by going through the rows: every row for the share of its leaves that are asked for."""
    total = 0.0
    columns = {name: texts(frame[name]).to_list() for name in query}
    for row in range(frame.height):
        share = 1.0
        for name, chosen in query.items():
            first, last = both.line(name).stretch_of(columns[name][row]) or (0, -1)
            share *= float(np.mean(chosen[first : last + 1]))
        total += share
    return total


@given(pairs())
@settings(max_examples=50)
def test_the_error_is_that_of_counting_row_by_row(both: SideBySide) -> None:
    ruler = WorkloadError(queries=8, seed=3)
    columns = (*both.quasi, *both.sensitive)
    occurring = {name: np.unique(both.before(name).first) for name in columns}
    lines = {name: both.line(name) for name in columns}
    asked = ruler.workload(both.quasi, both.sensitive, lines, occurring)
    errors = []
    for query in asked:
        truth, found = (by_hand(both, frame, query) for frame in (both.original, both.released))
        errors.append(abs(found - truth) / max(truth, 1.0))
    figures = ruler.measure(both)
    assert figures.queries == 8
    assert figures.mean == pytest.approx(float(np.mean(errors)))
    assert figures.median == pytest.approx(float(np.median(errors)))
    assert figures.percentile_95 == pytest.approx(float(np.quantile(errors, 0.95)))


def test_an_unchanged_table_answers_without_error_and_an_empty_one_knows_nothing() -> None:
    rows = [("20", "F", "flu"), ("21", "M", "gout"), ("30", "F", "flu"), ("31", "M", None)]
    whole = WorkloadError(queries=50).measure(pair(rows, rows, sensitive=("ill",)))
    assert (whole.median, whole.mean, whole.percentile_95) == (0, 0, 0)
    nobody = WorkloadError(queries=50, selectivity=1).measure(pair(rows, [], sensitive=("ill",)))
    assert nobody.median == 1


def test_an_even_spread_over_the_leaves_is_right_on_average_where_the_data_are_even() -> None:
    rows = [(age, sex, "flu") for age in ("20", "21", "30", "31") for sex in "FM"]
    gone = [("*", "*", "flu")] * 8
    assert WorkloadError(queries=40).measure(pair(rows, gone)).mean == pytest.approx(0)


def test_predicates_on_numbers_are_ranges_and_as_wide_as_asked() -> None:
    frame = people().with_columns(pl.lit("?").alias("mark"))
    hierarchies = {"age": suggest(frame["age"], "age").hierarchy, "sex": Hierarchy.of_levels([["F", "M"]])}
    both = SideBySide(frame, frame, ("age", "sex"), hierarchies)
    lines = {name: both.line(name) for name in both.quasi}
    occurring = {name: np.unique(both.before(name).first) for name in both.quasi}
    asked = WorkloadError(queries=60, dimensions=1, selectivity=0.25).workload(
        both.quasi, (), lines, occurring
    )
    ages = [query["age"] for query in asked if "age" in query]
    assert ages and all(chosen.sum() == 10 and np.ptp(np.flatnonzero(chosen)) == 9 for chosen in ages)
    assert len({chosen.tobytes() for chosen in ages}) > 5
    assert all(len(query) == 1 for query in asked)


def test_coarser_releases_answer_worse() -> None:
    frame = people(2000)
    hierarchies = {"age": suggest(frame["age"], "age").hierarchy, "sex": Hierarchy.of_levels([["F", "M"]])}
    errors = []
    for level in range(hierarchies["age"].height + 1):
        labels = [hierarchies["age"].label(age, level) for age in frame["age"]]
        coarse = frame.with_columns(pl.Series("age", labels))
        both = SideBySide(frame, coarse, ("age", "sex"), hierarchies, ("ill",))
        errors.append(WorkloadError(queries=300).measure(both).mean)
    assert errors[0] == 0 and errors == sorted(errors)


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"queries": 0}, "queries is a whole number from 1 on, not 0"),
        ({"dimensions": 0}, "dimensions"),
        ({"selectivity": 0.0}, "selectivity"),
        ({"selectivity": 1.5}, "not 1.5"),
        ({"floor": -0.1}, "floor"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_parameters_are_refused(given_: dict[str, float], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        WorkloadError(**given_)  # type: ignore[arg-type]
