"""Numbers that carry their own proof: check digits, as python-stdnum knows them for many countries."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

ENOUGH = 8  # distinct values; each fits by chance at most one time in ten, so eight do not
MOST = 0.9  # the share of a sample that must fit: real columns have typing errors


@dataclass(frozen=True)
class ChecksumKind:
    """A kind of number, the shape it must have before anything is added up, and who checks it."""

    name: str
    plural: str
    hipaa: int
    shape: str
    module: str

    def fits(self, value: str) -> bool:
        """Whether shape and check digits are right."""
        return re.fullmatch(self.shape, value) is not None and _checker(self.module)(value)

    def matches(self, values: Sequence[str]) -> bool:
        """Whether most of a sample of distinct values are such numbers, and too many for chance."""
        return len(values) >= ENOUGH and most(values, self.fits)


def most(values: Sequence[str], fits: Callable[[str], bool], share: float = MOST) -> bool:
    """Whether this share of some values fits. Gives up as soon as too many do not."""
    missing = len(values) - math.ceil(share * len(values) - 1e-9)
    for value in values:
        missing -= not fits(value)
        if missing < 0:
            return False
    return True


@cache
def _checker(module: str) -> Callable[[str], bool]:
    # Loaded when a column has the shape: a table without such numbers costs nothing.
    check: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return check


# Where chance is one in ten or eleven only the sample as a whole convinces; the surer ones come first.
CHECKED: tuple[ChecksumKind, ...] = (
    ChecksumKind(
        "ssn", "Italian tax codes", 7, r"(?i)[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", "it.codicefiscale"
    ),
    ChecksumKind(
        "ssn",
        "French social security numbers",
        7,
        r"[12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d",
        "fr.nir",
    ),
    ChecksumKind("ssn", "Swiss social security numbers", 7, r"756[.\d]{10,13}", "ch.ssn"),
    ChecksumKind("person-code", "Spanish identity numbers", 18, r"(?i)\d{8}[- ]?[A-Z]", "es.dni"),
    ChecksumKind(
        "person-code",
        "Spanish identity numbers of foreigners",
        18,
        r"(?i)[XYZ][- ]?\d{7}[- ]?[A-Z]",
        "es.nie",
    ),
    ChecksumKind("person-code", "Brazilian tax numbers", 18, r"\d{3}\.?\d{3}\.?\d{3}-?\d\d", "br.cpf"),
    ChecksumKind("person-code", "Chinese resident numbers", 18, r"\d{17}[\dXx]", "cn.ric"),
    ChecksumKind("person-code", "Polish identity numbers", 18, r"\d{11}", "pl.pesel"),
    ChecksumKind("person-code", "German tax numbers", 18, r"\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", "de.idnr"),
    ChecksumKind(
        "person-code", "Belgian national numbers", 18, r"\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}", "be.nn"
    ),
    ChecksumKind(
        "person-code", "Swedish personal numbers", 18, r"(?:\d\d)?\d{6}[-+]?\d{4}", "se.personnummer"
    ),
    ChecksumKind("person-code", "Norwegian personal numbers", 18, r"\d{6}[ ]?\d{5}", "no.fodselsnummer"),
    ChecksumKind("person-code", "Danish personal numbers", 18, r"\d{6}[- ]?\d{4}", "dk.cpr"),
    ChecksumKind(
        "person-code", "Finnish personal numbers", 18, r"(?i)\d{6}[-+A-FU-Y]\d{3}[0-9A-Z]", "fi.hetu"
    ),
    ChecksumKind("person-code", "Indian Aadhaar numbers", 18, r"\d{4}[ ]?\d{4}[ ]?\d{4}", "in_.aadhaar"),
    ChecksumKind("device", "telephone device numbers (IMEI)", 13, r"\d{2}-?\d{6}-?\d{6}-?\d", "imei"),
    ChecksumKind("medical-record", "NHS numbers", 8, r"\d{3}[ -]?\d{3}[ -]?\d{4}", "gb.nhs"),
    ChecksumKind("person-code", "Dutch citizen numbers", 18, r"\d{9}", "nl.bsn"),
    ChecksumKind("person-code", "VAT numbers", 18, r"(?i)[A-Z]{2}[ ]?[A-Z0-9+*. -]{7,14}", "eu.vat"),
)


def find_checked(values: Sequence[str]) -> ChecksumKind | None:
    """The kind of checked number that a sample of distinct values is."""
    return next((one for one in CHECKED if one.matches(values)), None)
