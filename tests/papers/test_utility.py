"""T7 of the mission: what a release is still good for, on worked examples."""

import math

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.class_entropy import class_counts
from shoal.tables.measures.classification_metric import ClassificationMetric
from shoal.tables.measures.information_gain import InformationGain
from shoal.tables.measures.workload_error import Tally, WorkloadError


@pytest.mark.parametrize(("counts", "bits"), [((10, 0), 0.0), ((5, 5), 1.0)])
def test_entropy_of_ten_and_none_is_0_and_of_five_and_five_is_1_bit(
    counts: tuple[int, int], bits: float
) -> None:
    frame = pl.DataFrame({"class": ["yes"] * counts[0] + ["no"] * counts[1]})
    assert class_counts(frame, (), "class").bits == bits


OUTLOOK = ["sunny"] * 5 + ["overcast"] * 4 + ["rain"] * 5
PLAY = ["n", "n", "n", "p", "p"] + ["p"] * 4 + ["p", "p", "p", "n", "n"]


def test_quinlans_weather_gains_a_quarter_of_a_bit_by_the_outlook() -> None:
    """Quinlan 1986, section 4: 9 P and 5 N are 0.940 bits; the outlook leaves 0.694 and gains 0.246."""
    frame = pl.DataFrame({"outlook": OUTLOOK, "play": PLAY})
    hierarchy = Hierarchy.of_levels([["sunny", "overcast", "rain"]])
    both = SideBySide(frame, frame, ("outlook",), {"outlook": hierarchy}, (), "play")
    assert class_counts(frame, (), "play").bits == pytest.approx(0.940, abs=5e-4)
    assert class_counts(frame, ("outlook",), "play").bits == pytest.approx(0.694, abs=5e-4)
    # The paper prints 0.246, the difference of its rounded figures; it is 0.2467.
    assert InformationGain().measure(both).together.original == pytest.approx(0.2467, abs=5e-5)
    wiped = frame.with_columns(pl.lit("*").alias("outlook"))
    after = InformationGain().measure(
        SideBySide(frame, wiped, ("outlook",), {"outlook": hierarchy}, (), "play")
    )
    assert after.together.released == 0 == after.kept


def test_iyengars_metric_counts_the_minority_and_the_suppressed() -> None:
    """Iyengar 2002: a row is penalised when suppressed or when not of its group's majority."""
    before = pl.DataFrame({"q": ["a"] * 3 + ["b"] * 4 + ["c"], "class": list("yyn") + list("nnny") + ["y"]})
    hierarchy = Hierarchy.of_levels([["a", "b", "c"]])
    after = before.filter(pl.col("q") != "c")
    both = SideBySide(before, after, ("q",), {"q": hierarchy}, (), "class")
    assert ClassificationMetric().measure(both) == 3 / 8


def test_the_query_that_shows_why_generalisation_misleads() -> None:
    """Xiao & Tao 2006: the query of the introduction finds 0.1 people where there is one.

    Four rows of the first group, ages 21 to 60 and codes 10001 to 60000 by the group's label; two of them
    have pneumonia. Asked for pneumonia, age up to 30 and codes 10001 to 20000: a row of the group is there
    with probability 10/40 x 10/50, so that the estimate is 2 x 0.05 = 0.1.
    """
    ages, codes = [str(age) for age in range(21, 61)], [str(10_000 * ten) for ten in range(1, 6)]
    hierarchies = {
        "age": Hierarchy.of_levels([ages]),
        "zip": Hierarchy.of_levels([codes]),
    }
    before = pl.DataFrame(
        {
            "age": ["23", "27", "35", "59"],
            "zip": ["10000", "10000", "50000", "10000"],
            "ill": ["pneumonia", "dyspepsia", "dyspepsia", "pneumonia"],
        }
    )
    after = before.with_columns(pl.lit("[21, 60]").alias("age"), pl.lit("*").alias("zip"))
    both = SideBySide(before, after, ("age", "zip"), hierarchies, ("ill",))
    columns = ("age", "zip", "ill")
    asked = {
        "age": (both.line("age").leaf_at < 10),
        "zip": (both.line("zip").leaf_at == 0),
        "ill": np.array(both.line("ill").hierarchy.leaves)[both.line("ill").leaf_at] == "pneumonia",
    }
    truth = Tally.of([both.before(column) for column in columns], columns).count(asked)
    found = Tally.of([both.after(column) for column in columns], columns).count(asked)
    assert truth == 1 and found == pytest.approx(0.1)


def test_finer_releases_answer_better_and_cost_more_privacy() -> None:
    """The trade-off itself, as every comparison in the literature draws it: smaller k, smaller error."""
    frame = pl.DataFrame(
        {
            "age": [str(20 + row * 7 % 50) for row in range(500)],
            "town": ["ABCDE"[row * row % 11 % 5] for row in range(500)],
            "ill": ["flu" if row % 3 else "gout" for row in range(500)],
        }
    )
    curve = shoal.compare(frame, quasi="age,town", sensitive="ill", k=[2, 10, 60], method="mondrian", seed=1)
    errors = [point.usefulness.workload.mean for point in curve.points if point.usefulness]
    risks = [point.risk or math.nan for point in curve.points]
    assert errors == sorted(errors) and risks == sorted(risks, reverse=True)
    assert WorkloadError().name == "workload-error"
