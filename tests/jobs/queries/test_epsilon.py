"""From an error that one can live with to the ε that buys it."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import norm

import shoal
from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.answering.budget_split import Shares
from shoal.queries.declaration.declaration import Accounting

DATA: dict[str, Any] = {"patients": people(60).frame}
DECLARED: dict[str, Any] = {"unit": "id", "bounds": {"age": (0, 120)}}
COUNT, SUM = "SELECT COUNT(*) AS n FROM patients", "SELECT COUNT(*) AS n, SUM(age) AS s FROM patients"
AVERAGE = "SELECT AVG(age) AS a FROM patients"


def test_a_count_within_50_costs_what_the_formula_says() -> None:
    """Discrete Laplace noise exceeds ±50 one time in twenty where 2 e^(-51 ε) / (1 + e^-ε) = 0.05."""
    told = shoal.choose_epsilon(COUNT, DATA, within=50, **DECLARED)
    assert told.to_json()["epsilon"] == 0.0594 and told.column == "n"
    assert shoal.choose_epsilon(sensitivity=1, within=50).chosen == told.chosen
    assert shoal.choose_epsilon(sensitivity=1, error=50).to_json()["epsilon"] == 0.02


@pytest.mark.parametrize("accounting", ["zcdp", "zcdp-listed", "pld", "pld-listed"])
@pytest.mark.parametrize("about", [{"sensitivity": 1}, {"question": COUNT, "data": DATA, **DECLARED}])
def test_where_squares_add_up_nobody_is_told_that_odds_stay_within_the_power_of_epsilon(
    accounting: Accounting, about: dict[str, Any]
) -> None:
    """At ε = 1 three answers in ten of such noise make somebody surer than e^ε does."""
    told = shoal.choose_epsilon(**about, epsilon=1, accounting=accounting)
    odds = told.chosen.odds
    # The loss of normal noise with σ = sensitivity / ε is normal, around ε²/2 with a variance of ε².
    assert norm.sf(math.log(odds.factor), 0.5, 1) <= odds.unlikely <= 1e-6
    assert not any("adds its ε" in note for note in told.notes)
    curve = [point.error for point in told.curve if point.epsilon == 1]
    assert curve == [Shares(accounting, Fraction(1), Fraction(0), 1).noise(1).error]


@pytest.mark.parametrize("accounting", ["approximate", "zcdp", "pld", "pld-listed"])
def test_what_is_chosen_is_what_a_question_then_tells(accounting: str) -> None:
    told = shoal.choose_epsilon(SUM, DATA, within=800, accounting=accounting, **DECLARED)
    assert told.column == "s" and told.accounting == accounting
    with shoal.open_database(DATA, budget=9, accounting=accounting, **DECLARED) as database:
        answer = database.ask(SUM, told.chosen.epsilon)
    low, high = answer.interval[0][1] or (0, 0)
    # Half of a difference of two doubles may lie above it by their last bit.
    assert (high - low) / 2 <= 800 * (1 + 1e-12) and answer.error["s"] == told.chosen.error


def test_no_row_is_read_and_nothing_is_spent_or_kept(tmp_path: Path) -> None:
    """Other rows under the same declaration give the same answer, and no ledger is left."""
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    people(60).frame.write_csv(one)
    people(60).frame.head(3).write_csv(other)
    found = [shoal.choose_epsilon(SUM, {"patients": file}, error=100, **DECLARED) for file in (one, other)]
    assert found[0] == found[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "other.csv"]


def test_more_budget_never_means_more_error() -> None:
    told = shoal.choose_epsilon(AVERAGE, DATA, error=3, **DECLARED)
    errors = [point.error for point in told.curve]
    assert errors == sorted(errors, reverse=True) and told.chosen.error <= 3
    beliefs = [point.odds.most for point in told.curve]
    assert beliefs == sorted(beliefs)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({}, "how far off may answers be"),
        ({"within": 5, "error": 5}, "how far off may answers be"),
        ({"within": -1.0, "sensitivity": 1}, "--within -1"),
        ({"within": 5}, "ε for what"),
        ({"within": 5, "sensitivity": 0}, "--sensitivity 0"),
        ({"within": 5, "sensitivity": 1, "unit": "id"}, "--unit is for a question"),
        ({"within": 5, "sensitivity": 1, "belief": 1.0}, "--belief 1"),
        ({"within": 5, "sensitivity": 1, "chart": "c.doc"}, "unknown extension"),
        ({"within": 5, "sensitivity": 1, "nothing": 1}, "nothing"),
        ({"within": 5, "question": COUNT, "data": DATA, **DECLARED, "column": "x"}, "no error of 'x'"),
        ({"within": 5, "question": COUNT, "config": "p.toml", "unit": "id"}, "--unit and --config do not go"),
        (
            {"within": 5, "question": AVERAGE, "data": DATA, **DECLARED},
            "--error",
        ),
    ],
)
def test_bad_wishes_get_one_sentence(words: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        shoal.choose_epsilon(**words)
