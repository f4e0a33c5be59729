"""Made-up tables as messy as those that people bring: codes beside texts, blanks, dates, unique numbers.

Each is like a well-known public table in its columns, its number of rows and how its values are spread; no
value in it is anybody's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks import show
from shoal.tables.release import TableRelease

FIRST = ("Ada", "Bert", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Joe", "Kim", "Lea", "Max", "Nan")
LAST = ("Abbot", "Byrne", "Cohen", "Diaz", "Eriks", "Fuchs", "Gomez", "Hall", "Ito", "Jones", "Khan", "Lund")
STATES = ("MA", "CT", "TX", "CA", "FL", "NY", "OH", "PA", "IL", "GA", "WA", "VA", "NC", "MI", "NJ", "AZ")


@dataclass(frozen=True)
class Messy:
    """A table with the roles that a careful person would give its columns."""

    frame: pl.DataFrame
    identifier: tuple[str, ...]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]


class _Maker:
    def __init__(self, rows: int, seed: int) -> None:
        self.rows, self.chance = rows, np.random.default_rng(seed)

    def pick(self, values: Sequence[str], shares: Sequence[float] | None = None) -> list[str]:
        weights = None if shares is None else np.array(shares) / sum(shares)
        return [values[place] for place in self.chance.choice(len(values), self.rows, p=weights)]

    def names(self) -> list[str]:
        pairs = zip(self.pick(LAST), self.pick(FIRST), range(self.rows), strict=True)
        return [f"{last}, {first} {row}." for last, first, row in pairs]

    def numbers(self, mean: float, spread: float, low: float, high: float, digits: int = 0) -> list[str]:
        drawn = np.clip(self.chance.normal(mean, spread, self.rows), low, high)
        return [f"{value:.{digits}f}" for value in drawn]

    def dates(self, first: date, days: int, form: str = "%Y-%m-%d") -> list[str]:
        return [(first + timedelta(int(d))).strftime(form) for d in self.chance.integers(0, days, self.rows)]

    def blank(self, values: Sequence[str], share: float) -> list[str | None]:
        gone = self.chance.random(self.rows) < share
        return [None if lost else value for value, lost in zip(values, gone, strict=True)]


def passengers(rows: int = 891) -> Messy:
    """Like the list of a ship's passengers: blanks in age, a fare for every ticket."""
    make = _Maker(rows, 1)
    fares = make.chance.choice(np.round(np.exp(make.chance.normal(2.9, 1, 248)), 4), rows)
    frame = pl.DataFrame(
        {
            "PassengerId": [str(row + 1) for row in range(rows)],
            "Survived": make.pick("01", (0.62, 0.38)),
            "Pclass": make.pick("123", (0.24, 0.21, 0.55)),
            "Name": make.names(),
            "Sex": make.pick(("male", "female"), (0.65, 0.35)),
            "Age": make.blank(make.numbers(30, 14, 1, 80), 0.2),
            "SibSp": make.pick("0123458", (0.68, 0.23, 0.03, 0.02, 0.02, 0.01, 0.01)),
            "Parch": make.pick("012345", (0.76, 0.13, 0.09, 0.01, 0.005, 0.005)),
            "Ticket": [f"A/{int(number)}" for number in make.chance.integers(10_000, 99_999, rows)],
            "Fare": [f"{fare:.4f}" for fare in fares],
            "Embarked": make.blank(make.pick("SCQ", (0.72, 0.19, 0.09)), 0.002),
        }
    )
    quasi = ("Pclass", "Sex", "Age", "SibSp", "Parch", "Embarked")
    return Messy(frame, ("PassengerId", "Name", "Ticket"), quasi, ("Survived",))


def staff(rows: int = 311) -> Messy:
    """Like the table of a personnel office: few people, many columns, dates in the American way."""
    make = _Maker(rows, 2)
    position = make.pick(
        (
            "Technician I",
            "Technician II",
            "Sales Manager",
            "Engineer",
            "Analyst",
            "IT Support",
            "Director",
            "Accountant",
            "DBA",
            "CIO",
        ),
        (0.44, 0.18, 0.09, 0.05, 0.06, 0.05, 0.05, 0.04, 0.03, 0.01),
    )
    frame = pl.DataFrame(
        {
            "Employee_Name": make.names(),
            "EmpID": [str(10_000 + row) for row in range(rows)],
            "Salary": make.numbers(69_000, 25_000, 45_000, 250_000),
            "Position": position,
            "State": make.pick(STATES, (0.89, *[0.0075] * 15)),
            "Zip": [f"{code:05d}" for code in make.chance.integers(1_001, 2_799, rows)],
            "DOB": make.dates(date(1951, 1, 2), 15_000, "%m/%d/%y"),
            "Sex": make.pick(("F", "M "), (0.57, 0.43)),
            "MaritalDesc": make.pick(
                ("Single", "Married", "Divorced", "Separated", "Widowed"), (44, 40, 10, 4, 2)
            ),
            "HispanicLatino": make.pick(("No", "Yes", "no", "yes"), (0.9, 0.08, 0.01, 0.01)),
            "RaceDesc": make.pick(
                ("White", "Black or African American", "Asian", "Two or more races"), (60, 26, 9, 5)
            ),
            "DateofHire": make.dates(date(2006, 1, 9), 4_500, "%m/%d/%Y"),
            "Department": make.pick(
                ("Production", "IT/IS", "Sales", "Software", "Admin"), (67, 16, 10, 4, 3)
            ),
            "PerformanceScore": make.pick(
                ("Fully Meets", "Exceeds", "Needs Improvement", "PIP"), (78, 12, 6, 4)
            ),
        }
    )
    quasi = ("Position", "State", "Zip", "DOB", "Sex", "MaritalDesc", "RaceDesc", "DateofHire", "Department")
    return Messy(frame, ("Employee_Name", "EmpID"), quasi, ("Salary", "PerformanceScore"))


def admissions(rows: int = 10_000) -> Messy:
    """Like a table of hospital admissions: everything evenly spread."""
    make = _Maker(rows, 3)
    frame = pl.DataFrame(
        {
            "Name": make.names(),
            "Age": make.numbers(51, 20, 18, 85),
            "Gender": make.pick(("Female", "Male")),
            "Blood Type": make.pick(("A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-")),
            "Medical Condition": make.pick(
                ("Asthma", "Cancer", "Hypertension", "Arthritis", "Obesity", "Diabetes")
            ),
            "Date of Admission": make.dates(date(2018, 10, 30), 1_800),
            "Doctor": make.names(),
            "Insurance Provider": make.pick(("Cigna", "Blue Cross", "Aetna", "Medicare", "United")),
            "Billing Amount": make.numbers(25_500, 14_000, 1_000, 50_000, 2),
            "Admission Type": make.pick(("Urgent", "Emergency", "Elective")),
            "Test Results": make.pick(("Abnormal", "Inconclusive", "Normal")),
        }
    )
    quasi = ("Age", "Gender", "Blood Type", "Date of Admission", "Insurance Provider", "Admission Type")
    return Messy(frame, ("Name", "Doctor"), quasi, ("Medical Condition", "Billing Amount", "Test Results"))


def incidents(rows: int = 2_535) -> Messy:
    """Like a newspaper's list of incidents with the police: places, dates, blanks."""
    make = _Maker(rows, 4)
    cities = [f"City {place}" for place in range(1_400)]
    shares = 1 / np.arange(1, 1_401) ** 0.6
    frame = pl.DataFrame(
        {
            "id": [str(row + 3) for row in range(rows)],
            "name": make.names(),
            "date": make.dates(date(2015, 1, 2), 940),
            "manner_of_death": make.pick(("shot", "shot and Tasered"), (0.93, 0.07)),
            "armed": make.blank(
                make.pick(
                    ("gun", "knife", "unarmed", "vehicle", "undetermined", "toy weapon"), (55, 15, 7, 7, 5, 4)
                ),
                0.01,
            ),
            "age": make.blank(make.numbers(36, 13, 6, 91), 0.03),
            "gender": make.pick(("M", "F"), (0.96, 0.04)),
            "race": make.blank(
                make.pick(("W", "B", "H", "A", "N", "O"), (0.51, 0.26, 0.18, 0.02, 0.02, 0.01)), 0.08
            ),
            "city": make.pick(cities, list(shares)),
            "state": make.pick([*STATES, *(f"{a}{b}" for a in "KLMNOU" for b in "STDEK")]),
            "signs_of_mental_illness": make.pick(("False", "True"), (0.75, 0.25)),
            "flee": make.blank(make.pick(("Not fleeing", "Car", "Foot", "Other"), (67, 16, 12, 4)), 0.03),
        }
    )
    quasi = ("date", "age", "gender", "race", "city", "state", "armed", "flee")
    return Messy(frame, ("id", "name"), quasi, ("signs_of_mental_illness",))


def cases(rows: int = 10_000) -> Messy:
    """Like a list of cases in an epidemic: many columns of yes and no beside a few about the person."""
    make = _Maker(rows, 5)
    symptoms = ("fever", "cough", "sore_throat", "fatigue", "runny_nose", "headache")
    frame = pl.DataFrame(
        {
            "case_id": [f"C{row:06d}" for row in range(rows)],
            "age": make.numbers(42, 22, 0, 99),
            "sex": make.pick(("female", "male", "Unknown"), (0.52, 0.46, 0.02)),
            "province": make.pick([f"Province {place}" for place in range(17)], list(1 / np.arange(1, 18))),
            "city": make.pick([f"Town {place}" for place in range(160)], list(1 / np.arange(1, 161))),
            "infection_case": make.blank(
                make.pick([f"cluster {place}" for place in range(50)], list(1 / np.arange(1, 51))), 0.2
            ),
            "confirmed_date": make.dates(date(2020, 1, 20), 160),
            "occupation": make.blank(make.pick([f"job {place}" for place in range(40)]), 0.3),
            "travel": make.blank(make.pick(("yes", "no"), (0.2, 0.8)), 0.1),
            **{name: make.pick(("no", "yes"), (0.8, 0.2)) for name in symptoms},
            "state": make.pick(("released", "isolated", "deceased"), (0.6, 0.38, 0.02)),
        }
    )
    quasi = ("age", "sex", "province", "city", "infection_case", "confirmed_date", "occupation", "travel")
    return Messy(frame, ("case_id",), quasi, ("state", *symptoms))


def defendants(rows: int = 7_214) -> Messy:
    """Like a table of people before a court: names, dates of birth, scores, charges."""
    make = _Maker(rows, 6)
    frame = pl.DataFrame(
        {
            "id": [str(row + 1) for row in range(rows)],
            "name": make.names(),
            "first": make.pick(FIRST),
            "last": make.pick(LAST),
            "sex": make.pick(("Male", "Female"), (0.81, 0.19)),
            "dob": make.dates(date(1935, 1, 1), 22_000),
            "age": make.numbers(34, 12, 18, 96),
            "race": make.pick(
                ("African-American", "Caucasian", "Hispanic", "Other", "Asian", "Native American"),
                (51, 34, 9, 5, 0.5, 0.3),
            ),
            "juv_fel_count": make.pick("01234", (0.96, 0.02, 0.01, 0.005, 0.005)),
            "decile_score": make.pick([str(score) for score in range(1, 11)]),
            "priors_count": make.numbers(3, 5, 0, 38),
            "c_charge_degree": make.pick("FM", (0.65, 0.35)),
            "c_charge_desc": make.pick(
                [f"Charge {place}" for place in range(430)], list(1 / np.arange(1, 431))
            ),
            "c_case_number": [f"13-{number:06d}CF10A" for number in range(rows)],
            "is_recid": make.pick("01", (0.52, 0.48)),
        }
    )
    quasi = ("sex", "age", "race", "juv_fel_count", "priors_count")
    return Messy(
        frame, ("id", "name", "first", "last", "dob", "c_case_number"), quasi, ("is_recid", "c_charge_desc")
    )


TABLES: Mapping[str, Callable[[], Messy]] = {
    "passengers": passengers,
    "staff": staff,
    "admissions": admissions,
    "incidents": incidents,
    "cases": cases,
    "defendants": defendants,
}


def run(only: str = "") -> None:
    """What the default loses on each table at k = 5, and how long it takes beyond start-up."""
    lines = []
    for name, make in TABLES.items():
        if only not in name:
            continue
        messy = make()
        begun = time.process_time()
        release = protected(messy)
        seconds = time.process_time() - begun
        optimal = protected(messy, method="optimal", suppress=0)
        losses = [f"{one.losses['loss']:.3f}" for one in (optimal, release)]
        lines.append([name, f"{messy.frame.height:,}", *losses, release.method, f"{seconds:.2f}"])
    header = ["like", "rows", "optimal, nothing suppressed", "auto", "taken", "CPU s"]
    show.table("Loss at k=5 on messy tables", header, lines, ["the first line compiles kernels, if need be"])


def protected(messy: Messy, **more: Any) -> TableRelease:
    """The table at k = 5, with all the time that it takes, so that the figures repeat."""
    return shoal.protect(
        messy.frame,
        identifier=messy.identifier,
        quasi=messy.quasi,
        sensitive=messy.sensitive,
        k=5,
        seed=1,
        time_limit=300,
        **more,
    )
