"""T4 of the mission, the models beyond k, l and t: worked examples of the lectures and papers."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.alpha_k_anonymity import AlphaKAnonymity
from shoal.tables.models.beta_likeness import BetaLikeness
from shoal.tables.models.confidence_bounding import ConfidenceBounding
from shoal.tables.models.delta_disclosure import DeltaDisclosure
from shoal.tables.models.epsilon_m_anonymity import EpsilonMAnonymity
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.k_e_anonymity import KEAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.lkc import LKC
from shoal.tables.models.multi_attribute_diversity import MultiAttributeDiversity
from shoal.tables.models.negative_positive_disclosure import NegativePositiveDisclosure
from shoal.tables.models.positive_disclosure import PositiveDisclosure
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.models.xy_anonymity import XYAnonymity
from shoal.tables.models.xy_linkability import XYLinkability
from shoal.tables.table import Table
from tables.builders import one_column

# Seed 001, tables 6.1 and 6.2: eleven patients as they are, and made anonymous for L=2, K=2, C=50 %.
HEADER = ["Job", "Sex", "Age", "Surgery"]
RAW = [
    ("Janitor", "M", "34", "Transgender"),
    ("Doctor", "M", "58", "Plastic"),
    ("Mover", "M", "34", "Transgender"),
    ("Lawyer", "M", "24", "Vascular"),
    ("Mover", "M", "58", "Urology"),
    ("Janitor", "M", "44", "Plastic"),
    ("Doctor", "M", "24", "Urology"),
    ("Lawyer", "F", "58", "Plastic"),
    ("Doctor", "F", "44", "Vascular"),
    ("Carpenter", "F", "63", "Vascular"),
    ("Technician", "F", "63", "Plastic"),
]
GROUPS = {
    "Janitor": "Non-Technical",
    "Mover": "Non-Technical",
    "Doctor": "Professional",
    "Lawyer": "Professional",
    "Carpenter": "Technical",
    "Technician": "Technical",
}
AGES = {"24": "[1-30)", "34": "[30-60)", "44": "[30-60)", "58": "[30-60)", "63": "[60-99)"}
ANONYMOUS = [(GROUPS[job], sex, AGES[age], surgery) for job, sex, age, surgery in RAW]


def patients(rows: list[tuple[str, str, str, str]], *quasi: str) -> Classes:
    frame = pl.DataFrame(rows, schema=HEADER, orient="row")
    return Classes.of(Table(frame, quasi=quasi or ("Job", "Sex", "Age"), sensitive=("Surgery",)))


def test_table_6_1_violates_lkc_in_both_ways_that_the_lecture_names() -> None:
    seen = patients(RAW)
    assert not LKC(2, 2, 0.5, ("Transgender",)).holds(seen).any()
    assert LKC(2, 2, 0.5).level(seen) == 1
    # ⟨Mover, 34⟩ is unique: record linkage, whatever is inferred.
    mover = patients([row for row in RAW if row[:1] == ("Mover",) and row[2] == "34"])
    assert mover.sizes.tolist() == [1]
    assert not LKC(2, 2, 1.0).holds(patients(RAW, "Job", "Age")).any()
    # ⟨M, 34⟩ matches two rows and implies Transgender with 100 %: attribute linkage alone.
    men = patients([row for row in RAW if row[1:3] == ("M", "34")], "Sex", "Age")
    assert LKC(2, 2, 1.0).holds(men).all() and not LKC(2, 2, 0.99, ("Transgender",)).holds(men).any()
    assert ConfidenceBounding(0.5, ("Transgender",)).level(men) == 1


def test_table_6_2_satisfies_lkc_and_is_not_2_anonymous() -> None:
    seen = patients(ANONYMOUS)
    assert LKC(2, 2, 0.5, ("Transgender",)).holds(seen).all()
    assert LKC(2, 2, 0.5, ("Transgender",)).level(seen) == 2
    # ⟨Professional, M, [30-60)⟩ is the one row that 2-anonymity trips over.
    assert not KAnonymity(2).holds(seen).all() and sorted(seen.sizes.tolist())[0] == 1
    assert not LKC(3, 2, 0.5, ("Transgender",)).holds(seen).any()
    # Half of the men from 30 to 60 with a job that is not technical: exactly 50 %.
    assert not LKC(2, 2, 0.49, ("Transgender",)).holds(seen).any()


def test_seed_003_ruling_out_s1_discloses_v3() -> None:
    """{(s1,v1), (s1,v2), (s2,v3), (s3,v3)}: each column is diverse by itself, both together are not."""
    rows = [("q", "s1", "v1"), ("q", "s1", "v2"), ("q", "s2", "v3"), ("q", "s3", "v3")]
    model = MultiAttributeDiversity(2)
    table = Table(pl.DataFrame(rows, schema=["q", "s", "v"], orient="row"), (), ("q",), ("s", "v"))
    seen = Classes.of(table, domains_of(table, [model]))
    assert LDiversity(3).holds(seen).all()
    assert not model.holds(seen).any() and model.level(seen) == 1
    # With s2 and s3 spread over two values each, ruling out s1 leaves v3 and v4.
    rows = [("q", s, v) for s in ("s1", "s2") for v in ("v1", "v2")]
    table = Table(pl.DataFrame(rows, schema=["q", "s", "v"], orient="row"), (), ("q",), ("s", "v"))
    assert model.holds(Classes.of(table, domains_of(table, [model]))).all()


def test_most_people_are_healthy_and_may_be_known_to_be() -> None:
    """The reason that the l-diversity paper gives for pd-recursive diversity."""
    seen = one_column([["healthy"] * 95 + ["flu"] * 2 + ["HIV"] * 2 + ["cancer"]])
    assert not LDiversity(2, "recursive", 3).holds(seen).any()
    assert PositiveDisclosure(3, 2, ("healthy",)).holds(seen).all()
    # l = 3 rules out one more value, the healthy: 2 against 2 + 1 is within c = 3 but not c = 0.5.
    assert PositiveDisclosure(3, 3, ("healthy",)).level(seen) == pytest.approx(2 / 3)
    assert not PositiveDisclosure(0.5, 3, ("healthy",)).holds(seen).any()
    assert NegativePositiveDisclosure(3, 2, 2, ("HIV",), ("healthy",)).holds(seen).all()
    assert not NegativePositiveDisclosure(3, 2, 2, ("cancer",), ("healthy",)).holds(seen).any()


def test_half_of_a_pair_may_have_hiv_and_not_the_whole() -> None:
    """Two classes of (α,k) = (0.5, 2): at most one of two rows with HIV."""
    good = one_column([["HIV", "flu"], ["flu", "fever"], ["flu", "fever"]])
    assert AlphaKAnonymity(0.5, 2, ("HIV",)).holds(good).all()
    assert AlphaKAnonymity(0.5, 2, ("HIV",)).level(good) == 0.5
    bad = one_column([["HIV", "HIV"], ["flu", "fever"], ["flu"]])
    assert AlphaKAnonymity(0.5, 2, ("HIV",)).holds(bad).tolist() == [False, True, False]


def test_the_incomes_of_the_t_closeness_paper_by_range_and_by_proximity() -> None:
    """3k to 11k: the class {3, 4, 5} spans 2k, the class {6, 8, 11} 5k."""
    seen = one_column([["3000", "4000", "5000"], ["6000", "8000", "11000"], ["7000", "9000", "10000"]])
    assert KEAnonymity(3, 3000).holds(seen).tolist() == [False, True, True]
    assert KEAnonymity(3, 3000).level(seen) == 2000
    # Around 4000 ± 1000 lie all three of the first class, around 9000 two of the third.
    assert EpsilonMAnonymity(1000, 2).holds(seen).tolist() == [False, True, False]
    assert EpsilonMAnonymity(1000, 2).level(seen) == 1
    assert EpsilonMAnonymity(999, 3).holds(seen).all()
    # ± 25 % of 8000 reaches 6000 but not 11000; ± 25 % of 4000 reaches 3000 and 5000.
    assert EpsilonMAnonymity(0.25, 1, "relative").level(one_column([["6000", "8000", "11000"]])) == 1.5
    assert EpsilonMAnonymity(0.25, 1, "relative").level(seen) == 1


def test_a_rare_value_is_protected_by_likeness_where_closeness_lets_it_pass() -> None:
    """The point of the paper: 1 in 100 has HIV, and a class where 1 in 10 has it is close, but not alike."""
    whole = [["HIV"] + ["flu"] * 9, ["flu"] * 90]
    seen = one_column(whole)
    assert TCloseness(0.1).holds(seen).all()
    assert BetaLikeness(4).level(seen) == pytest.approx(9)
    assert BetaLikeness(4).holds(seen).tolist() == [False, True]
    # log₂ 10 = 3.32; and the second class tells that nobody there has it.
    assert DeltaDisclosure(3.4).holds(seen).tolist() == [True, False]
    assert DeltaDisclosure(3.3).holds(seen).tolist() == [False, False]


def test_a_job_and_an_age_link_to_two_patients_and_bound_what_is_inferred() -> None:
    """(X,Y)-privacy on table 6.2: X = {Job, Sex}, Y = {Surgery}."""
    seen = patients(ANONYMOUS)
    assert XYAnonymity(("Job", "Sex"), ("Surgery",), 2).level(seen) == 2
    assert XYLinkability(("Job", "Sex"), ("Surgery",), 0.5).level(seen) == 0.5
    assert XYLinkability(("Job", "Sex"), ("Surgery",), 0.5).holds(seen).all()
    assert not XYAnonymity(("Job", "Sex"), ("Surgery",), 3).holds(seen).any()
