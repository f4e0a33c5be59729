"""T6 of the mission: the risks of seed 001, to the digit."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import shoal
from papers.test_roles import ELEVEN
from shoal.tables.measures.risk import Exposure, Journalist, Marketer, Prosecutor

DECADES = ELEVEN.with_columns((pl.col("YOB") // 10 * 10).cast(pl.String) + "s")


def as_fractions(*values: float) -> list[Fraction]:
    return [Fraction(value).limit_denominator(1000) for value in values]


def test_prosecutor_risk_of_the_eleven() -> None:
    found = shoal.measure(ELEVEN, quasi="Gender,YOB")
    risk = found.prosecutor
    assert as_fractions(risk.lowest, risk.highest, risk.average) == [Fraction(1, 3), 1, Fraction(8, 11)]
    assert (found.classes, found.smallest_class) == (8, 1)
    assert found.marketer == 8 / 11  # classes / rows


def test_prosecutor_risk_with_decades_of_birth() -> None:
    found = shoal.measure(DECADES, quasi="Gender,YOB")
    risk = found.prosecutor
    assert as_fractions(risk.lowest, risk.highest, risk.average) == [
        Fraction(1, 3),
        Fraction(1, 2),
        Fraction(5, 11),
    ]
    assert found.marketer == 5 / 11


def test_decades_found_by_the_search() -> None:
    decades = {"1970s": ["1979"], "1980s": ["1982", "1984", "1987"], "1990s": ["1995", "1998"]}
    release = shoal.protect(
        ELEVEN,
        quasi="Gender,YOB",
        identifier="Name",
        insensitive="DIN",
        k=2,
        hierarchy={"YOB": decades},
        method="optimal",
        suppress=0,
    )
    assert release.levels == {"Gender": 0, "YOB": 1}
    risk = shoal.measure(release).prosecutor
    assert as_fractions(risk.lowest, risk.highest, risk.average) == [
        Fraction(1, 3),
        Fraction(1, 2),
        Fraction(5, 11),
    ]


def test_alice_is_one_of_two_once_years_are_decades() -> None:
    alice = pl.DataFrame({"Gender": ["F"], "YOB": ["1980s"]})
    fits = DECADES.join(alice, on=["Gender", "YOB"], how="semi")
    assert fits["Name"].sort().to_list() == ["Alice Smith", "Beverly McCulsky"]
    assert 1 / fits.height == 1 / 2
    sample = DECADES.filter(pl.col("Name") == "Alice Smith")
    assert shoal.measure(sample, quasi="Gender,YOB", population=DECADES).journalist.highest == 1 / 2


def test_a_sample_against_its_population_by_hand() -> None:
    # Population: 4 men of the 70s, 2 women of the 80s, 1 man of the 90s. The sample discloses two of the men,
    # one of the women and the last man.
    people = pl.DataFrame({"sex": ["M"] * 4 + ["F"] * 2 + ["M"], "born": ["70s"] * 4 + ["80s"] * 2 + ["90s"]})
    sample = people[[0, 1, 4, 6]]
    found = shoal.measure(sample, quasi="sex,born", population=people)
    assert (found.prosecutor.lowest, found.prosecutor.highest) == (1 / 2, 1)
    assert found.prosecutor.average == 3 / 4  # three classes, four rows
    assert (found.journalist.lowest, found.journalist.highest) == (1 / 4, 1)  # 1 / min F
    assert found.journalist.average == (1 / 4 + 1 / 4 + 1 / 2 + 1) / 4
    assert found.marketer == (2 / 4 + 1 / 2 + 1 / 1) / 4  # Σ f/F / n


def test_without_the_last_man_a_journalist_risks_less() -> None:
    people = pl.DataFrame({"sex": ["M"] * 4 + ["F"] * 2 + ["M"], "born": ["70s"] * 4 + ["80s"] * 2 + ["90s"]})
    found = shoal.measure(people[[0, 1, 4]], quasi="sex,born", population=people)
    # The class that is not disclosed does not count: the smallest disclosed one has two people.
    assert found.journalist.highest == 1 / 2
    assert found.marketer == pytest.approx((2 / 4 + 1 / 2) / 3)


def test_the_three_attackers_agree_when_the_sample_is_the_population() -> None:
    exposure = Exposure.of_sample(np.array([3, 1, 2, 1, 1, 1, 1, 1]))
    assert Prosecutor().measure(exposure) == Journalist().measure(exposure)
    assert Marketer().measure(exposure) == Prosecutor().measure(exposure).average == 8 / 11
