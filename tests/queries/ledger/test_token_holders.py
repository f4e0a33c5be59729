"""Tokens: told once, kept as a hash, gone when they are taken back."""

import hashlib
from pathlib import Path

import pytest

from queries.ledger.books import PLENTY, opened
from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import People


@pytest.fixture
def people(ledger: Ledger) -> People:
    return People(ledger)


def test_a_token_finds_its_person_and_nobody_else(people: People) -> None:
    ada, bob = people.add("ada", "owner"), people.add("bob")
    assert ada.startswith("shoal_") and len(ada) == 49 and ada != bob
    found = people.find(ada)
    assert found is not None and (found.name, found.role, found.revoked) == ("ada", "owner", None)
    assert [person.name for person in people.all()] == ["ada", "bob"]
    assert set(found.to_json()) == {"name", "role", "since", "revoked"}


@pytest.mark.parametrize(
    "forged", ["", "shoal_", "shoal_' OR '1'='1", "shoal_" + "é" * 43, "shoal_" + "a" * 43, "x" * 10_000]
)
def test_a_forged_token_finds_nobody(people: People, forged: str) -> None:
    token = people.add("ada")
    assert people.find(forged) is None
    for near in (token[:-1], token + "a", token.upper(), token.removeprefix("shoal_"), f" {token}"):
        assert people.find(near) is None
    # the hash that is kept is no token
    assert people.find(hashlib.sha256(token.encode()).hexdigest()) is None
    assert people.find("shoal_" + hashlib.sha256(token.encode()).hexdigest()) is None


def test_a_token_taken_back_works_no_more_and_a_new_one_does(people: People, place: str) -> None:
    first = people.add("ada")
    second = people.renew("ada")
    assert people.find(first) is None and people.find(second) is not None
    people.revoke("ada")
    with open_ledger(place) as other:  # in every process, at once
        assert People(other).find(second) is None
    assert people.all()[0].revoked is not None
    third = people.renew("ada")
    found = people.find(third)
    assert found is not None and found.revoked is None
    assert people.find(second) is None


def test_whoever_waited_while_the_token_was_taken_back_spends_nothing(people: People, ledger: Ledger) -> None:
    """The door lets a question in, and it may wait in line for long."""
    people.add("eve")
    ledger.open("people", PLENTY, "refuse", "approximate")
    ledger.grant("people", "eve", PLENTY)
    ledger.reserve("people", "eve", Cost(1), "SELECT 1")
    people.revoke("eve")
    with pytest.raises(NotAllowed, match="ask its owner"):
        ledger.reserve("people", "eve", Cost(1), "SELECT 1")
    assert ledger.spent("people", "eve") == Cost(1)
    people.renew("eve")
    ledger.reserve("people", "eve", Cost(1), "SELECT 1")


def test_every_change_is_noted_and_agrees(people: People, ledger: Ledger) -> None:
    people.add("ada", "owner")
    people.add("bob")
    people.renew("ada")
    people.revoke("bob")
    noted = [(entry.kind, entry.analyst) for entry in ledger.entries(limit=4)]
    assert noted == [("revoke", "bob"), ("renew", "ada"), ("add", "bob"), ("add", "ada")]
    assert ledger.check().holds


def test_a_name_is_of_one_person_for_ever(people: People) -> None:
    people.add("ada")
    people.revoke("ada")
    with pytest.raises(BadParameter, match="called 'ada' already"):
        people.add("ada")


@pytest.mark.parametrize("name", ["", "-x", "a b", "ä", "x" * 64, "a\n", "../x"])
def test_a_bad_name_is_refused(people: People, name: str) -> None:
    with pytest.raises(BadParameter, match="no name"):
        people.add(name)


def test_what_is_unknown_is_told(people: People) -> None:
    with pytest.raises(BadParameter, match="no role 'king'"):
        people.add("ada", "king")
    for attempt in (people.renew, people.revoke):
        with pytest.raises(BadParameter, match="nobody is called 'eve'"):
            attempt("eve")


def test_no_file_holds_a_token(tmp_path: Path) -> None:
    with opened(str(tmp_path / "ledger.sqlite")) as ledger:
        token = People(ledger).add("grace")
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"grace" in content and token.encode() not in content
    assert token.removeprefix("shoal_").encode() not in content
