"""A made-up hospital: its patients, and the voter list of the same region that anybody can buy."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Traits = dict[str, dict[str, tuple[float, ...]]]  # group, value, numbers

TODAY = np.datetime64("2025-01-01")
LINKS = ("name", "birth_date", "zip", "sex")  # what a voter list and a hospital table share

# Per value: how common it is, the age it is typical of and how far it strays, and the weight for women
# and for men. A diagnosis that only one sex can have weighs nothing for the other.
_DIAGNOSES: Traits = {
    "Circulatory": {
        "Hypertension": (9.0, 62, 16, 1.0, 1.1),
        "Coronary heart disease": (5.5, 69, 12, 0.7, 1.4),
        "Heart failure": (4.5, 76, 11, 1.0, 1.1),
        "Atrial fibrillation": (4.0, 73, 12, 0.9, 1.1),
        "Stroke": (3.5, 73, 13, 1.0, 1.1),
    },
    "Cancer": {
        "Breast cancer": (5.0, 61, 13, 1.0, 0.01),
        "Prostate cancer": (5.0, 69, 9, 0.0, 1.0),
        "Lung cancer": (3.0, 68, 10, 0.9, 1.2),
        "Colorectal cancer": (3.0, 68, 12, 0.9, 1.1),
        "Ovarian cancer": (1.6, 62, 14, 1.0, 0.0),
        "Melanoma": (1.8, 58, 17, 0.9, 1.1),
    },
    "Infectious": {
        "Influenza": (3.5, 50, 30, 1.0, 1.0),
        "Pneumonia": (5.0, 68, 20, 0.9, 1.1),
        "HIV": (0.9, 41, 12, 0.4, 1.6),
        "Hepatitis C": (0.9, 50, 13, 0.7, 1.3),
        "Tuberculosis": (0.6, 44, 19, 0.8, 1.2),
    },
    "Mental": {
        "Depression": (5.0, 42, 19, 1.4, 0.7),
        "Anxiety disorder": (3.5, 36, 16, 1.4, 0.7),
        "Bipolar disorder": (1.3, 38, 14, 1.0, 1.0),
        "Schizophrenia": (1.1, 34, 13, 0.8, 1.2),
        "Alcohol dependence": (2.6, 45, 14, 0.5, 1.6),
    },
    "Metabolic": {
        "Type 2 diabetes": (6.5, 62, 14, 0.9, 1.1),
        "Type 1 diabetes": (1.2, 33, 17, 0.9, 1.1),
        "Obesity": (3.0, 47, 15, 1.1, 0.9),
        "Hypothyroidism": (2.2, 55, 17, 1.6, 0.4),
    },
    "Injury and other": {
        "Fracture": (5.0, 55, 30, 1.1, 1.0),
        "Concussion": (2.2, 33, 18, 0.8, 1.2),
        "Appendicitis": (2.5, 31, 15, 0.9, 1.1),
        "Kidney stones": (2.2, 47, 14, 0.7, 1.3),
        "Asthma": (2.8, 38, 20, 1.2, 0.8),
        "Pregnancy complication": (4.5, 30, 5, 1.0, 0.0),
    },
}

# The same, with the yearly income at mid career at the end.
_OCCUPATIONS: Traits = {
    "Health and education": {
        "Nurse": (5.0, 42, 13, 1.7, 0.3, 68_000),
        "Physician": (1.6, 46, 12, 0.9, 1.1, 190_000),
        "Teacher": (6.0, 43, 12, 1.5, 0.5, 64_000),
        "Social worker": (2.0, 42, 13, 1.6, 0.4, 52_000),
    },
    "Office and management": {
        "Accountant": (3.0, 44, 13, 1.1, 0.9, 78_000),
        "Clerk": (6.0, 43, 15, 1.5, 0.5, 42_000),
        "Lawyer": (1.5, 45, 13, 0.9, 1.1, 145_000),
        "Manager": (5.0, 47, 11, 0.8, 1.2, 110_000),
    },
    "Technology and science": {
        "Engineer": (4.0, 41, 13, 0.4, 1.6, 98_000),
        "Programmer": (3.0, 36, 11, 0.5, 1.5, 105_000),
        "Scientist": (1.2, 41, 12, 0.9, 1.1, 88_000),
    },
    "Trade and manual work": {
        "Carpenter": (2.5, 41, 13, 0.1, 1.9, 54_000),
        "Electrician": (2.5, 41, 13, 0.1, 1.9, 61_000),
        "Driver": (4.0, 45, 14, 0.3, 1.7, 44_000),
        "Mover": (1.5, 33, 11, 0.1, 1.9, 36_000),
    },
    "Service": {
        "Cook": (3.0, 35, 14, 0.9, 1.1, 33_000),
        "Sales clerk": (5.0, 37, 16, 1.2, 0.8, 35_000),
        "Police officer": (1.5, 39, 10, 0.4, 1.6, 72_000),
    },
    "Not employed": {
        "Student": (9.0, 19, 3.5, 1.0, 1.0, 11_000),
        "Homemaker": (3.0, 44, 16, 1.8, 0.2, 15_000),
        "Retired": (120.0, 84, 9, 1.0, 1.0, 31_000),
    },
}

DIAGNOSES: dict[str, list[str]] = {group: list(values) for group, values in _DIAGNOSES.items()}
OCCUPATIONS: dict[str, list[str]] = {group: list(values) for group, values in _OCCUPATIONS.items()}

_WOMEN = """Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty
Margaret Sandra Ashley Emily Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Laura Helen Anna
Alice Emma Julia Maria Fatima Priya Mei Carmen Rosa Sophie Elena Grace"""
_MEN = """James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew
Anthony Mark Steven Paul Andrew George Kenneth Kevin Brian Edward Ronald Timothy Jason Jeffrey Ryan Jacob
Gary Eric Carlos Jose Luis Ahmed Wei Raj Frank Peter Samuel"""
_FAMILIES = """Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez
Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark
Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson
Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards
Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed
Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Bennett Gray Mendoza Ruiz Hughes Price
Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez"""

# A region on both sides of a state line, so that some codes start with a zero that a careless reader drops.
_ZIP_PREFIXES = {"068": 18, "069": 10, "105": 20, "106": 12}


def patients(rows: int = 20_000, seed: int = 2025) -> pl.DataFrame:
    """Adult patients, one per row: who they are, what they do, what they earn and what they have.

    The same rows for the same seed. Diagnosis depends on age and sex, occupation on age and sex, and income
    on occupation and age, so that what is lost by protection can be seen. No value is missing.
    """
    if rows < 1:
        raise BadParameter(f"{rows} patients are not a table; ask for at least 1")
    chance = generator(seed)
    people = _people(rows, chance)
    women = people["sex"].to_numpy() == "F"
    ages = _ages(people)
    occupation = _choose(_OCCUPATIONS, ages, women, chance)
    diagnosis = _choose(_DIAGNOSES, ages, women, chance)
    numbers = pl.Series("patient_id", chance.permutation(rows) + 1)
    # As many digits as the largest number needs, so that sorting text sorts numbers.
    digits = max(6, len(str(rows)))
    return people.select(
        ("P" + numbers.cast(pl.String).str.zfill(digits)).alias("patient_id"),
        *LINKS,
        pl.Series("occupation", _leaves(_OCCUPATIONS)[occupation]),
        pl.Series("diagnosis", _leaves(_DIAGNOSES)[diagnosis]),
        pl.Series("income", _incomes(occupation, ages, chance)),
    )


def voters(
    patients: pl.DataFrame, share: float = 0.6, others: int = 30_000, seed: int = 2026
) -> pl.DataFrame:
    """A voter list with names: this share of the patients, and citizens who are no patients, shuffled."""
    if not 0 <= share <= 1:
        raise BadParameter(f"a share of {share} of the patients cannot be registered; give 0 to 1")
    if others < 0:
        raise BadParameter(f"{others} other citizens are not possible; give 0 or more")
    chance = generator(seed)
    registered = chance.choice(patients.height, round(share * patients.height), replace=False)
    citizens = pl.concat([patients.select(LINKS)[registered], _people(others, chance)])
    return citizens[chance.permutation(citizens.height)]


def _people(rows: int, chance: np.random.Generator) -> pl.DataFrame:
    women = chance.random(rows) < 0.53
    # Two generations of adults: the working ones, and the old who fill a hospital.
    old = chance.random(rows) < 0.4
    ages = np.where(old, chance.normal(72, 11, rows), chance.normal(42, 14, rows))
    ages = np.where((ages >= 18) & (ages < 100), ages, chance.uniform(18, 90, rows))
    # A few days more than the age in years, or leap days would let a patient of 17 in.
    births = TODAY - np.ceil(ages * 365.25 + 1).astype("timedelta64[D]")
    female, male, families = (np.array(text.split()) for text in (_WOMEN, _MEN, _FAMILIES))
    first = np.where(women, *(_skewed(names, rows, 0.4, chance) for names in (female, male)))
    last = _skewed(families, rows, 0.5, chance)
    return pl.DataFrame(
        {
            "name": pl.Series(first) + " " + pl.Series(last),
            "birth_date": pl.Series(births).cast(pl.Date).dt.to_string("iso"),
            "zip": _skewed(_zips(), rows, 0.7, chance),
            "sex": np.where(women, "F", "M"),
        }
    )


def _skewed(
    values: NDArray[np.str_], rows: int, skew: float, chance: np.random.Generator
) -> NDArray[np.str_]:
    """Zipf's law: the n-th value is n^skew times rarer than the first."""
    weights = 1 / np.arange(1, len(values) + 1) ** skew
    return values[chance.choice(len(values), rows, p=weights / weights.sum())]


def _zips() -> NDArray[np.str_]:
    """All postal codes, the most populous first, with the prefixes mixed."""
    codes = [
        (number, f"{prefix}{4 * number:02d}")
        for prefix, count in _ZIP_PREFIXES.items()
        for number in range(1, count + 1)
    ]
    return np.array([code for _, code in sorted(codes)])


def _ages(people: pl.DataFrame) -> Floats:
    births = people["birth_date"].str.to_date().to_numpy()
    years: Floats = (TODAY - births).astype(np.float64) / 365.25
    return years


def _leaves(groups: Traits) -> NDArray[np.str_]:
    return np.array([value for group in groups.values() for value in group])


def _choose(
    groups: Traits,
    ages: Floats,
    women: NDArray[np.bool_],
    chance: np.random.Generator,
) -> Integers:
    """For every person the index of a value, drawn with the weights that age and sex give it."""
    traits = np.array([trait[:5] for group in groups.values() for trait in group.values()])
    common, typical, spread, for_women, for_men = traits.T
    weights = common * np.exp(-0.5 * ((ages[:, None] - typical) / spread) ** 2)
    weights *= np.where(women[:, None], for_women, for_men)
    steps = weights.cumsum(axis=1)
    drawn = chance.random(len(ages)) * steps[:, -1]
    chosen: Integers = (steps <= drawn[:, None]).sum(axis=1)
    return chosen


def _incomes(occupation: Integers, ages: Floats, chance: np.random.Generator) -> Integers:
    """Pay grows until the fifties, differs between people, and is told in hundreds."""
    middle = np.array([trait[5] for group in _OCCUPATIONS.values() for trait in group.values()])[occupation]
    career = 1 - 0.35 * np.clip((52 - ages) / 34, 0, 1) ** 1.5
    exact = middle * career * chance.lognormal(0, 0.25, len(ages))
    rounded: Integers = (exact / 100).round().astype(np.int64) * 100
    return rounded
