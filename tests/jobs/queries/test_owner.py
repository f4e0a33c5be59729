"""What an owner does on the ledger alone."""

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from jobs.projects import PROJECT, project
from shoal.core.errors import BadParameter, NotAllowed, Spent
from shoal.core.outcome import Outcome
from shoal.jobs.queries import owner as owning
from shoal.jobs.queries.project import open_service, project_of
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table

COUNT = "SELECT COUNT(*) AS n FROM people"


def test_an_analyst_is_let_in_and_out_while_the_service_runs(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    with owning.ledger_at(place, None, "clinic") as ledger:
        made = owning.add(ledger, "ada", "clinic", "0.5")
        assert made.to_json() == {"name": "ada", "role": "analyst", "token": made.token}
        person = service.find(made.token)
        assert person is not None
        answer = service.ask(person, "clinic", COUNT, Fraction(1, 2))
        assert answer.remaining["epsilon"] == 0
        with pytest.raises(Spent):
            service.ask(person, "clinic", "SELECT SUM(age) AS n FROM people", Fraction(1, 10))
        renewed = owning.renew(ledger, "ada")
        assert service.find(made.token) is None and service.find(renewed.token) is not None
        owning.revoke(ledger, "ada")
        assert service.find(renewed.token) is None
        assert [item["name"] for item in owning.people(ledger).items] == ["ada"]
    service.close()


def test_analysts_may_be_let_in_before_the_first_start(tmp_path: Path) -> None:
    place = project(tmp_path)
    with owning.ledger_at(place, None, "clinic") as ledger:
        token = owning.add(ledger, "ada", "clinic").token
    service = open_service(project_of(place))
    person = service.find(token)
    assert person is not None and service.budget(person, "clinic").limit["epsilon"] == 4
    service.close()


def test_without_a_word_an_analyst_gets_what_the_data_set_gives_to_each(tmp_path: Path) -> None:
    place = project(
        tmp_path, PROJECT.replace("delta = 1e-6", "delta = 1e-6\neach = {epsilon = 1, delta = 1e-7}")
    )
    for _ in range(2):  # before the first start, and after
        with owning.ledger_at(place, None, "clinic") as ledger:
            name = f"ada{len(owning.people(ledger).items)}"
            owning.add(ledger, name, "clinic", each=owning.each_of(place, "clinic"))
            (state,) = owning.budgets(ledger, "clinic", name).items
            assert state["limit"] == {"epsilon": 1, "delta": 1e-7}
        open_service(project_of(place)).close()


def test_analysts_are_let_in_to_a_data_set_that_only_the_folder_knows(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    table = Table("t", (Column("u"),), "u")
    service.register(Dataset("other", (table,), Budget(Fraction(3)), each=Budget(Fraction(1))))
    with owning.ledger_at(place, None, "other") as ledger:
        owning.add(ledger, "ada", "other", each=owning.each_of(place, "other"))
        (state,) = owning.budgets(ledger, "other", "ada").items
        assert state["limit"] == {"epsilon": 1, "delta": 0}
    service.close()


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp", "pld", "zcdp-listed"])
def test_a_grant_is_in_the_words_of_the_data_set(tmp_path: Path, accounting: str) -> None:
    text = PROJECT.replace('"approximate"', f'"{accounting}"')
    place = project(tmp_path, text.replace("delta = 1e-6", "") if accounting == "pure" else text)
    with owning.ledger_at(place, None, "clinic") as ledger:
        owning.add(ledger, "ada", "clinic", "2")
        (state,) = owning.budgets(ledger, analyst="ada").items
        assert state["accounting"] == accounting
        limit = state["limit"]
        assert isinstance(limit, dict) and limit["epsilon"] == pytest.approx(2, rel=1e-6)


def test_budgets_and_log_tell_everybody(tmp_path: Path) -> None:
    place = project(tmp_path)
    with owning.ledger_at(place, None, "clinic") as ledger:
        owning.add(ledger, "ada", "clinic", "1")
        listing = owning.budgets(ledger)
        assert [(item["dataset"], item["analyst"]) for item in listing.items] == [
            ("clinic", None),  # all together
            ("clinic", "ada"),
            ("clinic", "owner"),
        ]
        assert owning.budgets(ledger, "clinic", "ada").items == listing.items[1:2]
        assert listing.to_tables()["budgets"][1][1] == "all together"
        log = owning.log(ledger, None, None, 100)
        assert [item["kind"] for item in log.items] == ["grant", "add", "grant", "open"]
        assert len(owning.log(ledger, "clinic", "ada", 1).items) == 1
        for outcome in (listing, log, owning.people(ledger), owning.check(ledger)):
            assert isinstance(outcome, Outcome)
            for rows in outcome.to_tables().values():
                assert len({len(row) for row in rows}) == 1


def test_what_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with (
        pytest.raises(BadParameter, match=r"no ledger at 'shoal-ledger\.sqlite'"),
        owning.ledger_at(None, None),
    ):
        pass
    with pytest.raises(BadParameter, match="leave --ledger out"), owning.ledger_at("x", "y"):
        pass
    assert not list(tmp_path.iterdir())
    with pytest.raises(BadParameter, match="there is no ledger"), owning.ledger_at(project(tmp_path), None):
        pass
    with pytest.raises(BadParameter, match="no data set"), owning.ledger_at(project(tmp_path), None, "x"):
        pass
    assert not (tmp_path / "database").exists()
    with owning.ledger_at(project(tmp_path), None, "clinic") as ledger:
        for name, dataset, epsilon, why in (
            ("ada", "x", None, "no data set 'x'"),
            ("ada", None, "1", "which data set"),
            ("a b", None, None, "no name for a person"),
            ("a b", "clinic", "1", "no name for a person"),
            ("ada", "clinic", "0", "out of range"),
            ("owner", "clinic", "1", "name of the owner"),
        ):
            with pytest.raises(BadParameter, match=why):
                owning.add(ledger, name, dataset, epsilon)
        with pytest.raises(BadParameter, match="δ without an ε"):
            owning.add(ledger, "ada", "clinic", None, "0.1")
        assert not owning.people(ledger).items
        assert [item["kind"] for item in owning.log(ledger, None, None, 9).items] == ["grant", "open"]
        for change in (owning.renew, owning.revoke):
            with pytest.raises(BadParameter, match="nobody is called"):
                change(ledger, "bob")
        with pytest.raises((BadParameter, NotAllowed), match="no budget"):
            owning.budgets(ledger, "nothing")
        owning.add(ledger, "ada", None)
        with pytest.raises(BadParameter, match="already"):
            owning.add(ledger, "ada", "clinic", "1")


def test_a_ledger_that_was_changed_by_hand_is_found_out(tmp_path: Path) -> None:
    place = project(tmp_path)
    with owning.ledger_at(place, None, "clinic") as ledger:
        assert owning.check(ledger).holds
    with sqlite3.connect(tmp_path / "database" / "ledger.sqlite") as hand:
        hand.execute("UPDATE accounts SET limit_loss = 2 * limit_loss")
    hand.close()
    with owning.ledger_at(None, tmp_path / "database" / "ledger.sqlite") as ledger:
        verdict = owning.check(ledger)
        assert not verdict.holds and verdict.complaints
