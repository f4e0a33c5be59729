"""Learning from private rows: declared bounds, a cost that is noted first, nothing that tells of a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Spent
from shoal.jobs.queries.learn import learn_query
from shoal.jobs.queries.requests import LearnQuery

BOUNDS = {"x": (0, 10), "y": (0, 10)}


def rows() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "x": ["1", "2", "9", "8", "?", ""] * 50,
            "y": ["1", "2", "9", "8", "3", "3"] * 50,
            "kind": list("AABBAB") * 50,
        }
    )


def test_clusters_come_in_units_and_cells_that_are_no_numbers_count_nowhere() -> None:
    found = shoal.learn("k-means(k=2,epsilon=100)", rows(), bounds=BOUNDS)
    told: Any = found.to_json()["learned"]
    assert sum(told["sizes"]) == pytest.approx(200, abs=20)
    assert {"centres", "figures", "budget"} == set(found.to_tables())


def test_a_classifier_tells_weights_and_a_threshold() -> None:
    told: Any = shoal.learn("linear-classifier(epsilon=50)", rows(), bounds=BOUNDS, label="kind=B").learned
    (weights,), threshold = told["weights"], told["threshold"]
    assert 8 * weights[0] + 8 * weights[1] >= threshold > 2 * weights[0] + 2 * weights[1]


def test_a_ledger_pays_and_refuses_when_it_is_spent(tmp_path: Path) -> None:
    rows().write_csv(tmp_path / "rows.csv")
    asked: dict[str, Any] = {"bounds": BOUNDS, "ledger": tmp_path / "ledger.sqlite"}
    first = shoal.learn("k-means(k=2,epsilon=1)", tmp_path / "rows.csv", budget=1.5, **asked)
    assert first.remaining["epsilon"] == pytest.approx(0.5) and first.spent["epsilon"] == 1
    with pytest.raises(Spent, match="nothing was spent"):
        shoal.learn("k-means(k=2,epsilon=1)", tmp_path / "rows.csv", **asked)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mechanism": "laplace(epsilon=1)"}, "does not learn from rows; there is k-means"),
        ({"bounds": {}}, "give --bounds COLUMN=LOW:HIGH"),
        ({"bounds": {"x": "0:inf"}}, "is no range"),
        ({"bounds": {"x": "5:1"}}, "is no range"),
        ({"bounds": {"x": "a"}}, "as in x=0:120"),
        ({"bounds": {"z": "0:1"}}, "no column 'z'; there is x, y, kind"),
        ({"label": "kind=A"}, "leave --label out"),
        ({"mechanism": "linear-classifier(epsilon=1)"}, "give --label COLUMN=VALUE"),
        ({"data": None}, "no rows given"),
        ({"budget": 1}, "Name a file with --ledger"),
        ({"ledger": "nowhere.sqlite"}, "begin one with --budget"),
    ],
)
def test_what_cannot_be_is_one_sentence(changes: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"mechanism": "k-means(k=2,epsilon=1)", "data": rows(), "bounds": BOUNDS}
    with pytest.raises(BadParameter, match=message):
        learn_query(LearnQuery(**{**usual, **changes}))
