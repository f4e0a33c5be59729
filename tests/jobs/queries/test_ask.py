"""Questions at files and frames."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, BadTable, NotAllowed, Spent
from shoal.jobs.queries.ask import FILE, ask_query, open_database
from shoal.jobs.queries.question_requests import AskQuery
from shoal.queries.results import Answer, CostEstimate

ROWS = 400
FRAME = pl.DataFrame(
    {
        "who": [f"p{number}" for number in range(ROWS)],
        "age": [20 + number % 60 for number in range(ROWS)],
        "sex": ["F" if number % 4 else "M" for number in range(ROWS)],
        "town": [f"town {number % 3}" for number in range(ROWS)],
    }
)
SQL = "SELECT sex, COUNT(*) AS n, SUM(age) AS years FROM people GROUP BY sex"
TOLD: dict[str, Any] = {
    "data": {"people": FRAME},
    "unit": "who",
    "bounds": {"age": (0, 120)},
    "keys": {"sex": ["F", "M"]},
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    FRAME.write_csv(tmp_path / "people.csv")
    return {**TOLD, "data": {"people": tmp_path / "people.csv"}}


def ask(given: dict[str, Any], sql: str = SQL, epsilon: Any = 1, **more: Any) -> Answer:
    answer = ask_query(AskQuery(sql=sql, epsilon=epsilon, **given, **more)).outcome
    assert isinstance(answer, Answer)
    return answer


def test_a_question_without_a_budget_is_a_session_of_its_own() -> None:
    answer = shoal.ask(SQL, epsilon=0.5, **TOLD)
    assert answer.columns == ("sex", "n", "years")
    assert answer.spent == {"epsilon": 0.5, "delta": 0}
    assert answer.remaining["epsilon"] == 0
    assert any("no budget is kept" in note for note in answer.notes)


def test_the_answer_is_near_the_truth() -> None:
    answer = ask(TOLD, epsilon=200)
    by_sex: dict[Any, Any] = {row[0]: row[1:] for row in answer.rows}
    truth = {"M": FRAME.filter(pl.col("sex") == "M"), "F": FRAME.filter(pl.col("sex") == "F")}
    for sex, part in truth.items():
        count, years = by_sex[sex]
        assert abs(count - part.height) <= 3 and abs(years - part["age"].sum()) <= 300


def test_nothing_is_written_for_a_question_of_its_own(files: dict[str, Any], tmp_path: Path) -> None:
    ask(files)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp", "pld", "pld-listed"])
def test_every_accounting_answers_one_question_and_no_second(files: dict[str, Any], accounting: str) -> None:
    answer = ask({**files, "accounting": accounting}, epsilon="0.7")
    assert answer.spent["epsilon"] == pytest.approx(0.7)
    assert answer.remaining["epsilon"] < 0.002


@pytest.mark.parametrize("accounting", ["approximate", "zcdp", "pld"])
def test_groups_found_in_the_data_may_have_all_of_delta(accounting: str) -> None:
    towns = "SELECT town, COUNT(*) AS n FROM people GROUP BY town"
    answer = ask({**TOLD, "accounting": accounting}, towns, epsilon=5)
    assert {row[0] for row in answer.rows} == {"town 0", "town 1", "town 2"}
    assert answer.remaining["delta"] == 0 < answer.spent["delta"]
    told = ask({**TOLD, "accounting": accounting}, towns, epsilon=5, delta="1e-9")
    assert told.spent["delta"] == 1e-9


def test_a_budget_lasts_from_call_to_call_and_ends(files: dict[str, Any], tmp_path: Path) -> None:
    first = ask(files, epsilon="0.6", budget=1)
    assert first.remaining["epsilon"] == 0.4
    assert (tmp_path / FILE).exists()
    again = ask(files, epsilon="0.6")  # without a word about the ledger, and about the same
    assert again.archived and again.rows == first.rows and again.spent["epsilon"] == 0
    with pytest.raises(Spent, match=r"ε=0.6 and ε=0.4"):
        ask(files, "SELECT COUNT(*) AS n FROM people", epsilon="0.6")
    assert ask(files, "SELECT COUNT(*) AS n FROM people", epsilon="0.4").remaining["epsilon"] == 0
    with pytest.raises(BadParameter, match="--budget 2 differs"):
        ask(files, budget=2)


def test_other_rows_or_other_bounds_are_another_question(files: dict[str, Any], tmp_path: Path) -> None:
    sql = "SELECT SUM(age) AS years FROM people"
    ask(files, sql, budget=10)
    assert ask(files, sql).archived
    assert not ask({**files, "bounds": {"age": (0, 100)}}, sql).archived
    FRAME.head(200).write_csv(tmp_path / "people.csv")
    answer = ask(files, sql)
    assert not answer.archived and answer.spent["epsilon"] == 1


def test_one_ledger_counts_for_all_data_beside_it(files: dict[str, Any], tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "copy.csv")
    ask(files, epsilon=1, budget=1)
    with pytest.raises(Spent):
        ask({**files, "data": {"people": tmp_path / "copy.csv"}}, "SELECT COUNT(*) FROM people", epsilon=1)


def test_a_ledger_elsewhere(files: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    place = tmp_path / "books" / "mine.sqlite"
    with pytest.raises(BadParameter, match=r"no ledger .* yet; begin one with --budget"):
        ask(files, ledger=place)
    assert not list((tmp_path / "books").iterdir())
    assert ask(files, ledger=place, budget=3).remaining["epsilon"] == 2
    assert not (tmp_path / FILE).exists()
    assert ask(TOLD, ledger=place).remaining["epsilon"] == 1  # a frame is other rows than the file


def test_an_estimate_spends_nothing_and_makes_no_ledger(files: dict[str, Any], tmp_path: Path) -> None:
    for budget in (None, 3):
        job = AskQuery(sql=SQL, epsilon=1, **files, budget=budget, estimate=True)
        found = ask_query(job).outcome
        assert isinstance(found, CostEstimate) and found.cost["epsilon"] == 1
        assert found.remaining["epsilon"] == (budget or 1)
    assert not (tmp_path / FILE).exists()
    ask(files, budget=3)
    later = ask_query(replace(job, budget=None)).outcome
    assert isinstance(later, CostEstimate) and later.remaining["epsilon"] == 2


@pytest.mark.parametrize(
    ("sql", "epsilon", "more", "error", "why"),
    [
        ("SELEC", 1, {}, NotAllowed, "."),
        ("SELECT who FROM people", 1, {}, NotAllowed, "."),
        ("  ", 1, {}, BadParameter, "empty"),
        (SQL, None, {}, BadParameter, "--epsilon"),
        (SQL, 0, {}, BadParameter, "out of range"),
        (SQL, "many", {}, BadParameter, "'many'"),
        (SQL, 1, {"delta": "x"}, BadParameter, "--delta"),
        (SQL, 1, {"chart": "x.gif"}, BadParameter, "unknown extension"),
        (SQL, 1, {"chart": "nowhere/x.svg"}, BadParameter, "no folder"),
        (SQL, 1, {"chart": "x.svg", "estimate": True}, BadParameter, "nothing to draw"),
        (SQL, 1, {"budget": "-1"}, BadParameter, "--budget"),
    ],
)
def test_what_cannot_be_asked_makes_no_ledger(
    files: dict[str, Any], tmp_path: Path, sql: str, epsilon: Any, more: dict[str, Any], error: Any, why: str
) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(error, match=why):
        ask(files, sql, epsilon, **{"budget": 5, **more})
    assert sorted(tmp_path.iterdir()) == before


def test_a_missing_file_is_told_by_its_name(files: dict[str, Any]) -> None:
    with pytest.raises(BadTable, match=r"no file .*nothing\.csv"):
        ask({**files, "data": {"people": "nothing.csv"}}, budget=1)


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_an_answer_can_be_drawn(tmp_path: Path, form: str) -> None:
    ask(TOLD, chart=tmp_path / f"x.{form}")
    begin = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>"}[form]
    assert (tmp_path / f"x.{form}").read_bytes().startswith(begin)


def test_an_answer_that_cannot_be_drawn_is_told_all_the_same(tmp_path: Path) -> None:
    sql = "SELECT town, COUNT(*) AS n FROM people GROUP BY town HAVING COUNT(*) > 100000"
    replied = ask_query(AskQuery(sql=sql, epsilon=1, **TOLD, chart=tmp_path / "x.svg"))
    assert isinstance(replied.outcome, Answer)
    assert any("not drawn" in note for note in replied.notes) == (not (tmp_path / "x.svg").exists())


def test_a_database_in_memory_answers_several_questions_while_rows_come() -> None:
    with open_database(**TOLD, budget=100) as database:
        first = database.ask("SELECT COUNT(*) AS n FROM people", epsilon=40)
        more = FRAME.with_columns(pl.concat_str(pl.lit("new "), "who").alias("who"))
        database.append("people", more)
        second = database.ask("SELECT COUNT(*) AS n FROM people", epsilon=40)
        assert abs(first.rows[0][0] - ROWS) < 5 and abs(second.rows[0][0] - 2 * ROWS) < 5  # type: ignore[operator]
        assert database.budget().remaining["epsilon"] == 20
        assert database.estimate("SELECT COUNT(*) AS n FROM people", epsilon=1).cost["epsilon"] == 1
        with pytest.raises(Spent):
            database.ask("SELECT SUM(age) AS n FROM people", epsilon=40)


def test_a_database_with_a_ledger_goes_on_after_it_was_closed(tmp_path: Path) -> None:
    for left in (2, 1, 0):
        with shoal.open_database(TOLD["data"], unit="who", budget=3, ledger=tmp_path / "l") as database:
            sql = f"SELECT COUNT(*) AS n{left} FROM people"
            assert database.ask(sql, epsilon=Fraction(1)).remaining["epsilon"] == left


def test_a_database_needs_a_budget() -> None:
    with pytest.raises(BadParameter, match="--budget"):
        open_database(**TOLD)


def test_a_project_file_says_all_about_the_data() -> None:
    with pytest.raises(BadParameter, match="leave data"):
        open_database(**TOLD, config="shoal.toml")


def test_the_rows_of_one_person_are_limited_as_declared() -> None:
    many = pl.DataFrame({"who": ["a"] * 300 + ["b"], "age": [1] * 301})
    for rows, most in ((1, 2), (300, 301)):
        given = {"data": {"t": many}, "unit": "who", "rows": rows}
        answer = ask(given, "SELECT COUNT(*) AS n FROM t", epsilon=900)
        assert abs(answer.rows[0][0] - most) <= 3  # type: ignore[operator]


def test_a_public_table_can_be_joined() -> None:
    towns = pl.DataFrame({"town": ["town 0", "town 1"], "country": ["here", "there"]})
    sql = "SELECT country, COUNT(*) AS n FROM people JOIN towns ON people.town = towns.town GROUP BY country"
    answer = ask(
        {
            **TOLD,
            "public": {"towns": towns},
            "keys": {"country": "here,there", "town": "town 0,town 1,town 2"},
        },
        sql,
        epsilon=500,
    )
    found: dict[Any, Any] = {row[0]: row[1] for row in answer.rows}
    assert abs(found["here"] - 134) <= 3 and abs(found["there"] - 133) <= 3
