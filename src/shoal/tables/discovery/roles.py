"""Which role a column should have, from what it is called, what its values look like and how they repeat."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.tables.appraisal.packed_columns import Ints, code_values
from shoal.tables.column_decisions import Role
from shoal.tables.discovery.column_names import has_hint, topic
from shoal.tables.discovery.name_vocabulary import DIRECT, HARMLESS, QUASI, REMARKS, SAID, SENSITIVE
from shoal.tables.discovery.patterns import Pattern, find_pattern
from shoal.tables.discovery.value_vocabulary import find_content
from shoal.tables.measures.separation import separated_share
from shoal.tables.model_inputs.text_values import texts

SAMPLE_VALUES = 1_000  # distinct values looked at for a pattern
LONGEST_VALUE = 500  # characters of a value looked at; longer ones are free text anyway
NEARLY_UNIQUE = 0.95  # the share of rows with a value that no other row has
MANY_NUMBERS = 0.5  # distinction from which what is named like a number was given to one person
MANY_VALUES = 0.05  # distinction from which a column helps to single people out
ROWS_EACH = 1.5  # on average, from which a key repeats
FEWEST_KEYS = 10  # values that a key has at least
TELLING = 0.9  # separation that it has at least
MOST_CODES = 0.95  # the share of values with a digit and no gap in them
SHARP = 0.99  # separation from which it does so too, as a hundred equally frequent values would
UNTOLD = "only {:,} different values, and nothing points at a person"
SOME_CELLS = 0.1  # the share of cells with several facts from which a column is not looked into any further
# Names of columns that stand for one person wherever they repeat, beside those of numbers given to one.
KEYS = (
    "={person}, {person} ref*, {person} uuid, {person} pseudonym*, =id, =uid, =uuid, =guid, =pid, =subj, "
    "=mac, mac addr*, =device, =imei, =login, pseudonym*, =benutzer, =nutzer, =utilisateur, =usuario"
)
# Patterns of values that stand for one person or what one person carries: the address of a phone's radio.
LOOKS_GIVEN_TO_ONE = (
    "e-mail", "iban", "card", "ssn", "person-code", "medical-record", "health-plan", "device", "phone",
    "user-name", "plate", "vehicle",
)  # fmt: skip
NUMBERS_OF_PEOPLE = ("ssn", "person-code", "medical-record")
SOME_TWICE = 0.01  # the share of further rows of people from which they are counted, and not rows
# People who serve the one that a row is about; their keys repeat in any table.
SERVING = (
    "doctor, physician, nurse, provider, officer, manager, supervisor, teacher, host, owner, reviewer, "
    "author, driver, staff, guardian, spouse, partner, parent, father, mother, contact, arzt, lehrer, "
    "medecin, medico, lakare, lege, fastlege, laege, laakari, larare, laerer, opettaja, handlaggare, "
    "saksbehandler, sagsbehandler, kontaktperson"
)
# Colleagues know it, though its name speaks of costs.
UNITS = {"occupation": "cost cent*, cost ctr*, kostenstelle*, centre de cout*, centro de cost*, kostenplaats"}
# JSON, XML, and what Python prints of a dictionary or a list of texts; an interval such as [20, 30) is none.
_SEVERAL = re.compile(r"""\s*(?:\{\s*["']?\w|\[\s*["'{]|<[A-Za-z][^>]*>)""")
_CODE = re.compile(r"(?=.*\d)[\w.:@#/-]+")
_OPAQUE = re.compile(
    r"(?=.*[0-9])(?=.*[a-f])[0-9a-f-]{6,}|(?=.*[0-9])(?=.*[A-F])[0-9A-F-]{6,}|[A-Za-z]{1,4}[-_]?\d{6,}"
)
_SENTENCE = re.compile(r"(?:\S*[^\W\d_]\S*\s+){2}\S")  # three words
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_FOREIGN = re.compile(r"[^A-Za-z\u00c0-\u024f]*[^\W\d_A-Za-z\u00c0-\u024f][^A-Za-z\u00c0-\u024f]*")
MISSING_MARKS = ("", "?", "-", ".", "*", "na", "n/a", "nan", "null", "none", "unknown")


@dataclass(frozen=True)
class ColumnReport:
    """What a column looks like, the role it should have, and why; `understood` is false for a mere guess.

    A `key` stands for one person in several rows: k counts rows then, not people.
    """

    role: Role
    reason: str
    distinction: float
    separation: float
    pattern: str | None
    understood: bool = True
    key: bool = False


@dataclass(frozen=True)
class Column:
    """One column as numbers: a code per row, and the counts that follow from it."""

    name: str
    codes: Ints
    values: int
    single: int
    separation: float
    decimal: bool
    pattern: Pattern | None
    sample: tuple[str, ...] = ()

    @property
    def distinction(self) -> float:
        return self.values / len(self.codes)


def encode(series: pl.Series) -> Column:
    """A column as numbers, with the pattern that its values follow."""
    values = texts(series)
    codes = code_values(values)
    sizes = np.bincount(codes)
    alike = int((sizes * (sizes - 1)).sum())
    sample = _sample(values, codes)
    pattern = find_pattern(series.name, sample)
    return Column(
        name=series.name,
        codes=codes,
        values=int((sizes > 0).sum()),
        single=int((sizes == 1).sum()),
        separation=separated_share(len(codes), alike),
        decimal=pattern is not None and pattern.name == "number" and any(map(_is_decimal, sample)),
        pattern=pattern,
        sample=tuple(sample),
    )


def _sample(values: pl.Series, codes: Ints) -> list[str]:
    """Some distinct values, evenly spaced in the order in which they first occur."""
    first = np.full(int(codes.max()) + 1, -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # written backwards, so the first occurrence stays
    first = np.sort(first[first >= 0])
    chosen = (
        values.gather(first[:: -(-len(first) // SAMPLE_VALUES)])
        .drop_nulls()
        .str.strip_chars()
        .str.head(LONGEST_VALUE)
    )
    return [value for value in chosen.to_list() if value.lower() not in MISSING_MARKS]


def _is_decimal(value: str) -> bool:
    """Whether a number has a part after the point, or after a comma that groups no thousands."""
    point = re.search(r"[.,](\d*)\D*$", value)
    return point is not None and ("." in point[0] or len(point[1]) != 3) and bool(point[1].rstrip("0"))


def look(column: Column) -> ColumnReport:
    """What a column looks like by itself, and the role that follows."""
    pattern = column.pattern.name if column.pattern else None
    key = _repeated_key(column)
    told = key or _suggest(column)
    role, reason = told or _by_counts(column)
    understood = told is not None or _shown_by_counts(column, role)
    counted = key is not None and not has_hint(column.name, SERVING)
    return ColumnReport(role, reason, column.distinction, column.separation, pattern, understood, counted)


def only_counted(column: Column) -> bool:
    """Whether neither name nor values say what a column holds."""
    return _repeated_key(column) is None and _suggest(column) is None


_GIVEN_TO_ONE = {
    name: DIRECT[name]
    for name in ("person-code", "medical-record", "health-plan", "account", "device", "user-name")
}


def _repeated_key(column: Column) -> tuple[Role, str] | None:
    """A name or number that stands for the same person in several rows."""
    rows = len(column.codes)
    if column.values < FEWEST_KEYS or column.separation < TELLING:
        return None
    if rows < ROWS_EACH * column.values and not _numbers_some_twice(column):
        return None
    if column.decimal or (column.pattern is not None and column.pattern.role in ("quasi", "sensitive")):
        return None
    if not _looks_given_to_one(column):
        shape = _CODE if has_hint(column.name, KEYS) or topic(column.name, _GIVEN_TO_ONE) else _OPAQUE
        codes = sum(bool(shape.fullmatch(value)) for value in column.sample)
        if codes < MOST_CODES * len(column.sample):
            return None
    return (
        "identifier",
        f"stands for one person in several rows ({column.values:,} values in {rows:,} rows), "
        "so k would count rows, not people",
    )


def _numbers_some_twice(column: Column) -> bool:
    """Whether some people have several rows in a column whose values are surely numbers of people."""
    if column.pattern is None or column.pattern.name not in NUMBERS_OF_PEOPLE:
        return False
    sizes = np.bincount(column.codes)
    again = len(column.codes) - int(sizes.max()) - (column.values - 1)  # the largest group may be gaps
    return again >= SOME_TWICE * len(column.codes)


def _looks_given_to_one(column: Column) -> bool:
    """Whether the values themselves, whatever the column is called, are of a kind that one person has."""
    return (
        column.pattern is not None
        and column.pattern.name in LOOKS_GIVEN_TO_ONE
        and not has_hint(column.name, SERVING)
    )


def _suggest(column: Column) -> tuple[Role, str] | None:
    """The role and the reason, by the surest evidence; none where counts alone can tell.

    What is sensitive comes before quasi-identifiers, because only name or values can show it, while counts
    also show what singles people out.
    """
    return (
        _by_looks(column)
        or _by_what_hides(column)
        or _by_number(column, NEARLY_UNIQUE)
        or _by_name(column, "quasi", UNITS)
        or _by_name(column, "sensitive", SENSITIVE)
        or _by_contents(column, "sensitive")
        or _by_name(column, "quasi", QUASI)
        or _by_contents(column, "quasi")
        or _by_number(column, MANY_NUMBERS)
    )


def _by_looks(column: Column) -> tuple[Role, str] | None:
    pattern = column.pattern
    if pattern is None:
        return None
    if pattern.name == "free-text" and column.distinction >= 0.5:
        return "identifier", "free text, in which names and other identifiers can hide"
    if pattern.role is None:
        return None
    if pattern.name == "zip" and not has_hint(column.name, QUASI["zip"]) and _is_nearly_unique(column):
        return "identifier", f"{column.single:,} of {len(column.codes):,} values occur once"
    kind = f" (HIPAA kind {pattern.hipaa})" if pattern.hipaa else ""
    return pattern.role, f"looks like {pattern.plural}{kind}"


def _by_what_hides(column: Column) -> tuple[Role, str] | None:
    """Cells that hold more than one value: a name inside of them is seen by no other rule."""
    several = sum(bool(_SEVERAL.match(value)) for value in column.sample)
    if several and several >= SOME_CELLS * len(column.sample):
        return "identifier", "several facts in one cell, in which names and other identifiers can hide"
    if any(_MAIL.search(value) for value in column.sample):
        return "identifier", "some values have an e-mail address in them"
    if has_hint(column.name, REMARKS) and any(map(_SENTENCE.match, column.sample)):
        return "identifier", "remarks in words of their own, in which names and other identifiers can hide"
    return None


def _by_name(column: Column, role: Role, topics: dict[str, str]) -> tuple[Role, str] | None:
    if column.values == 1 or (about := topic(column.name, topics)) is None:
        return None
    return role, f"the column name suggests {SAID.get(about, about)}"


def _by_contents(column: Column, role: Role) -> tuple[Role, str] | None:
    content = find_content(column.sample, role) if column.values > 1 else None
    return (role, f"the values look like {content.about}") if content else None


def _by_number(column: Column, distinction: float) -> tuple[Role, str] | None:
    if has_hint(column.name, DIRECT["code"]) and column.distinction >= distinction and not column.decimal:
        return "identifier", f"named like a number given to one person, with {column.values:,} values"
    return None


def _is_nearly_unique(column: Column) -> bool:
    return column.single >= NEARLY_UNIQUE * len(column.codes)


def _by_counts(column: Column) -> tuple[Role, str]:
    rows = len(column.codes)
    if column.values == 1:
        return "insensitive", "every row has the same value" if rows > 1 else "there is only one row"
    once = f"{column.single:,} of {rows:,} values occur once"
    if _is_nearly_unique(column):
        if column.decimal:  # a measurement, not a number that somebody was given
            return "quasi", f"{once}, so whoever knows the exact figure knows the person"
        return "identifier", once
    if column.values > 2 and column.distinction >= MANY_VALUES:
        return (
            "quasi",
            f"{column.values:,} different values in {rows:,} rows help to single people out",
        )
    if column.separation >= SHARP:
        alike = round(1 / (1 - column.separation))
        return "quasi", f"as telling as a code with {alike:,} equally frequent values"
    if about := topic(column.name, HARMLESS):
        return "insensitive", f"the column name suggests {about}"
    if column.values > 1 and _FOREIGN.fullmatch(column.name):
        return "sensitive", "its name is in letters that Shoal cannot read, so nothing tells what it is"
    return "insensitive", UNTOLD.format(column.values)


def _shown_by_counts(column: Column, role: Role) -> bool:
    """Whether counts are enough to accept a role.

    A number is made a range, but a text goes out as it is wherever enough rows share it: it may be a name.
    """
    if role == "quasi":
        return column.pattern is not None and column.pattern.name == "number"
    return role == "identifier" or column.values == 1 or topic(column.name, HARMLESS) is not None
