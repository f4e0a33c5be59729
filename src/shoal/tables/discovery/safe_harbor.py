"""What a machine can say about HIPAA's Safe Harbor: which of its 18 identifier kinds a release has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

import polars as pl

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.discovery.column_names import has_hint
from shoal.tables.discovery.discovery import look_at
from shoal.tables.discovery.name_vocabulary import QUASI
from shoal.tables.discovery.patterns import HIPAA_KINDS, PATTERNS
from shoal.tables.discovery.precision_rules import age_remark, born_remark, date_remark, zip_remark
from shoal.tables.discovery.roles import MISSING_MARKS, ColumnReport
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Status = Literal["found", "cannot tell", "not found"]
NOTE = (
    "A machine cannot certify Safe Harbor: it sees looks and column names only, and 45 CFR 164.514(b)(2)(ii) "
    "also asks that nobody knows how to use what is left to identify a person."
)
# What shows by a telling column name only, so that its absence says nothing.
HIDDEN = {
    5: "a fax number looks like a telephone number",
    9: "only a column name would show them",
    11: "only a column name would show them",
    16: "only a column name would show them",
    18: "whether a value identifies a person is not written in it",
}
_SMALL_PLACES = (
    "city, cities, town, county, district, municipality, neighbo*, suburb, village, parish, precinct, census "
    "tract, block group, geocode, latitude, longitude, lat, lon, lng, ort, wohnort, stadt, gemeinde, kreis, "
    "landkreis, bezirk, ville, commune, quartier, ciudad, municipio, barrio"
)
_SOME_PLACES = "place, location, residence, region, province, departement, lieu, lugar, provincia, birthplace"
_PARTS_OF_DATES = "month, months, monat, mois, mes, weekday, quarter, quartal, trimestre"
_BORN = "dob, birth*, born, yob, geburt*, naissance, nacimiento"
# Inside longer texts; what a whole value looks like is a matter of `patterns`. No look-around: Rust's regex.
_INSIDE: tuple[tuple[int, str, str], ...] = (
    (6, "an e-mail address", r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}"),
    (14, "a web address", r"(?i)\b(?:https?|ftp)://\S|\bwww\.\S"),
    (15, "an IP address", r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\b"),
    (7, "a social security number", r"\b[0-8]\d{2}-\d{2}-\d{4}\b"),
    (
        4,
        "a telephone number",
        r"\+[1-9][\d ()./-]{6,}\d|\b00[1-9]\d{0,2}[ ./-][\d ()./-]{5,}\d"
        r"|(?:\(\d{3}\) ?|\b\d{3}[-. ])\d{3}[-. ]\d{4}\b",
    ),
    (8, "a medical record number", r"\bMRN[- #:]*\d{3,}"),
    (13, "a device address", r"\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b"),
    (17, "an image file", r"(?i)\S\.(?:jpe?g|png|gif|bmp|tiff?|webp|heic)\b"),
    (
        3,
        "a date",
        r"\b(?:18|19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}|\b\d{1,2}[-/.]\d{1,2}[-/.](?:18|19|20)\d{2}\b",
    ),
)


@dataclass(frozen=True)
class Trace:
    """A column in which a kind of identifier shows, with the shape of a value and what speaks for it."""

    column: str
    shape: str
    why: str
    sure: bool = True

    def to_json(self) -> dict[str, Json]:
        return {"column": self.column, "example": self.shape, "why": self.why}


@dataclass(frozen=True)
class KindReport:
    """One of the 18 kinds: whether it was found, and where."""

    kind: int
    name: str
    status: Status
    traces: tuple[Trace, ...] = ()
    why: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "name": self.name,
            "status": self.status,
            "columns": [trace.to_json() for trace in self.traces],
            "why": self.why,
        }


@dataclass(frozen=True)
class SafeHarbor(Shown):
    """All 18 kinds. `holds` is False when one is found, else None: a machine cannot say more."""

    kinds: tuple[KindReport, ...]
    note: str = NOTE

    @property
    def holds(self) -> bool | None:
        return False if any(kind.status == "found" for kind in self.kinds) else None

    def to_json(self) -> dict[str, Json]:
        return {"holds": self.holds, "kinds": [kind.to_json() for kind in self.kinds], "note": self.note}

    def to_tables(self) -> Tables:
        rows = [["kind", "what", "status", "where and why"]]
        for kind in self.kinds:
            told = [f"{trace.column} ({trace.shape}): {trace.why}" for trace in kind.traces]
            rows.append([str(kind.kind), kind.name, kind.status, "; ".join(told) or kind.why])
        return {"HIPAA Safe Harbor, as far as a machine can tell": rows}


def check_safe_harbor(table: Table, year: int | None = None) -> SafeHarbor:
    """Look for the 18 kinds of 45 CFR 164.514(b)(2)(i) in every column and every distinct value.

    Labels as a release has them are understood: `021**`, `1975`, `1970s`, `>= 90` pass. `year` is the one in
    which people are as old as their year of birth says; the present one if not given.
    """
    reports = look_at(table)
    this_year = date.today().year if year is None else year
    traces: dict[int, list[Trace]] = {kind.kind: [] for kind in HIPAA_KINDS}
    for column, report in reports.items():
        for number, trace in _traces(table.frame[column], report, this_year):
            if all(other.column != column or (trace.sure and not other.sure) for other in traces[number]):
                traces[number] = [other for other in traces[number] if other.column != column] + [trace]
    return SafeHarbor(tuple(_kind_report(kind.kind, kind.name, traces[kind.kind]) for kind in HIPAA_KINDS))


def _kind_report(number: int, name: str, traces: list[Trace]) -> KindReport:
    if any(trace.sure for trace in traces):
        return KindReport(number, name, "found", tuple(traces))
    if traces or number in HIDDEN:
        return KindReport(number, name, "cannot tell", tuple(traces), HIDDEN.get(number, ""))
    return KindReport(number, name, "not found")


def _traces(series: pl.Series, report: ColumnReport, year: int) -> Iterator[tuple[int, Trace]]:
    column = series.name
    values = texts(series).drop_nulls().unique().str.strip_chars()
    values = values.filter(~values.str.to_lowercase().is_in(MISSING_MARKS) & ~values.str.contains(r"^\*+$"))
    if not len(values):
        return  # all suppressed: there is nothing left to find
    yield from _by_label(column, values, report, year)
    yield from _by_look(column, values, report)
    for number, what, shape in _INSIDE:
        hits = values.filter(values.str.contains(shape))
        if number == 3:
            hits = _finer_than_years(hits)
        if len(hits):
            yield number, Trace(column, value_shape(str(hits.min())), f"holds {what}")


def _by_look(column: str, values: pl.Series, report: ColumnReport) -> Iterator[tuple[int, Trace]]:
    """What the whole column looks like, and what its name says."""
    shape = value_shape(str(values.min()))
    pattern = next((one for one in PATTERNS if one.name == report.pattern), None)
    if pattern is not None and pattern.hipaa and pattern.name not in ("zip", "date", "age"):
        extra = "; allowed only as 164.514(c) says" if pattern.hipaa == 18 else ""
        yield pattern.hipaa, Trace(column, shape, f"looks like {pattern.plural}{extra}")
    elif report.pattern == "free-text":
        for number in (1, 18):
            yield number, Trace(column, shape, "free text, in which anything can hide", sure=False)
    elif report.role == "identifier":
        yield 18, Trace(column, shape, report.reason, sure=False)
    if has_hint(column, _SMALL_PLACES):
        yield 2, Trace(column, shape, "named like a place smaller than a state")
    elif has_hint(column, _SOME_PLACES):
        yield 2, Trace(column, shape, "named like a place, perhaps smaller than a state", sure=False)
    if has_hint(column, _PARTS_OF_DATES):
        yield 3, Trace(column, shape, "named like a part of a date finer than the year")


def _by_label(column: str, values: pl.Series, report: ColumnReport, year: int) -> Iterator[tuple[int, Trace]]:
    """What can be shared if it is coarse enough: postal codes, dates, ages."""
    rules = []
    if report.pattern == "zip" or has_hint(column, QUASI["zip"]):
        rules.append((2, zip_remark))
    if has_hint(column, QUASI["age"]):
        rules.append((3, age_remark))
    if report.pattern == "date" or has_hint(column, QUASI["date"]):
        rules.append((3, date_remark))
    if has_hint(column, _BORN):
        rules.append((3, lambda label: born_remark(label, year)))
    for number, rule in rules:
        unsure: Trace | None = None
        for label in values.sort().to_list():
            remark = rule(label)
            if remark is None:
                continue
            trace = Trace(column, value_shape(label), remark.why, remark.sure)
            if remark.sure:
                yield number, trace
                break
            unsure = unsure or trace
        else:
            if unsure is not None:
                yield number, unsure


def _finer_than_years(values: pl.Series) -> pl.Series:
    """Without the stretches from a first of January on whose dates say no more than years."""
    stretch = values.str.contains(r"^[\[(]?\s*\d{4}-01-01\s*(?:,|;|\.\.|–|to|bis)")
    fine = [value for value in values.filter(stretch).to_list() if date_remark(value) is not None]
    return pl.concat([values.filter(~stretch), pl.Series(values.name, fine, dtype=pl.String)])


def value_shape(value: str) -> str:
    """The shape of a value and nothing else of it: `Ann-3` is `xxx-9`."""
    shape = re.sub(r"[^\W\d_]", "x", re.sub(r"\d", "9", value))
    return shape if len(shape) <= 30 else shape[:29] + "…"
