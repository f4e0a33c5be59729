"""Check digits prove what a number is, whatever its column is called."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn, verhoeff
from stdnum.ch import ssn as swiss
from stdnum.es import dni, nie
from stdnum.nl import bsn

from shoal.tables.discovery.checksums import CHECKED, ChecksumKind, find_checked
from shoal.tables.discovery.patterns import PATTERNS


def completed(kind: ChecksumKind, body: str) -> str:
    """The number that begins like this and passes: all endings are tried."""
    endings = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for first in ("", *endings[:10]):
        for last in endings:
            if kind.fits(f"{body}{first}{last}"):
                return f"{body}{first}{last}"
    return ""


# How a number of each kind begins; dates in it must be days of the calendar.
BEGINNINGS = {
    "it.codicefiscale": "RSSMRA{:02d}A01H501",
    "fr.nir": "1{:02d}0575123456",
    "ch.ssn": "756.1234.56{:02d}.",
    "es.dni": "123456{:02d}",
    "es.nie": "X12345{:02d}",
    "br.cpf": "3905331{:02d}",
    "cn.ric": "36042619910101{:02d}1",
    "pl.pesel": "440514{:02d}35",
    "be.nn": "850730{:02d}3",
    "se.personnummer": "880320-{:02d}1",
    "no.fodselsnummer": "151086{:02d}4",
    "dk.cpr": "2110625{:02d}",
    "fi.hetu": "131052-3{:02d}",
    "in_.aadhaar": "234123412{:02d}",
    "imei": "356864121313{:02d}",
    "gb.nhs": "9434765{:02d}",
    "nl.bsn": "111222{:02d}",
    "eu.vat": "NL0044956{:02d}B0",
}


def bodies(kind: ChecksumKind) -> list[str]:
    """How some numbers of a kind begin."""
    if kind.module == "de.idnr":  # ten digits of which one occurs twice and another not at all
        return ["".join(digits) + "426180" for digits in permutations("3657")]
    return [BEGINNINGS[kind.module].format(i) for i in range(30, 90)]


@pytest.mark.parametrize("kind", CHECKED, ids=lambda kind: kind.module)
def test_numbers_with_the_right_digits_are_known_and_random_ones_are_not(kind: ChecksumKind) -> None:
    right = [number for body in bodies(kind) if (number := completed(kind, body))]
    assert len(right) >= 8
    assert kind.matches(right)
    chance = Random(1)
    wrong = [
        "".join(chance.choice("0123456789") if sign.isdigit() else sign for sign in one) for one in right
    ]
    assert not kind.matches(wrong)


def test_few_numbers_do_not_convince_and_many_need_no_name() -> None:
    numbers = [f"{i:08d}{dni.calc_check_digit(f'{i:08d}')}" for i in range(12_345_000, 12_345_020)]
    assert find_checked(numbers[:7]) is None
    found = find_checked(numbers)
    assert found is not None and found.plural == "Spanish identity numbers"


def test_the_libraries_digits_are_those_that_pass() -> None:
    assert nie.is_valid("X-1234567-L")
    assert bsn.is_valid("111222333") and not bsn.is_valid("111222334")
    assert swiss.is_valid("756.9217.0769.85")
    assert verhoeff.is_valid("2363") and luhn.is_valid("79927398713")


@given(st.integers(0, 10**9), st.integers(8, 200))
def test_numbers_in_a_row_are_no_checked_numbers(start: int, count: int) -> None:
    assert find_checked([str(number) for number in range(start, start + count)]) is None


@given(st.lists(st.text(), max_size=10))
def test_no_text_breaks_the_search(values: list[str]) -> None:
    find_checked(values)


def test_every_kind_is_a_pattern_that_others_know() -> None:
    assert {kind.name for kind in CHECKED} <= {pattern.name for pattern in PATTERNS}
