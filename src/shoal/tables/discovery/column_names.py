"""How a column name is read: as plain words, however they are written, and then by what they speak of."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from shoal.tables.discovery.name_vocabulary import DIRECT, PERSON, QUASI, SENSITIVE

# Words of which names are made that are written without a gap: `raceethnicity`.
_PIECES = frozenset(
    [
        "of",
        "from",
        "per",
        "id",
        "ids",
        "no",
        "nr",
        "num",
        "nbr",
        "cd",
        "code",
        "key",
        "uid",
        "uuid",
        "type",
        "kind",
        "desc",
        "descr",
        "description",
        "name",
        "names",
        "nm",
        "text",
        "flag",
        "count",
        "cnt",
        "total",
        "sum",
        "avg",
        "mean",
        "min",
        "max",
        "pct",
        "rate",
        "amount",
        "amt",
        "level",
        "group",
        "grp",
        "cat",
        "category",
        "class",
        "band",
        "range",
        "first",
        "last",
        "middle",
        "full",
        "maiden",
        "family",
        "given",
        "sur",
        "date",
        "time",
        "datetime",
        "day",
        "month",
        "year",
        "dt",
        "start",
        "end",
        "begin",
        "since",
        "age",
        "sex",
        "gender",
        "birth",
        "born",
        "dob",
        "race",
        "ethnicity",
        "ethnic",
        "ethnicities",
        "hispanic",
        "latino",
        "origin",
        "nationality",
        "citizenship",
        "citizen",
        "country",
        "state",
        "city",
        "town",
        "county",
        "region",
        "district",
        "street",
        "address",
        "addr",
        "zip",
        "postal",
        "post",
        "postcode",
        "location",
        "latitude",
        "longitude",
        "phone",
        "mobile",
        "tel",
        "telephone",
        "email",
        "mail",
        "contact",
        "home",
        "work",
        "cell",
        "fax",
        "person",
        "patient",
        "customer",
        "cust",
        "client",
        "user",
        "member",
        "employee",
        "emp",
        "student",
        "driver",
        "voter",
        "victim",
        "officer",
        "doctor",
        "physician",
        "hospital",
        "health",
        "system",
        "admission",
        "admit",
        "discharge",
        "stay",
        "unit",
        "dept",
        "ward",
        "visit",
        "encounter",
        "icu",
        "status",
        "marital",
        "married",
        "education",
        "edu",
        "school",
        "job",
        "occupation",
        "employer",
        "title",
        "position",
        "department",
        "income",
        "salary",
        "wage",
        "pay",
        "payment",
        "loan",
        "credit",
        "score",
        "test",
        "result",
        "results",
        "diagnosis",
        "diag",
        "disease",
        "symptom",
        "symptoms",
        "condition",
        "blood",
        "pressure",
        "heart",
        "height",
        "weight",
        "bmi",
        "smoking",
        "smoker",
        "alcohol",
        "drug",
        "medication",
        "dose",
        "treatment",
        "death",
        "cause",
        "crime",
        "charge",
        "offense",
        "offence",
        "arrest",
        "sentence",
        "convicted",
        "prison",
        "jail",
        "law",
        "enforcement",
        "agency",
        "police",
        "court",
        "case",
        "number",
        "religion",
        "party",
        "political",
        "sexual",
        "orientation",
        "household",
        "size",
        "children",
        "account",
        "card",
        "passport",
        "license",
        "licence",
        "plate",
        "insurance",
        "policy",
        "unique",
        "new",
        "old",
        "current",
        "previous",
        "primary",
        "secondary",
    ]
)
# Letters that have no accent to take off, and the sign for a number, as in "Member #".
_PLAIN = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"})
_PLAIN |= str.maketrans({"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "#": " no ", "№": " no "})
_LONGEST_NAME = 100  # letters of a word that are split; no name is longer
_PEOPLE = "(?:" + "|".join(dict.fromkeys(word.strip().replace(" ", " ?") for word in PERSON.split(","))) + ")"


@lru_cache(maxsize=10_000)
def words(column: str) -> str:
    """A column name as plain words: `DateOfBirth`, `date_of_birth` and `DATEOFBIRTH` are one."""
    spaced = re.sub(r"(?<=[a-zäöüß0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", " ", column)
    spaced = re.sub(r"(?<=[A-Za-z]{3})(?=[0-9])", " ", spaced).translate(_PLAIN)
    plain = unicodedata.normalize("NFKD", spaced).encode("ascii", "ignore").decode()
    return " ".join(_split_words(word) for word in re.findall(r"[a-z0-9]+", plain.lower()))


def has_hint(column: str, hints: str) -> bool:
    """Whether a column name holds one of the hints, which are separated by commas."""
    return _expression(hints).search(f" {words(column)} ") is not None


def topic(column: str, topics: dict[str, str]) -> str | None:
    """The first topic whose hints are in a column name."""
    return next((name for name, hints in topics.items() if has_hint(column, hints)), None)


def says_otherwise(column: str, expected: str) -> bool:
    """Whether a column name speaks of something else than this topic."""
    if has_hint(column, {**DIRECT, **QUASI}[expected]):
        return False
    return any(topic(column, topics) is not None for topics in (SENSITIVE, QUASI, DIRECT))


def _split_words(word: str) -> str:
    """A word with gaps where it is several known ones without a gap, as few as can be."""
    if word in _PIECES or len(word) < 5 or len(word) > _LONGEST_NAME:
        return word
    best: list[tuple[str, ...] | None] = [()] + [None] * len(word)
    for end in range(2, len(word) + 1):
        for start in range(end - 1):
            before = best[start]
            if before is not None and word[start:end] in _PIECES:
                now, found = best[end], (*before, word[start:end])
                best[end] = found if now is None or len(found) < len(now) else now
    return " ".join(best[-1] or (word,))


@cache
def _expression(hints: str) -> re.Pattern[str]:
    branches = []
    for hint in (part.strip() for part in hints.split(",")):
        body = (
            hint.removeprefix("=").replace("*", "[a-z0-9]*").replace(" ", " ?").replace("{person}", _PEOPLE)
        )
        branches.append(f"^ {body} $" if hint.startswith("=") else f" {body} ")
    return re.compile("|".join(branches))
