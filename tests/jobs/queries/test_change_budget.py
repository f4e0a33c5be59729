"""Another budget by the owner's will: noted, counted at once, and the service starts again."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from jobs.projects import PROJECT, project
from queries.ledger.books import fresh_database
from shoal.core.errors import BadParameter, Spent
from shoal.jobs.queries import owner as owning
from shoal.jobs.queries.ask import Replied
from shoal.jobs.queries.change_budget import change_budget
from shoal.jobs.queries.project import open_service, project_of
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.token_holders import Person
from shoal.queries.service.dataset_registry import Registry

COUNT = "SELECT COUNT(*) AS n FROM people"
OWNER = Person("owner", "owner")


def told(place: Path, epsilon: str) -> None:
    """Write another ε into the project file."""
    place.write_text(place.read_text("utf-8").replace("epsilon = 4", f"epsilon = {epsilon}"), "utf-8")


def figures(replied: Replied, line: int = 0) -> list[float]:
    item: Any = dict(replied.outcome.to_json())["budgets"]
    return [item[line][part]["epsilon"] for part in ("limit", "spent", "remaining")]


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp", "pld"])
def test_a_raised_budget_counts_at_once_and_at_the_next_start(tmp_path: Path, accounting: str) -> None:
    text = PROJECT.replace('"approximate"', f'"{accounting}"')
    place = project(tmp_path, text.replace("delta = 1e-6", "") if accounting == "pure" else text)
    service = open_service(project_of(place))
    books = accounting_of(accounting)
    ask = Fraction(4) if accounting not in ("zcdp", "pld") else Fraction(7, 10)
    service.ask(OWNER, "clinic", COUNT, ask)
    with pytest.raises(Spent):
        service.ask(OWNER, "clinic", "SELECT SUM(age) AS n FROM people", ask)
    replied = change_budget(place, None, "clinic", None, "8.1")
    assert len(replied.notes) == 1 and "epsilon = 8.1" in replied.notes[0]
    assert figures(replied)[0] == pytest.approx(8.1, rel=1e-9)
    service.ask(OWNER, "clinic", "SELECT SUM(age) AS n FROM people", ask)
    service.close()
    with pytest.raises(BadParameter, match=r"--change-epsilon 4( |$)"):
        open_service(project_of(place))
    told(place, "8.1")
    again = open_service(project_of(place))
    again.close()
    with owning.ledger_at(place, None) as ledger:
        assert ledger.spent("clinic") == books.cost(ask, Fraction(0)) + books.cost(ask, Fraction(0))
        assert owning.check(ledger).holds
        kinds = [entry.kind for entry in ledger.entries("clinic")]
    assert kinds.count("change") == 1 and kinds.count("open") == 1


def test_the_project_file_may_be_written_first(tmp_path: Path) -> None:
    place = project(tmp_path)
    open_service(project_of(place)).close()
    told(place, "6")
    with pytest.raises(BadParameter, match=r"--change-epsilon 6 --change-delta 0\.000001"):
        open_service(project_of(place))
    assert not change_budget(place, None, None, None, 6).notes
    open_service(project_of(place)).close()


def test_a_budget_below_what_is_spent_refuses_everything_and_gives_nothing_back(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    service.ask(OWNER, "clinic", COUNT, Fraction(3))
    assert figures(change_budget(place, None, "clinic", None, "1")) == [1, 3, 0]
    with pytest.raises(Spent):
        service.ask(OWNER, "clinic", "SELECT SUM(age) AS n FROM people", Fraction(1, 100))
    service.close()
    told(place, "1")
    service = open_service(project_of(place))
    with pytest.raises(Spent):
        service.ask(OWNER, "clinic", "SELECT SUM(age) AS n FROM people", Fraction(1, 100))
    assert service.ledger.check().holds
    service.close()


def test_cut_off_between_the_ledger_and_the_folder_the_same_call_repairs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = project(tmp_path)
    open_service(project_of(place)).close()
    with monkeypatch.context() as patched:
        patched.setattr(Registry, "add", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            change_budget(place, None, "clinic", None, "6")
    told(place, "6")
    with pytest.raises(BadParameter, match="--change-epsilon"):
        open_service(project_of(place))
    change_budget(place, None, "clinic", None, "6")
    open_service(project_of(place)).close()


def test_one_analyst_gets_more_less_or_another_data_set(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    service.register(Dataset("other", (Table("t", (Column("u"),), "u"),), Budget(Fraction(3))))
    ada = service.find(service.add("ada", "analyst", "clinic", Fraction(1)))
    assert ada is not None
    service.ask(ada, "clinic", COUNT, Fraction(1))
    assert figures(change_budget(place, None, "clinic", "ada", "2")) == [2, 1, 1]
    service.ask(ada, "clinic", "SELECT SUM(age) AS n FROM people", Fraction(1))
    assert figures(change_budget(place, None, "other", "ada", "1")) == [1, 0, 1]
    service.ask(ada, "other", "SELECT COUNT(*) AS n FROM t", Fraction(1))
    replied = change_budget(place, None, "clinic", "ada", "99")
    assert figures(replied) == [4, 2, 2] and "smaller" in replied.notes[0]
    assert service.budget(OWNER, "clinic").limit["epsilon"] == 4
    with pytest.raises(BadParameter, match="nobody is called 'eve'"):
        change_budget(place, None, "clinic", "eve", "1")
    service.close()


def test_what_makes_no_sense_changes_nothing(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    service.register(Dataset("other", (Table("t", (Column("u"),), "u"),), Budget(Fraction(3))))
    ledger = tmp_path / "database" / "ledger.sqlite"
    before = len(service.ledger.entries())
    for words, why in (
        ((place, None, "nothing", None, "1"), "no data set 'nothing' in the ledger; there is clinic, other"),
        ((place, None, None, None, "1"), "which data set"),
        ((place, None, "clinic", None, "-1"), "--change-epsilon"),
        ((place, None, "clinic", None, "0"), "--change-epsilon"),
        ((place, None, "clinic", None, "1e400"), "--change-epsilon"),
        ((place, None, "clinic", None, "1", "0"), "needs a δ"),
        ((place, None, "clinic", None, "1", "1"), "--change-delta"),
        ((place, None, "other", None, "1", "1e-6"), "no δ"),
        ((None, ledger, "clinic", None, "1"), "--config"),
    ):
        with pytest.raises(BadParameter, match=why):
            change_budget(*words)
    assert len(service.ledger.entries()) == before
    service.close()
    open_service(project_of(place)).close()


def test_a_ledger_in_postgresql_is_changed_the_same_way(tmp_path: Path, postgres: str) -> None:
    address = fresh_database(postgres)
    place = project(tmp_path, PROJECT.replace('"database"', f'"database"\nledger = "{address}"', 1))
    service = open_service(project_of(place))
    asked = service.ask(OWNER, "clinic", COUNT, Fraction(4))
    assert asked.leaves is not None
    asked.leaves()
    assert figures(change_budget(place, None, "clinic", None, "5")) == [5, 4, 1]
    service.ask(OWNER, "clinic", "SELECT SUM(age) AS n FROM people", Fraction(1))
    service.close()
    told(place, "5")
    service = open_service(project_of(place))
    assert service.ask(OWNER, "clinic", COUNT, Fraction(4)).archived
    assert service.ledger.check().holds
    service.close()
