"""What the console asks of a worker, without a browser: estimates are free, answers are paid for."""

from __future__ import annotations

from pathlib import Path

import pytest

from faces.studio.test_questions import DECLARED, table_in
from queries.service.houses import furnish, served
from shoal.core.errors import NotAllowed, ShoalError, Spent
from shoal.faces.studio import question_tasks as tasks
from shoal.faces.studio.questions import Source

SQL = "SELECT ill, COUNT(*) AS n FROM people GROUP BY ill"


def source_in(folder: Path) -> Source:
    return Source.of_table(table_in(folder), DECLARED)


def test_an_estimate_spends_nothing_and_begins_no_ledger(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    found = tasks.ask(source, SQL, "0.5", True)
    assert found["tables"]["expected error"][0] == ["column", "off by about", "95 % within ±"]
    assert source.ledger is not None and not source.ledger.exists()
    assert tasks.books(source) == {}


def test_answers_are_paid_for_until_the_budget_is_spent(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    found = tasks.ask(source, SQL, "0.5", False)
    assert [row[0] for row in found["tables"]["answer"][1:3]] == ["flu", "gout"]
    assert found["picture"].startswith("<svg")
    tasks.ask(source, "SELECT COUNT(*) AS n FROM people", "0.5", False)
    with pytest.raises(Spent):
        tasks.ask(source, "SELECT AVG(age) AS a FROM people", "0.5", False)
    books = tasks.books(source)
    assert books["budget"]["spent"]["epsilon"] == books["budget"]["limit"]["epsilon"] == 1.0
    assert len(books["asked"]) == 2


def test_an_error_that_one_can_live_with_becomes_an_epsilon(tmp_path: Path) -> None:
    found = tasks.choose_epsilon(source_in(tmp_path), "SELECT COUNT(*) AS n FROM people", 30)
    assert 0.05 < float(found["epsilon"]) < 0.2  # ln(20)/30 is 0.0999
    assert "95 of 100" in found["words"][0]


def test_a_service_finds_the_epsilon_for_an_error_as_well(tmp_path: Path) -> None:
    """Twice the ε of a count of people: one may have two visits there. Its ledger is as before."""
    house = furnish(tmp_path)
    with served(house.service) as at:
        source = Source((), service=at.url, token=house.bob, dataset="clinic")
        found = tasks.choose_epsilon(source, "SELECT COUNT(*) AS n FROM visits", 50)
        assert found["epsilon"] == "0.119"
        assert "95 of 100" in found["words"][0]
        assert tasks.books(source)["budget"]["spent"]["epsilon"] == 0
        assert tasks.books(source)["asked"] == []
        with pytest.raises(NotAllowed):
            tasks.choose_epsilon(source, "SELECT age FROM visits", 50)
    with pytest.raises(ShoalError, match="is the service running there"):
        tasks.choose_epsilon(source, "SELECT COUNT(*) AS n FROM visits", 50)


def test_a_service_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(ShoalError, match="is the service running there"):
        tasks.datasets("http://127.0.0.1:9", "token")
