"""`shoal query ask`, `mechanism`, `learn` and `stream`."""

import json
from pathlib import Path

import pytest

from faces.asking import COUNT, DECLARED, GROUPED, TABLE, ask, project
from faces.shell import contents, refused, shoal

LEDGER = "shoal-ledger.sqlite"


def test_ask_prints_what_the_contract_says() -> None:
    run = ask(GROUPED, epsilon="0.5")
    assert run.code == 0, run.err
    document = run.json
    assert run.out.count("\n") == 1
    assert document["columns"] == ["sex", "n", "age"]
    assert [row[0] for row in document["rows"]] == ["F", "M", None]
    assert document["error"]["sex"] is None and document["error"]["n"] > 0
    for row, intervals in zip(document["rows"], document["interval"], strict=True):
        assert intervals[0] is None and intervals[1][0] <= row[1] <= intervals[1][1]
    assert document["spent"] == {"epsilon": 0.5, "delta": 0}
    assert document["remaining"] == {"epsilon": 0, "delta": 1e-6}


def test_without_a_budget_nothing_is_kept_and_one_remark_says_so() -> None:
    before = contents()
    run = ask(COUNT)
    assert contents() == before
    assert run.err.count("no budget is kept") == 1 and "--budget E" in run.err
    assert run.err.count("\n") == 1


def test_tables_are_for_people() -> None:
    run = shoal("query", "ask", GROUPED, *DECLARED, "--epsilon", 1)
    assert "answer" in run.out and "±" in run.out and "this question" in run.out


def test_the_question_may_come_from_standard_input() -> None:
    assert ask("-", stdin=COUNT.encode()).json["columns"] == ["n"]
    assert "not UTF-8" in refused("query", "ask", "-", *TABLE, "--epsilon", 1, stdin=b"SELECT '\xff'")
    both = ("--data", "patients=-", "--unit", "name", "--epsilon", 1)
    assert "both want standard input" in refused("query", "ask", "-", *both)


def test_a_table_may_come_from_standard_input() -> None:
    words = ("--data", "patients=-", "--unit", "name", "--epsilon", 1, "--json")
    run = shoal("query", "ask", COUNT, *words, stdin=Path("patients.csv").read_bytes())
    assert run.code == 0 and run.json["columns"] == ["n"]
    assert "--ledger" in refused(
        "query", "ask", COUNT, *words, "--budget", 1, stdin=Path("patients.csv").read_bytes()
    )


def test_the_budget_is_honoured_from_call_to_call_until_it_is_spent() -> None:
    first = ask(COUNT, "--budget", 2)
    assert first.json["remaining"]["epsilon"] == 1
    assert "no budget is kept" not in first.err
    again = ask(COUNT)
    assert again.json["archived"] is True and again.json["rows"] == first.json["rows"]
    assert again.json["spent"]["epsilon"] == 0
    assert ask(GROUPED).json["remaining"]["epsilon"] == 0
    run = ask("SELECT SUM(age) AS n FROM patients")
    assert run.code == 1 and run.out == ""
    assert run.err.splitlines()[-1].startswith("shoal: the question costs ε=1")
    assert Path(LEDGER).exists()


def test_a_budget_that_differs_is_refused_with_both_values() -> None:
    ask(COUNT, "--budget", 2)
    sentence = refused("query", "ask", COUNT, *DECLARED, "--epsilon", 1, "--budget", 3)
    assert "ε=2" in sentence and "--budget 3" in sentence


def test_a_ledger_of_another_name() -> None:
    assert ask(COUNT, "--ledger", "mine", "--budget", 2).code == 0
    assert Path("mine").exists() and not Path(LEDGER).exists()
    assert ask(GROUPED, "--ledger", "mine").json["remaining"]["epsilon"] == 0
    assert "begin one with --budget" in refused(
        "query", "ask", COUNT, *DECLARED, "--epsilon", 1, "--ledger", "other"
    )


def test_an_estimate_spends_nothing() -> None:
    run = ask(COUNT, "--estimate", "--budget", 2)
    assert run.json["cost"]["epsilon"] == 1 and run.json["remaining"]["epsilon"] == 2
    assert not Path(LEDGER).exists()


def test_a_chart_is_drawn_beside_the_answer() -> None:
    run = ask(GROUPED, "--chart", "answer.svg")
    assert run.code == 0 and Path("answer.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp"])
def test_every_accounting(accounting: str) -> None:
    assert ask(COUNT, "--accounting", accounting, "--budget", 8).json["spent"]["epsilon"] == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "no question given"),
        ((COUNT, "--epsilon", 1), "no private table"),
        ((COUNT, "--data", "patients=patients.csv", "--epsilon", 1), "whose rows"),
        ((COUNT, *TABLE), "--epsilon"),
        ((COUNT, *TABLE, "--epsilon", "x"), "'x'"),
        ((COUNT, *TABLE, "--epsilon", "-1"), "'-1'"),
        ((COUNT, *TABLE, "--epsilon", 1, "--epsilon", 2), "given 2 times"),
        ((COUNT, *TABLE, "--epsilon", 1, "--rows", "x"), "not a whole number"),
        ((COUNT, *TABLE, "--epsilon", 1, "--rows", 0), "from 1 on"),
        ((COUNT, *TABLE, "--epsilon", 1, "--bounds", "age"), "COLUMN=LOW:HIGH"),
        ((COUNT, *TABLE, "--epsilon", 1, "--bounds", "height=0:9"), "speaks of 'height'"),
        ((COUNT, *TABLE, "--epsilon", 1, "--bounds", "age=0:9", "--bounds", "age=0:8"), "twice"),
        ((COUNT, *TABLE, "--epsilon", 1, "--kind", "age=whole"), "kind"),
        ((COUNT, "--data", "patients.csv", "--unit", "name", "--epsilon", 1), "NAME=FILE"),
        ((COUNT, "--data", "patients=no.csv", "--unit", "name", "--epsilon", 1), "no file"),
        ((COUNT, *TABLE, "--epsilon", 1, "--accounting", "loose"), "no accounting"),
        ((COUNT, *TABLE, "--epsilon", 1, "--delta", "2"), "out of range"),
        (("SELECT name FROM patients", *TABLE, "--epsilon", 1, "--rows", 1), "name"),
        (("DROP TABLE patients", *TABLE, "--epsilon", 1), "only SELECT"),
        (("SELECT COUNT(*) FROM 'patients.csv'", *TABLE, "--epsilon", 1), "patients"),
        (("SELECT SUM(age) FROM patients", *TABLE, "--epsilon", 1), "SUM needs a number"),
        ((COUNT, *TABLE, "--epsilon", 1, "--dataset", "x"), "--config or --service"),
        ((COUNT, *TABLE, "--epsilon", 1, "--config", "x"), "do not go together"),
        ((COUNT, "--epsilon", 1, "--service", "http://127.0.0.1:1", "--budget", 1), "do not go together"),
        ((COUNT, "--epsilon", 1, "--service", "http://127.0.0.1:1"), "SHOAL_TOKEN"),
        ((COUNT, *TABLE, "--epsilon", 1, "--token-file", "x"), "--service"),
        ((COUNT, "--epsilon", 1, "--config", "no.toml"), "no project file"),
        ((COUNT, *TABLE, "--epsilon", 1, "--chart", "patients.csv"), "extension"),
    ],
)
def test_bad_words_are_one_sentence_and_nothing_is_written(words: tuple[object, ...], why: str) -> None:
    assert why in refused("query", "ask", *words)
    if "--data" in words and not {"--config", "--budget"} & set(words):
        assert why in refused("query", "ask", *words, "--budget", 9)


def test_a_project_file_is_asked_by_its_owner() -> None:
    project()
    words = ("--config", "shoal.toml", "--dataset", "clinic", "--epsilon", 1, "--json")
    first = shoal("query", "ask", COUNT, *words)
    assert first.code == 0 and first.json["remaining"]["epsilon"] == 3
    assert shoal("query", "ask", COUNT, *words).json["archived"] is True
    assert "no data set 'x'" in refused(
        "query", "ask", COUNT, "--config", "shoal.toml", "--dataset", "x", "--epsilon", 1
    )


def test_no_service_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_TOKEN", "shoal_x")
    sentence = refused(
        "query", "ask", COUNT, "--epsilon", 1, "--service", "http://127.0.0.1:1", "--dataset", "a"
    )
    assert "no answer from" in sentence
    assert "would send the token" in refused(
        "query", "ask", COUNT, "--epsilon", 1, "--service", "http://example.org"
    )


def test_a_mechanism_is_drawn_from() -> None:
    run = shoal("query", "mechanism", "laplace(epsilon=900,sensitivity=1)", "--value", 14, "--json")
    assert json.loads(run.out)["released"] == 14 and "no ledger notes" in run.err
    run = shoal("query", "mechanism", "histogram(epsilon=900)", "--values", "3,0,5", "--json")
    assert run.json["released"] == [3, 0, 5]
    run = shoal("query", "mechanism", "exponential(epsilon=900)", "--scores", "3,90,5", "--json")
    assert run.json["released"] == 1
    run = shoal("query", "mechanism", "laplace(epsilon=0.5,sensitivity=7)", "--value", 14)
    assert "13.98" in run.out  # 7 / 0.5, on whole numbers a little less


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("laplace(epsilon=1)",), "give the true numbers once"),
        (("laplace(epsilon=1)", "--value", 1, "--values", 1), "give the true numbers once"),
        (("laplace(epsilon=1)", "--value", "1.5"), "--real"),
        (("laplace(epsilon=0)", "--value", 1), "above 0"),
        (("nothing", "--value", 1), "no mechanism"),
    ],
)
def test_a_draw_that_makes_no_sense_is_refused(words: tuple[object, ...], why: str) -> None:
    assert why in refused("query", "mechanism", *words)
