"""Registers of the north of Europe: their columns are known by name, and their numbers by how they look."""

from random import Random

import polars as pl
import pytest

from shoal.tables.discovery.column_names import has_hint, words
from shoal.tables.discovery.discovery import look_at
from shoal.tables.discovery.name_vocabulary import QUASI
from shoal.tables.discovery.nordic_names import DIRECT, PERSON, REMARKS, SENSITIVE
from shoal.tables.discovery.patterns import find_pattern
from shoal.tables.table import Table

ROLES = {
    "identifier": "Efternamn, Fornavn, Gatuadress, Etternavn, Sukunimi, Mellaninitial, Lærer, Handläggare",
    "quasi": "Kön, Kjønn, Køn, Sukupuoli, Civilstånd, Sivilstand, Kommun, Kotikunta, Modersmål, Klasse",
    "sensitive": "Insats, Sykdom, Betyg, Karakter, Ytelse, Støtte, Inkomst, Fackförbund, Flyktning, Fravær",
}


@pytest.mark.parametrize(("role", "column"), [(r, c) for r, all_ in ROLES.items() for c in all_.split(", ")])
def test_a_column_has_the_role_that_its_name_tells(role: str, column: str) -> None:
    chance = Random(1)
    cells = pl.Series(column, [chance.choice(["Qua", "Bri", "Zol"]) for _ in range(200)])
    found = look_at(Table(pl.DataFrame([cells])))[column]
    assert (found.role, found.understood) == (role, True), found.reason


def test_every_hint_is_written_without_accents() -> None:
    for hints in (PERSON, REMARKS, *DIRECT.values(), *SENSITIVE.values()):
        assert all(words(hint) for hint in hints.split(",")) and hints.isascii()


@pytest.mark.parametrize("column", ["lon", "longitude"])
def test_a_longitude_is_no_wage(column: str) -> None:
    assert has_hint(column, QUASI["place"])
    assert not any(has_hint(column, hints) for hints in SENSITIVE.values())


def test_danish_personal_numbers_are_known_without_check_digits_and_without_a_name() -> None:
    cells = [f"{1 + row % 28:02}{1 + row % 12:02}{50 + row % 40}-{row * 37 % 5000:04}" for row in range(40)]
    found = find_pattern("xq", cells)
    assert found is not None and found.plural == "Danish personal numbers"


def test_streets_of_the_north_are_addresses_and_gates_are_not() -> None:
    found = find_pattern(
        "xq", ["Storgatan 5B", "Kyrkogatan 12", "Skolvägen 3", "Nørregade 7", "Hämeenkatu 2"]
    )
    assert found is not None and found.name == "address"
    assert find_pattern("xq", ["Gate 5", "Gate 12", "Gate 7"]) is None
