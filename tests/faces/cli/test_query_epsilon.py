"""`shoal query epsilon` on a command line."""

from pathlib import Path

import pytest

from faces.asking import COUNT, DECLARED
from faces.shell import refused, shoal
from queries.service.houses import furnish, served


def test_an_error_to_live_with_becomes_an_epsilon_and_odds_in_words() -> None:
    run = shoal("query", "epsilon", COUNT, *DECLARED, "--within", 50, "--json")
    assert run.code == 0 and run.json["column"] == "n"
    assert run.json["within"] <= 50 and "sure that you are in the data" in run.json["odds"]["in_words"]


def test_two_wishes_at_once_are_refused() -> None:
    run = shoal("query", "epsilon", "--sensitivity", 1, "--within", 5, "--error", 5)
    assert run.code == 2 and "how far off" in run.err


def test_a_service_is_asked_for_its_errors_and_nothing_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = furnish(tmp_path)
    words = ("query", "epsilon", "SELECT COUNT(*) AS n FROM visits", "--within", 50, "--dataset", "clinic")
    monkeypatch.setenv("SHOAL_TOKEN", house.bob)
    with served(house.service) as at:
        told = shoal(*words, "--service", at.url, "--json")
        assert told.code == 0, told.err
        assert told.json["epsilon"] == 0.119  # twice that of a count of people: one may have two visits there
        (budget,) = shoal("query", "budget", "--service", at.url, "--dataset", "clinic", "--json").json[
            "budgets"
        ]
        assert budget["spent"]["epsilon"] == 0
    assert "no answer from" in refused(*words, "--service", at.url)
