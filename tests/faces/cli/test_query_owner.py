"""`shoal query budget`, `analysts`, `log`, `check` and `serve`."""

import sqlite3
from pathlib import Path

import pytest

from faces.asking import COUNT, DECLARED, GROUPED, ask, project
from faces.shell import refused, shoal

LEDGER = "shoal-ledger.sqlite"


def test_budget_log_and_check_of_the_ledger_in_this_folder() -> None:
    ask(COUNT, "--budget", 2)
    whole, state = shoal("query", "budget", "--json").json["budgets"]
    assert (state["dataset"], state["analyst"]) == ("data", "owner")
    assert whole == {**state, "analyst": None}
    assert (state["limit"]["epsilon"], state["spent"]["epsilon"], state["remaining"]["epsilon"]) == (2, 1, 1)
    entries = shoal("query", "log", "--json").json["entries"]
    assert [entry["kind"] for entry in entries] == ["reserve", "grant", "open"]
    assert entries[0]["question"] == COUNT
    assert len(shoal("query", "log", "--limit", 1, "--json").json["entries"]) == 1
    assert shoal("query", "check", "--json").json["holds"] is True
    for command in ("budget", "log", "check"):
        assert shoal("query", command, "--ledger", LEDGER).code == 0


def test_a_ledger_changed_by_hand_fails_the_check() -> None:
    ask(COUNT, "--budget", 2)
    with sqlite3.connect(LEDGER) as hand:
        hand.execute("UPDATE accounts SET spent_loss = 0")
    hand.close()
    run = shoal("query", "check", "--json")
    assert run.code == 1 and run.json["holds"] is False and run.json["complaints"]


def test_analysts_come_and_go() -> None:
    project()
    config = ("--config", "shoal.toml", "--json")
    added = shoal("query", "analysts", "--add", "ada", "--dataset", "clinic", "--epsilon", 1, *config).json
    assert added["name"] == "ada" and added["token"].startswith("shoal_")
    renewed = shoal("query", "analysts", "--renew", "ada", *config).json
    assert renewed["token"] != added["token"]
    (known,) = shoal("query", "analysts", *config).json["analysts"]
    assert known["name"] == "ada" and known["revoked"] is None and "token" not in known
    (revoked,) = shoal("query", "analysts", "--revoke", "ada", *config).json["analysts"]
    assert revoked["revoked"] is not None
    states = shoal("query", "budget", "--dataset", "clinic", *config).json["budgets"]
    assert [(state["analyst"], state["limit"]["epsilon"]) for state in states] == [
        (None, 4),
        ("ada", 1),
        ("owner", 4),
    ]
    assert added["token"] not in Path("database/ledger.sqlite").read_bytes().decode("latin-1")


def test_a_budget_is_raised_and_lowered_on_purpose_and_the_database_opens_again() -> None:
    project()
    config = ("--config", "shoal.toml", "--json")
    first = shoal("query", "ask", COUNT, "--epsilon", 3, *config)
    assert first.code == 0
    text = Path("shoal.toml").read_text("utf-8")
    Path("shoal.toml").write_text(text.replace("epsilon = 4", "epsilon = 6"), "utf-8")
    told = refused("query", "ask", COUNT, "--epsilon", 2, *config)
    assert "--dataset clinic --change-epsilon 6" in told
    changed = shoal("query", "budget", "--dataset", "clinic", "--change-epsilon", 6, *config)
    assert changed.code == 0 and not changed.err
    whole = changed.json["budgets"][0]
    assert (whole["limit"]["epsilon"], whole["spent"]["epsilon"], whole["remaining"]["epsilon"]) == (6, 3, 3)
    assert shoal("query", "ask", COUNT, "--epsilon", 2, *config).code == 0
    lowered = shoal("query", "budget", "--change-epsilon", 5, *config)
    assert lowered.code == 0 and "epsilon = 5" in lowered.err
    Path("shoal.toml").write_text(text.replace("epsilon = 4", "epsilon = 5"), "utf-8")
    assert shoal("query", "ask", COUNT, "--epsilon", "0.1", *config).code == 1  # all 5 are spent
    assert shoal("query", "check", "--config", "shoal.toml").code == 0


def test_the_budget_of_files_can_be_raised_too() -> None:
    ask(COUNT, "--budget", 1)
    assert "--change-epsilon" in refused("query", "ask", COUNT, *DECLARED, "--epsilon", 1, "--budget", 3)
    assert shoal("query", "budget", "--change-epsilon", 3, "--json").code == 0
    assert ask(GROUPED).json["remaining"]["epsilon"] == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("budget",), "no ledger"),
        (("log",), "no ledger"),
        (("check",), "no ledger"),
        (("analysts",), "no ledger"),
        (("analysts", "--add", "a", "--revoke", "b"), "one at a time"),
        (("analysts", "--epsilon", 1), "for --add"),
        (("budget", "--config", "a", "--ledger", "b"), "leave --ledger out"),
        (("budget", "--service", "http://127.0.0.1:1", "--ledger", "b"), "do not go together"),
        (("log", "--service", "http://127.0.0.1:1"), "SHOAL_TOKEN"),
        (("budget", "--change-delta", "1e-6"), "--change-epsilon"),
        (("budget", "--change-epsilon", "nan"), "--change-epsilon is 'nan'"),
        (("budget", "--change-epsilon", "1", "--change-delta", "2"), "--change-delta 2"),
        (("budget", "--change-epsilon", "1"), "no ledger"),
        (("budget", "--service", "http://127.0.0.1:1", "--change-epsilon", "1"), "do not go together"),
        (("log", "--limit", "x"), "not a whole number"),
        (("serve",), "--config"),
        (("serve", "--config", "no.toml"), "no project file"),
        (("serve", "--config", "no.toml", "--port", "x"), "not a whole number"),
    ],
)
def test_bad_words_are_one_sentence(
    words: tuple[object, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOAL_TOKEN", raising=False)
    assert why in refused("query", *words)
