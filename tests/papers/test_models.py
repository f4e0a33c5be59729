"""T4 of the mission: the privacy models on the worked examples of the lectures and papers, to the digit."""

import math

import numpy as np
import polars as pl
import pytest

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.table import Table
from tables.builders import one_column

# Seed 003, "Beispiel Entropy-l-Diversity": the same seven patients, generalised twice.
HEADER = ["Geb.", "Sex", "PLZ", "Krankheit"]
BEFORE = [
    ("**.**.75", "M", "7622*", "Impotenz"),
    ("**.**.75", "M", "7622*", "Hodenkrebs"),
    ("**.**.75", "M", "7622*", "Sterilität"),
    ("**.**.81", "M", "7613*", "Schizophrenie"),
    ("**.**.81", "M", "7613*", "Diabetes"),
    ("**.**.83", "W", "7613*", "Magersucht"),
    ("**.**.83", "W", "7613*", "Magersucht"),
]
AFTER = [row if row[0] == "**.**.75" else ("**.**.8*", "*", "7613*", row[3]) for row in BEFORE]


def patients(rows: list[tuple[str, str, str, str]]) -> Classes:
    frame = pl.DataFrame(rows, schema=HEADER, orient="row")
    return Classes.of(Table(frame, quasi=("Geb.", "Sex", "PLZ"), sensitive=("Krankheit",)))


def test_heart_viral_cancer_cancer() -> None:
    seen = one_column([["Heart", "Viral", "Cancer", "Cancer"]])
    assert f"{LDiversity(2, 'entropy').level(seen):.3f}" == "2.828"
    assert f"{LDiversity(2, 'entropy').level(seen):.1f}" == "2.8"
    assert LDiversity(2).level(seen) == 3
    assert LDiversity(2.8, "entropy").holds(seen).all()
    assert not LDiversity(2.83, "entropy").holds(seen).any()


def test_seven_patients_of_seed_003_are_2_828_diverse_when_generalised_to_75_and_8x() -> None:
    seen = patients(AFTER)
    in_log10 = sorted(f"{entropy / math.log(10):.4f}" for entropy in seen.sensitive["Krankheit"].entropy)
    assert in_log10 == ["0.4515", "0.4771"]
    assert f"{LDiversity(2, 'entropy').level(seen):.3f}" == "2.828"
    assert KAnonymity(3).level(seen) == 3
    assert LDiversity(2.8, "entropy").holds(seen).all()


def test_seven_patients_of_seed_003_have_a_homogeneous_class_before() -> None:
    seen = patients(BEFORE)
    assert KAnonymity(2).holds(seen).all()
    assert sorted(LDiversity(2).holds(seen).tolist()) == [False, True, True]
    assert LDiversity(2).level(seen) == 1
    # The lecture calls this "entropy-0-diversity": the entropy is 0, so l is e⁰ = 1.
    assert seen.sensitive["Krankheit"].entropy.min() == 0
    assert LDiversity(2, "entropy").level(seen) == 1


@pytest.mark.parametrize(("incomes", "distance"), [((3, 4, 5), "0.375"), ((6, 8, 11), "0.167")])
def test_incomes_of_the_t_closeness_paper(incomes: tuple[int, ...], distance: str) -> None:
    whole = pl.DataFrame({"income": [str(1000 * income) for income in range(3, 12)]})
    seen = one_column([[str(1000 * income) for income in incomes]], Domain.of(whole, "income"))
    assert f"{TCloseness(0.2, 'ordered').level(seen):.3f}" == distance
    assert TCloseness(0.375, "ordered").holds(seen).all()
    assert TCloseness(0.2, "ordered").holds(seen).all() == (distance == "0.167")


def test_diseases_of_the_t_closeness_paper_by_their_taxonomy() -> None:
    """Li et al. 2007, section 4.2: in a taxonomy of height 3, flu is 1/3 from bronchitis, 2/3 from pulmonary
    embolism and 1 from gastric ulcer, which belongs to another system."""
    taxonomy = Hierarchy.of_levels(
        [
            ["flu", "pneumonia", "bronchitis", "pulmonary edema", "pulmonary embolism", "gastric ulcer"],
            ["infection", "infection", "infection", "vascular", "vascular", "stomach"],
            ["respiratory"] * 5 + ["digestive"],
        ]
    )
    for other, apart in (("bronchitis", 1 / 3), ("pulmonary embolism", 2 / 3), ("gastric ulcer", 1.0)):
        totals = np.array([leaf == other for leaf in taxonomy.leaves], np.int64)
        domain = Domain("s", taxonomy.leaves, totals, True, taxonomy)
        seen = one_column([["flu"]], domain)
        assert TCloseness(1, "hierarchical").level(seen) == pytest.approx(apart)


def test_recursive_diversity_leaves_the_most_frequent_value_out_of_the_sum() -> None:
    """Machanavajjhala et al. 2007: r₁ < c·(r_l + … + r_m). The lectures print r₁ inside the sum.

    Counts 6, 2, 1 with c=2 and l=2: 6 < 2·3 fails; with r₁ inside, 6 < 2·9 would have passed, and would for
    any class at all as soon as c is above 1.
    """
    seen = one_column([["a"] * 6 + ["b"] * 2 + ["c"]])
    assert 6 < 2 * (6 + 2 + 1)
    assert not LDiversity(2, "recursive", c=2).holds(seen).any()
    assert LDiversity(2, "recursive", c=2.01).holds(seen).all()
    assert LDiversity(2, "recursive", c=2).level(seen) == 2
    assert not LDiversity(3, "recursive", c=6).holds(seen).any()
    assert LDiversity(3, "recursive", c=6.01).holds(seen).all()
