"""`shoal query epsilon` on a command line."""

from faces.asking import COUNT, DECLARED
from faces.shell import shoal


def test_an_error_to_live_with_becomes_an_epsilon_and_odds_in_words() -> None:
    run = shoal("query", "epsilon", COUNT, *DECLARED, "--within", 50, "--json")
    assert run.code == 0 and run.json["column"] == "n"
    assert run.json["within"] <= 50 and "sure that you are in the data" in run.json["odds"]["in_words"]


def test_two_wishes_at_once_are_refused() -> None:
    run = shoal("query", "epsilon", "--sensitivity", 1, "--within", 5, "--error", 5)
    assert run.code == 2 and "how far off" in run.err
