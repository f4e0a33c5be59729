"""What a Python user calls to query data."""

import polars as pl
import pytest

import shoal

VISITS = {"visits": pl.DataFrame({"id": [1, 2, 3], "age": [20, 30, 40]})}


def test_a_question_and_a_database_have_the_same_words() -> None:
    answer = shoal.ask("SELECT COUNT(*) FROM visits", VISITS, epsilon=1, unit="id")
    assert answer.spent["epsilon"] == 1
    with shoal.open_database(VISITS, unit="id", budget=2) as database:
        assert database.ask("SELECT COUNT(*) FROM visits", 0.5).remaining["epsilon"] == 1.5


def test_a_project_file_says_all_about_the_data() -> None:
    with pytest.raises(shoal.BadInput, match="leave data, budget and ledger out"):
        shoal.ask("SELECT 1", VISITS, epsilon=1, config="shoal.toml")
