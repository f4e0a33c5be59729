"""What the values of a column look like: e-mail addresses, dates, names … and the HIPAA kind of each."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from stdnum import iban, luhn

from shoal.tables.column_decisions import Role
from shoal.tables.discovery.checksums import MOST, find_checked, most
from shoal.tables.discovery.column_names import has_hint, says_otherwise
from shoal.tables.discovery.first_names import FIRST_NAMES
from shoal.tables.discovery.name_vocabulary import DIRECT, QUASI

NEVER = r"(?!)"


@dataclass(frozen=True)
class HipaaKind:
    """One of the 18 identifier kinds that the Safe Harbor rule removes. 45 CFR 164.514(b)(2)(i)."""

    kind: int
    name: str
    description: str


HIPAA_KINDS = (
    HipaaKind(1, "names", "names of people"),
    HipaaKind(2, "places", "all geographic subdivisions smaller than a state, postal codes included"),
    HipaaKind(3, "dates", "all elements of dates about a person except the year, and ages over 89"),
    HipaaKind(4, "telephone numbers", "telephone numbers"),
    HipaaKind(5, "fax numbers", "fax numbers"),
    HipaaKind(6, "e-mail addresses", "electronic mail addresses"),
    HipaaKind(7, "social security numbers", "social security numbers"),
    HipaaKind(8, "medical record numbers", "medical record numbers"),
    HipaaKind(9, "health plan numbers", "health plan beneficiary numbers"),
    HipaaKind(10, "account numbers", "account numbers"),
    HipaaKind(11, "licence numbers", "certificate and licence numbers"),
    HipaaKind(12, "vehicle identifiers", "vehicle identifiers and serial numbers, licence plates included"),
    HipaaKind(13, "device identifiers", "device identifiers and serial numbers"),
    HipaaKind(14, "URLs", "web universal resource locators"),
    HipaaKind(15, "IP addresses", "internet protocol addresses"),
    HipaaKind(16, "biometric identifiers", "finger prints, voice prints and other biometric identifiers"),
    HipaaKind(17, "photographs", "full-face photographs and comparable images"),
    HipaaKind(18, "other codes", "any other unique identifying number, characteristic or code"),
)


@dataclass(frozen=True)
class Pattern:
    """A look that values can have, and what it says about their column.

    `sure` is a shape that convinces by itself, as for an e-mail address. `likely` is one that convinces
    only when the column's name says the same: without a name, a plate is any short code. `shy` is the part of
    `sure` that no longer convinces when the name says something else: F and M may be felony and misdemeanour.
    """

    name: str
    plural: str
    hipaa: int | None
    role: Role | None
    sure: str = NEVER
    likely: str = NEVER
    shy: str = NEVER
    check: Callable[[str], bool] = bool
    share: float = MOST

    def fits(self, value: str, named: bool = False) -> bool:
        """Whether one value looks like this, in a column that is `named` accordingly or not."""
        return self._shape(named).fullmatch(value) is not None and self.check(value)

    def matches(self, column: str, values: Sequence[str]) -> bool:
        """Whether most of a sample of distinct values look like this."""
        hints = DIRECT.get(self.name) or QUASI.get(self.name)
        named = hints is not None and has_hint(column, hints)
        if not values or (not named and self.sure == NEVER):
            return False
        if not most(values, lambda value: self.fits(value, named), self.share):
            return False
        return named or not self._is_shy(values) or not says_otherwise(column, self.name)

    def _is_shy(self, values: Sequence[str]) -> bool:
        return self.shy != NEVER and most(values, lambda value: re.fullmatch(self.shy, value) is not None)

    def _shape(self, named: bool) -> re.Pattern[str]:
        return _compile(rf"(?:{self.sure})|(?:{self.likely})" if named else self.sure)


@cache
def _compile(shape: str) -> re.Pattern[str]:
    return re.compile(shape, re.DOTALL)


def is_iban(value: str) -> bool:
    """ISO 13616, spaces and hyphens allowed. What banks of one country check besides is left alone."""
    return bool(iban.is_valid(value, check_country=False))


def is_luhn(value: str) -> bool:
    """ISO 7812: the check digit of payment cards."""
    return bool(luhn.is_valid(re.sub(r"[^0-9]", "", value)))


def is_ip_address(value: str) -> bool:
    """An address of version 4 or 6, with or without the length of its network."""
    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return False
    return True


def is_date(value: str) -> bool:
    """A day of the calendar: year first, or year last with day and month in either order."""
    if parts := re.match(r"(\d{4})[-/.]?(\d\d?)[-/.]?(\d\d?)(?!\d)", value):
        return _is_day(*map(int, parts.groups()))
    if parts := re.match(r"(\d\d?)[-/.](\d\d?)[-/.](\d{4}|\d\d)(?!\d)", value):
        first, second, year = map(int, parts.groups())
        year += 2000 if year < 100 else 0
        return _is_day(year, second, first) or _is_day(year, first, second)
    return re.fullmatch(_DATE_IN_WORDS, value) is not None


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return 1800 <= date(year, month, day).year <= 2200
    except ValueError:
        return False


def _is_phone(value: str) -> bool:
    return 7 <= sum(sign.isdigit() for sign in value) <= 15


def _is_age(value: str) -> bool:
    return float(value) <= 125


_CODE = r"(?!\d+\.\d+$)(?=.*\d)[A-Za-z0-9][A-Za-z0-9 ./_#-]{0,39}"
_MONTH = r"(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäéû]*\.?"
_DAY = r"\d\d?(?:st|nd|rd|th|\.)?"
_DATE_IN_WORDS = rf"(?i:{_DAY}[ -]{_MONTH},?[ -]\d{{2,4}}|{_MONTH} {_DAY},? \d{{4}})"
_CLOCK = r"(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AaPp][Mm])?(?:Z| ?UTC|[+-]\d\d:?\d\d)?)?"
_DATE = (
    rf"(?:\d{{4}}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2(?:\d{{4}}|\d\d)){_CLOCK}"  # the separators agree
    rf"|{_DATE_IN_WORDS}"
)
_EXTENSION = r"(?: ?(?:x|ext\.?) ?\d+)?"
_PHONE = (
    rf"(?:\+|00)\d[\d ()./-]{{5,}}\d{_EXTENSION}"
    rf"|(?:1[-. ])?\(?\d{{3}}\)?[-. ] ?\d{{3}}[-. ]\d{{4}}{_EXTENSION}"
    r"|\(?0\d{1,5}\)?(?:[ /-]\d{2,})+"
)
_STREET = (
    r"(?i:\d+[a-z]? [^\d,]+ (?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way)\b.*"
    r"|.*(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee) \d+ ?[a-z]?\b.*"
    r"|.*[^\W\d_]{2}(?:gat[ae]n?|vägen|stigen|gränden|veien|vegen|gade|vej|stræde|katu|kuja|tie) \d.*"
    r"|\d+(?: bis)?,? (?:rue|avenue|boulevard|place|chemin|impasse) .*"
    r"|(?:calle|avenida|plaza|paseo|c/) .*\d+.*)"
)
# ZIP+4, with a country's letters, British, Canadian; five bare digits could be anything.
_ZIP = r"\d{5}-\d{4}|[A-Z]{1,2}-\d{4,5}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d"
_SEX = (
    r"(?i:m|f|w|male|female|man|woman|mann|frau|männlich|weiblich|homme|femme|masculin|féminin"
    r"|hombre|mujer|masculino|femenino|varón|kvinna|kvinne|kvinde|mand|pojke|flicka|gutt|jente|dreng|pige"
    r"|mies|nainen)"
)
_SSN = r"(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_MAC = r"(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"
_IMAGE = r"(?i:.+\.(?:jpe?g|png|gif|bmp|tiff?|webp|heic))"
_VIN = r"(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}"
_CARD = r"[2-6]\d{3}(?:[ -]?\d){9,15}"
_IBAN = r"[A-Za-z]{2}\d\d[ -]?[A-Za-z0-9][A-Za-z0-9 -]{10,40}"
_MONEY = r"(?:[€$£¥₹]|zł|kr|EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|Kč)"
_DIGITS = r"[+-]?(?:\d+(?:[.,' \u00a0\u202f]\d+)*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = rf"{_DIGITS}|{_MONEY}\s?{_DIGITS}|{_DIGITS}\s?{_MONEY}"
_TITLE = (
    r"(?i:prof|dr|mr|mrs|ms|miss|herr|frau|mme|mlle|m|sr|sra|srta|lek|mgr|pan|pani|sig|dott|med|hab|inż)\.?"
)
_TITLED = rf"{_TITLE}(?: {_TITLE})* [^\W\d_a-zß-öø-ÿ]['’.]?[^\W\d_].*"
_NAME_WORD = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:['’.-][^\W\d_]*)*\.*"
_NAME = rf"{_NAME_WORD}(?:,? (?:(?:de|del|la|van|der|den|von|zu|di|da|al|bin) )*{_NAME_WORD}){{0,4}}"

# The first that matches wins, so what is sure of itself comes before what leans on the column's name.
# Between the two come numbers with check digits.
_SURE: tuple[Pattern, ...] = (
    Pattern("e-mail", "e-mail addresses", 6, "identifier", r"[^@\s]+@[^@\s]+\.[^@\s.]{2,}"),
    Pattern("url", "web addresses", 14, "identifier", r"(?:(?:https?|ftp)://|www\.)\S+"),
    Pattern("ip-address", "IP addresses", 15, "identifier", r"[0-9a-fA-F:./]{3,}", check=is_ip_address),
    Pattern("iban", "bank account numbers (IBAN)", 10, "identifier", _IBAN, check=is_iban),
    Pattern("card", "payment card numbers", 10, "identifier", _CARD, check=is_luhn),
    Pattern("uuid", "universally unique codes", 18, "identifier", _UUID),
    Pattern("photo", "image files", 17, "identifier", _IMAGE),
    Pattern("vehicle", "vehicle numbers (VIN)", 12, "identifier", _VIN),
    Pattern("ssn", "social security numbers", 7, "identifier", _SSN, r"[\dA-Z*][\dA-Z*. /-]{7,20}"),
)
_LIKELY: tuple[Pattern, ...] = (
    Pattern("date", "dates", 3, "quasi", _DATE, r"(?:18|19|20)\d{6}", check=is_date),
    Pattern("medical-record", "medical record numbers", 8, "identifier", r"MRN[- #:]?\d{3,}", _CODE),
    Pattern("case", "case numbers", 18, "identifier", likely=_CODE),
    Pattern("health-plan", "health plan numbers", 9, "identifier", likely=_CODE),
    Pattern(
        "plate", "licence plates", 12, "identifier", likely=r"(?=.*\d)[A-ZÄÖÜ0-9][A-ZÄÖÜa-z0-9 ·-]{2,10}"
    ),
    Pattern("licence", "licence or certificate numbers", 11, "identifier", likely=_CODE),
    Pattern("device", "device or serial numbers", 13, "identifier", _MAC, _CODE),
    Pattern("account", "account numbers", 10, "identifier", likely=_CODE),
    Pattern("biometric", "biometric data", 16, "identifier", likely=r".*"),
    Pattern("zip", "postal codes", 2, "quasi", _ZIP, r"(?=.*[\d*])[A-Z0-9*][A-Z0-9* -]{2,9}"),
    Pattern("fax", "fax numbers", 5, "identifier", likely=r"\+?[\d ()./-]{6,}", check=_is_phone),
    Pattern("phone", "telephone numbers", 4, "identifier", _PHONE, r"\+?[\d ()./-]{6,}", check=_is_phone),
    Pattern("year", "years", None, "quasi", r"(?:19|20)\d\d(?:\.0)?"),
    Pattern("age", "ages", 3, "quasi", likely=r"\d{1,3}(?:\.\d+)?", check=_is_age),
    Pattern("sex", "sex or gender", None, "quasi", _SEX, r".{1,20}", shy=r"[A-Za-z]"),
    Pattern("person-code", "numbers given to one person", 18, "identifier", likely=_CODE),
    Pattern("user-name", "user names", 18, "identifier", likely=r"\S{2,60}"),
    Pattern("address", "street addresses", 2, "identifier", _STREET, r".*[^\W\d_].*"),
    Pattern("free-text", "free text", None, None, r"\S+(?:\s+\S+){5,}\s*", share=0.5),
    Pattern("name", "names of people", 1, "identifier", likely=r"[^\W\d_][^\d@/\\]{0,60}"),
    Pattern("number", "numbers", None, None, _NUMBER),
)
PATTERNS = _SURE + _LIKELY
_NAMES_BY_TITLE = Pattern("name", "names of people", 1, "identifier", _TITLED)
_NAMES_BY_SHAPE = Pattern("name", "names of people", 1, "identifier", _NAME)
_FIRST_NAMES_NEEDED = 0.3  # no list knows all first names, but other columns hold hardly any


def find_pattern(column: str, values: Sequence[str]) -> Pattern | None:
    """The pattern of a column, from its name and a sample of its distinct values without missing ones."""
    for pattern in _SURE:
        if pattern.matches(column, values):
            return pattern
    if checked := find_checked(values):
        return Pattern(checked.name, checked.plural, checked.hipaa, "identifier")
    for pattern in _LIKELY:
        if pattern.matches(column, values):
            return pattern
    if _NAMES_BY_TITLE.matches(column, values):
        return _NAMES_BY_TITLE
    known = sum(map(_has_first_name, values))
    if known > _FIRST_NAMES_NEEDED * len(values) and _NAMES_BY_SHAPE.matches(column, values):
        return _NAMES_BY_SHAPE
    return None


def _has_first_name(value: str) -> bool:
    return any(word in FIRST_NAMES for word in re.split(r"[\s,.-]+", value.lower()))
