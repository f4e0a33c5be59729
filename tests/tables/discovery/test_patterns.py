"""Values are recognised by their look, with the column's name as a witness where the look is common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.discovery.patterns import HIPAA_KINDS, PATTERNS, find_pattern, is_date, is_iban, is_luhn


def name_of(column: str, *values: str) -> str | None:
    pattern = find_pattern(column, values)
    return pattern.name if pattern else None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a.b@example.org", "mueller@uni-x.de"], "e-mail"),
        (["https://example.org/x", "www.example.com"], "url"),
        (["192.168.0.1", "10.0.0.255"], "ip-address"),
        (["2001:db8::1", "fe80::1"], "ip-address"),
        (["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], "iban"),
        (["4111 1111 1111 1111", "5500000000000004"], "card"),
        (["123-45-6789", "001-01-0001"], "ssn"),
        (["1HGCM82633A004352", "WVWZZZ1JZXW000001"], "vehicle"),
        (["00:1B:44:11:3A:B7", "00-1b-44-11-3a-b8"], "device"),
        (["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"], "uuid"),
        (["faces/001.jpg", "b.PNG"], "photo"),
        (["MRN-004711", "MRN123456"], "medical-record"),
        (["+49 351 1234567", "+1 (212) 555-0100"], "phone"),
        (["212-555-0100", "(212) 555-0101"], "phone"),
        (["2020-02-29", "1999-12-31T23:59:59Z"], "date"),
        (["31.12.1999", "1.2.2003"], "date"),
        (["12/31/1999", "02/28/2001"], "date"),
        (["3 March 1999", "Jan 12, 2003", "5. Mai 1988"], "date"),
        (["SW1A 1AA", "M1 1AE"], "zip"),
        (["02139-1234"], "zip"),
        (["1987", "2003"], "year"),
        (["m", "F"], "sex"),
        (["weiblich", "männlich"], "sex"),
        (["12 Main Street", "7 Elm Ave, Apt 2"], "address"),
        (["Hauptstraße 5", "Lindenweg 12 b"], "address"),
        (["10 rue de la Paix"], "address"),
        (["John Smith", "Maria de la Cruz", "Xu Zhang"], "name"),
        (["the patient came in with a headache", "was told to rest for two weeks"], "free-text"),
        (["1", "2.5", "-3e4"], "number"),
        (["red", "green"], None),
        (["Paris", "London", "New York", "Dresden"], None),
        ([], None),
    ],
)
def test_a_look_that_is_sure_needs_no_name(values: list[str], expected: str | None) -> None:
    assert name_of("x", *values) == expected


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("phone", "2125550100", "phone"),
        ("Telefonnummer", "0351123456", "phone"),
        ("fax", "+49 351 1234567", "fax"),
        ("zip", "02139", "zip"),
        ("PLZ", "01067", "zip"),
        ("zip", "476**", "zip"),
        ("ssn", "123456789", "ssn"),
        ("patient_id", "P000123", "medical-record"),
        ("policy_number", "H-99812", "health-plan"),
        ("Kennzeichen", "DD-AB 123", "plate"),
        ("passport", "C01X00T47", "licence"),
        ("Seriennummer", "SN-8812", "device"),
        ("Kontonummer", "0532013000", "account"),
        ("fingerprint", "a8f3", "biometric"),
        ("employee_id", "E17", "person-code"),
        ("age", "47", "age"),
        ("geburtsdatum", "19870131", "date"),
        ("sex", "2", "sex"),
        ("address", "The Old Mill", "address"),
        ("Nachname", "Żółć", "name"),
        ("apellidos", "García Márquez", "name"),
    ],
)
def test_a_common_look_needs_the_name_as_witness(column: str, value: str, expected: str) -> None:
    assert name_of(column, value) == expected
    assert name_of("x", value) != expected


def test_what_the_values_are_sure_of_beats_the_name() -> None:
    assert name_of("passport_date", "2020-01-31") == "date"
    assert name_of("address", "a@example.org") == "e-mail"


def test_most_values_are_enough_but_half_are_not() -> None:
    addresses = [f"person{i}@example.org" for i in range(18)]
    assert name_of("x", *addresses, "none given", "ask her") == "e-mail"
    assert name_of("x", *addresses[:9], *(f"no {i}" for i in range(9))) is None


def test_an_iban_with_a_typing_error_is_none() -> None:
    assert is_iban("DE89370400440532013000")
    assert not is_iban("DE89370400440532013001")


def test_days_that_never_were_are_no_dates() -> None:
    assert is_date("2000-02-29")
    assert not is_date("1900-02-29")
    assert not is_date("31.31.2000")


@given(st.integers(min_value=0, max_value=10**15))
def test_exactly_one_check_digit_passes(number: int) -> None:
    assert sum(is_luhn(f"{number}{digit}") for digit in range(10)) == 1


@given(st.text(), st.lists(st.text(), max_size=5))
def test_no_text_breaks_the_search(column: str, values: list[str]) -> None:
    find_pattern(column, values)


def test_the_safe_harbor_kinds_are_eighteen_and_patterns_point_at_them() -> None:
    assert [kind.kind for kind in HIPAA_KINDS] == list(range(1, 19))
    used = {pattern.hipaa for pattern in PATTERNS} - {None}
    assert used == {kind.kind for kind in HIPAA_KINDS}
