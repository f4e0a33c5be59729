"""Answers, estimates and budgets as JSON, as tables and as frames."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.outcome import Outcome
from shoal.queries.declaration.declaration import Value
from shoal.queries.results import Answer, BudgetState, CostEstimate, Interval, spread, value_text


def answer() -> Answer:
    return Answer(
        columns=("ill", "n", "age"),
        rows=(("flu", 1234, 41.324), ("asthma", 310, 35.1), (None, -3, None)),
        error={"ill": None, "n": 4.0, "age": 0.8},
        interval=(
            (None, (1222.0, 1246.0), (39.3, 43.3)),
            (None, (298.0, 322.0), (34.0, 40.1)),
            (None, (-15.0, 9.0), None),
        ),
        spent={"epsilon": 0.5, "delta": 0.0},
        remaining={"epsilon": 1.5, "delta": 1e-6},
        notes=("groups of few people are left out",),
        query="SELECT ill, COUNT(*) AS n FROM visits GROUP BY ill",
        id=7,
    )


def estimate() -> CostEstimate:
    return CostEstimate(
        ("ill", "n"),
        {"ill": None, "n": 12345.6},
        {"epsilon": 0.5, "delta": 0.0},
        {"epsilon": 2.0, "delta": 0.0},
        ("x",),
    )


def budget() -> BudgetState:
    return BudgetState(
        dataset="hospital",
        analyst="ada",
        limit={"epsilon": 2.0, "delta": 0.0},
        spent={"epsilon": 0.5, "delta": 0.0},
        remaining={"epsilon": 1.5, "delta": 0.0},
        policy="refuse",
        accounting="pure",
    )


def test_an_answer_has_the_keys_of_the_contract() -> None:
    document = answer().to_json()
    assert list(document)[:6] == ["columns", "rows", "error", "interval", "spent", "remaining"]
    assert set(document) == {
        "columns", "rows", "error", "interval", "spent", "remaining", "notes", "archived", "query", "id",
    }  # fmt: skip
    assert document["rows"] == [["flu", 1234, 41.324], ["asthma", 310, 35.1], [None, -3, None]]
    assert document["interval"][0] == [None, [1222.0, 1246.0], [39.3, 43.3]]  # type: ignore[index]
    assert document["error"] == {"ill": None, "n": 4.0, "age": 0.8}


def test_everything_comes_back_from_json_as_it_was() -> None:
    for outcome in (answer(), replace(answer(), archived=True), estimate(), budget()):
        assert isinstance(outcome, Outcome)
        document = json.loads(json.dumps(outcome.to_json(), allow_nan=False))
        assert type(outcome).from_json(document) == outcome


def test_no_figure_that_json_cannot_carry_gets_out() -> None:
    nan, infinite = float("nan"), float("inf")
    odd = replace(
        answer(),
        rows=((nan, infinite, -infinite),),
        error={"ill": nan, "n": infinite, "age": 1.0},
        interval=((None, (-infinite, 1.0), (nan, nan)),),
        remaining={"epsilon": infinite, "delta": 0.0},
    )
    document = odd.to_json()
    json.dumps(document, allow_nan=False)
    assert document["rows"] == [[None, None, None]]
    assert document["interval"] == [[None, None, None]]
    odd.to_tables()


def test_tables_show_numbers_with_the_digits_that_noise_leaves() -> None:
    tables = answer().to_tables()
    assert tables["answer"] == [
        ["ill", "n (± 95 %)", "age (± 95 %)"],
        ["flu", "1,234 ± 12", "41.3 ± 2.0"],
        ["asthma", "310 ± 12", "35.1 (34.0 to 40.1)"],
        ["–", "-3 ± 12", "–"],
    ]
    assert tables["budget"] == [["", "ε", "δ"], ["this question", "0.5", "0"], ["left", "1.5", "1e-06"]]
    assert replace(answer(), archived=True).to_tables()["budget"][1][0] == "this question, told before"


@pytest.mark.parametrize(
    ("value", "interval", "expected"),
    [
        (1234, (1222.0, 1246.0), "1,234 ± 12"),
        (56789, (55555.0, 58023.0), "56,800 ± 1,200"),
        (1234.5678, (1234.5555, 1234.5801), "1,234.568 ± 0.012"),
        (0.5, (0.5, 0.5), "0.500"),
        (7, (7.0, 7.0), "7"),
        (7, (6.6, 7.4), "7.00 ± 0.40"),
        (-0.2, (-12.2, 11.8), "0 ± 12"),
        (9.0, (-0.96, 18.96), "9 ± 10"),
        (50.0, (60.0, 70.0), "50 (60 to 70)"),
        (1e300, (0.9e300, 1.1e300), "1e+300 ± 1e+299"),
        (1e-20, (0.0, 2e-20), "1e-20 ± 1e-20"),
        (2020, None, "2020"),
        (2.0, None, "2"),
        ("2020", None, "2020"),
        (True, None, "true"),
        (None, (0.0, 1.0), "–"),
    ],
)
def test_a_value_is_written_for_people(value: Value, interval: Interval | None, expected: str) -> None:
    assert value_text(value, interval) == expected


@given(st.floats(allow_nan=False), st.floats(), st.floats())
def test_any_number_can_be_written(value: float, low: float, high: float) -> None:
    assert value_text(value, (low, high))


def test_a_frame_has_one_row_per_group() -> None:
    frame = answer().to_frame()
    assert frame.schema == {"ill": pl.String, "n": pl.Int64, "age": pl.Float64}
    assert frame.rows() == list(answer().rows)
    mixed = replace(answer(), rows=((None, 1, 2), *[("x", 0.5, None)] * 200))
    assert mixed.to_frame()["n"].to_list()[:2] == [1.0, 0.5]
    assert replace(answer(), rows=()).to_frame().columns == ["ill", "n", "age"]


def test_an_estimate_and_a_budget_are_tables() -> None:
    assert estimate().to_tables()["expected error"] == [
        ["column", "off by about", "95 % within ±"],
        ["ill", "–", "–"],
        ["n", "12,300", "–"],
    ]
    assert budget().to_tables()["budget"] == [
        ["", "ε", "δ"],
        ["granted", "2", "0"],
        ["spent", "0.5", "0"],
        ["left", "1.5", "0"],
    ]
    assert budget().to_tables()["terms"][1] == ["hospital", "ada", "refuse", "pure"]


@given(
    st.integers(1, 40).flatmap(
        lambda draws: st.lists(
            st.lists(st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6)), min_size=draws, max_size=draws),
            min_size=1,
            max_size=4,
        )
    )
)
def test_the_spread_is_what_numpy_finds_among_those_that_are_not_null(columns: list[list[float]]) -> None:
    draws = np.array(columns).T
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = spread(draws)
    for group, column in enumerate(columns):
        seen = np.array([value for value in column if not np.isnan(value)])
        if not len(seen):
            assert found.cells[group] is None
            assert np.isnan(found.error[group])
            continue
        assert found.cells[group] == pytest.approx(tuple(np.quantile(seen, [0.025, 0.975])), abs=1e-6)
        assert found.error[group] == pytest.approx(np.mean(np.abs(seen - np.median(seen))), abs=1e-6)


def test_the_average_error_leaves_out_what_nobody_knows() -> None:
    nan = float("nan")
    assert spread(np.array([[1.0, nan], [3.0, nan]])).average == 1.0
    assert spread(np.array([[nan], [nan]])).average is None


def test_the_spread_of_laplace_noise_is_the_one_of_its_law() -> None:
    draws = np.random.default_rng(5).laplace(100, 2, (20_000, 3))
    found = spread(draws)
    assert found.average == pytest.approx(2, rel=0.05)  # E|X| = b
    for cell in found.cells:
        assert cell == pytest.approx((100 - 2 * np.log(20), 100 + 2 * np.log(20)), abs=0.5)
