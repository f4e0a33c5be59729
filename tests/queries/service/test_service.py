"""A folder that holds everything and goes on where it was."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from patience import LONG, all_done
from queries.service.houses import COUNT, House, clinic, furnish, rows
from shoal.core.errors import BadParameter, Spent
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.token_holders import Person
from shoal.queries.service.admission import Exists, NoDataset, NoPerson
from shoal.queries.service.service import Service
from shoal.queries.stores.duckdb_store import DuckStore


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()


def person(service: Service, token: str) -> Person:
    found = service.find(token)
    assert found is not None
    return found


def test_after_a_restart_everything_is_as_it_was(house: House) -> None:
    service = house.service
    ada = person(service, house.ada)
    first = service.ask(ada, "clinic", COUNT, Fraction(1))
    service.change(
        "clinic", "visits", pl.DataFrame({"id": ["x"], "age": ["1"], "ward": ["lung"], "ill": ["1"]}), False
    )
    service.revoke("bob")
    version = service._stores["clinic"].version
    state = service.budget(ada, "clinic")
    shown = service.shown(ada)
    service.close()
    again = Service(service.folder)
    assert again._stores["clinic"].version == version
    assert again.find(house.bob) is None
    ada = person(again, house.ada)
    assert again.budget(ada, "clinic") == state
    assert again.shown(ada) == shown
    assert [entry["kind"] for entry in again.log(ada, "clinic", 10)] == ["reserve", "grant"]  # type: ignore[index,call-overload]
    assert len(again.shown(person(again, house.owner))) == 2
    second = again.ask(ada, "clinic", COUNT, Fraction(1))
    assert not second.archived  # other rows, another question
    assert abs(float(first.rows[0][0] or 0) - float(second.rows[0][0] or 0)) < 200
    again.close()


def test_tokens_are_nowhere_in_the_folder(house: House) -> None:
    service = house.service
    service.ask(person(service, house.ada), "clinic", COUNT, Fraction(1))
    service.close()
    files = [path for path in service.folder.rglob("*") if path.is_file()]
    assert len(files) >= 6
    for path in files:
        content = path.read_bytes()
        for token in (house.owner, house.ada, house.bob):
            assert token.encode() not in content and token.removeprefix("shoal_").encode() not in content


def test_nobody_else_on_the_machine_can_look_into_the_folder(house: House) -> None:
    assert house.service.folder.stat().st_mode & 0o077 == 0


def test_a_second_service_in_the_same_folder_is_refused_even_from_another_process(house: House) -> None:
    with pytest.raises(BadParameter, match="running"):
        Service(house.service.folder)
    code = f"from shoal.queries.service.service import Service; Service({str(house.service.folder)!r})"
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=LONG
    )
    assert other.returncode == 1 and "running" in other.stderr
    house.service.close()
    Service(house.service.folder).close()


def test_a_declaration_in_a_file_registers_once_and_is_checked_later(tmp_path: Path) -> None:
    rows(50).write_csv(tmp_path / "visits.csv")
    dataset = replace(clinic(), sources=(("visits", str(tmp_path / "visits.csv")),))
    service = Service(tmp_path / "house")
    service.declare(dataset)
    owner = person(service, service.add("olga", "owner"))
    service.ask(owner, "clinic", COUNT, Fraction(1))
    service.close()
    (tmp_path / "visits.csv").unlink()  # needed for the first start only
    service = Service(tmp_path / "house")
    service.declare(dataset)
    assert service.budget(owner, "clinic").spent["epsilon"] == 1
    with pytest.raises(BadParameter, match=r"epsilon was .10. and is now .20.; .*--change-epsilon 20$"):
        service.declare(clinic(epsilon=20))
    with pytest.raises(BadParameter, match="new name"):
        service.declare(replace(clinic(epsilon=20), policy="warn"))
    assert service.budget(owner, "clinic").limit["epsilon"] == 10
    service.close()


def test_words_about_a_data_set_and_what_newcomers_get_may_change_at_a_later_start(tmp_path: Path) -> None:
    service = Service(tmp_path / "house")
    service.declare(clinic(), {"visits": rows(5)})
    first = person(service, service.add("ada", "analyst", "clinic"))
    service.close()
    changed = replace(clinic(each=Budget(Fraction(1, 4))), about="visits of last year")
    for _ in range(2):
        service = Service(tmp_path / "house")
        service.declare(changed)
        assert service.budget(first, "clinic").limit["epsilon"] == 10
        service.close()
    service = Service(tmp_path / "house")  # from the folder alone
    second = person(service, service.add("ben", "analyst", "clinic"))
    assert service.budget(second, "clinic").limit["epsilon"] == 0.25
    (shown,) = service.shown(second)
    assert isinstance(shown, dict) and shown["about"] == "visits of last year"
    service.close()


@pytest.mark.parametrize("how", ["deleted", "another"])
def test_a_folder_whose_ledger_is_lost_does_not_begin_with_a_new_budget(tmp_path: Path, how: str) -> None:
    service = Service(tmp_path / "house")
    service.declare(clinic(), {"visits": rows(5)})
    owner = person(service, service.add("olga", "owner"))
    service.ask(owner, "clinic", COUNT, Fraction(10))
    service.close()
    kept = (tmp_path / "house" / "ledger.sqlite").rename(tmp_path / "kept.sqlite")
    with pytest.raises(BadParameter, match=r"knows nothing of data set 'clinic'.*restore the ledger"):
        Service(tmp_path / "house", None if how == "deleted" else tmp_path / "another.sqlite")
    service = Service(tmp_path / "house", kept)
    with pytest.raises(Spent):
        service.ask(owner, "clinic", "SELECT SUM(age) AS n FROM visits", Fraction(1, 10))
    service.close()


def test_a_first_start_that_fails_half_way_can_be_repeated(tmp_path: Path) -> None:
    service = Service(tmp_path / "house")
    with pytest.raises(Exception, match="nowhere"):
        service.declare(clinic(), {"visits": str(tmp_path / "nowhere.csv")})
    assert service._registry.all() == []
    service.declare(clinic(), {"visits": rows(5)})
    service.close()


def test_rows_left_over_from_a_start_that_was_cut_off_are_not_taken_over(tmp_path: Path) -> None:
    service = Service(tmp_path / "house")
    store = DuckStore(clinic(), tmp_path / "house" / "datasets" / "clinic.duckdb")
    store.load("visits", rows(100))
    store.close()
    service.declare(clinic(epsilon=100), {"visits": rows(5)})
    owner = person(service, service.add("olga", "owner"))
    found = service.ask(owner, "clinic", COUNT, Fraction(100)).rows[0][0]
    assert abs(float(found or 0) - 5) < 2
    service.close()


class Elsewhere:
    """Rows that are not in the folder."""

    dialect = "duckdb"

    def __init__(self) -> None:
        self._store = DuckStore(clinic())
        self._store.load("visits", rows(5))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_a_store_of_ones_own_is_handed_in_at_every_start(tmp_path: Path) -> None:
    for start in range(2):
        service = Service(tmp_path / "house")
        store = Elsewhere()
        service.declare(clinic(), store=store)
        if start == 0:
            service.add("olga", "owner")
        (olga,) = service.people.all()
        assert len(service.shown(olga)) == 1
        service.ask(olga, "clinic", COUNT, Fraction(1))
        with pytest.raises(BadParameter, match="change them there"):
            service.change("clinic", "visits", rows(5), replace=False)
        service.close()
    service = Service(tmp_path / "house")
    with pytest.raises(BadParameter, match="address at every start"):
        service.declare(replace(clinic("other"), sources=(("visits", "postgres:"),)))
    assert service.shown(olga) == []  # without its store it cannot be asked
    with pytest.raises(Exists):
        service.register(clinic())
    service.close()


def test_a_data_set_without_a_grant_is_not_there(house: House) -> None:
    ada = person(house.service, house.ada)
    for name in ("secret", "nowhere"):
        with pytest.raises(NoDataset):
            house.service.ask(ada, name, COUNT, Fraction(1))
    house.service.grant("ada", "secret", Fraction(1))
    house.service.ask(ada, "secret", COUNT, Fraction(1))


def test_grants_come_from_what_the_data_set_gives_to_each(tmp_path: Path) -> None:
    service = Service(tmp_path / "house")
    service.register(clinic(each=Budget(Fraction(1, 4))), {"visits": rows(5)})
    ada = person(service, service.add("ada", "analyst", "clinic"))
    assert service.budget(ada, "clinic").limit["epsilon"] == 0.25
    with pytest.raises(BadParameter, match="no δ"):
        service.grant("ada", "clinic", Fraction(1), Fraction(1, 1000))
    with pytest.raises(BadParameter, match="without an ε"):
        service.grant("ada", "clinic", None, Fraction(1, 1000))
    service.close()


def test_a_grant_that_fails_lets_nobody_in(house: House) -> None:
    with pytest.raises(NoDataset):
        house.service.add("eve", "analyst", "nowhere")
    with pytest.raises(BadParameter):
        house.service.add("eve", "analyst", "clinic", Fraction(1), Fraction(1, 1000))
    assert "eve" not in [known.name for known in house.service.people.all()]
    with pytest.raises(NoPerson):
        house.service.revoke("eve")


def test_analysts_together_cannot_spend_more_than_the_data_set_has(house: House) -> None:
    ada, bob = person(house.service, house.ada), person(house.service, house.bob)
    house.service.ask(ada, "clinic", COUNT, Fraction("9.5"))
    with pytest.raises(Spent):
        house.service.ask(bob, "clinic", COUNT, Fraction("0.75"))
    house.service.ask(bob, "clinic", COUNT, Fraction("0.5"))


def test_rows_may_come_while_questions_are_asked(house: House) -> None:
    ada, failed = person(house.service, house.ada), []

    def work(action: Any) -> None:
        try:
            for number in range(20):
                action(number)
        except Exception as error:
            failed.append(error)

    def add(number: int) -> None:
        row = {"id": [f"new-{number}"], "age": ["3"], "ward": ["lung"], "ill": ["true"]}
        house.service.change("clinic", "visits", pl.DataFrame(row), replace=False)

    def ask(number: int) -> None:
        house.service.ask(ada, "clinic", f"{COUNT} WHERE age > {number}", Fraction(1, 100))

    def forget(number: int) -> None:
        house.service.forget(person(house.service, house.owner), "clinic", f"Patient-{number:05}")

    threads = [threading.Thread(target=work, args=(action,), daemon=True) for action in (add, ask, forget)]
    for thread in threads:
        thread.start()
    all_done(threads)
    assert failed == []


def test_the_ledger_of_a_team_may_be_in_postgresql(tmp_path: Path, postgres: str) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE shoal_service")
    postgres = postgres.removesuffix("/postgres") + "/shoal_service"
    house = furnish(tmp_path / "house", ledger=postgres)
    house.service.ask(person(house.service, house.ada), "clinic", COUNT, Fraction(2))
    house.service.close()
    assert not list((tmp_path / "house").glob("ledger*"))
    again = Service(tmp_path / "house", postgres)
    assert again.budget(person(again, house.ada), "clinic").spent["epsilon"] == 2
    again.close()
    text = b"".join(path.read_bytes() for path in (tmp_path / "house").rglob("*") if path.is_file())
    assert postgres.encode() not in text  # an address may hold a password
