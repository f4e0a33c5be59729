"""HDTDS on the patients of Mohammed, Fung, Hung, Lee 2009 (tables 6.1 and 6.2 of seed 001)."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import verbs
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.top_down.top_down import TopDown
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.lkc import LKC
from shoal.tables.table import Table

ROWS = [
    ("Janitor", "M", "34", "Y", "Transgender"),
    ("Doctor", "M", "58", "N", "Plastic"),
    ("Mover", "M", "34", "Y", "Transgender"),
    ("Lawyer", "M", "24", "N", "Vascular"),
    ("Mover", "M", "58", "N", "Urology"),
    ("Janitor", "M", "44", "Y", "Plastic"),
    ("Doctor", "M", "24", "N", "Urology"),
    ("Lawyer", "F", "58", "N", "Plastic"),
    ("Doctor", "F", "44", "N", "Vascular"),
    ("Carpenter", "F", "63", "Y", "Vascular"),
    ("Technician", "F", "63", "Y", "Plastic"),
]
JOBS = ["Janitor", "Mover", "Carpenter", "Technician", "Manager", "Doctor", "Lawyer"]
JOB = Hierarchy.of_levels(
    [
        JOBS,
        ["Non-Technical"] * 2 + ["Technical"] * 2 + ["Manager"] + ["Professional"] * 2,
        ["Blue-collar"] * 4 + ["White-collar"] * 3,
    ]
)
AGES = ["24", "34", "44", "58", "63"]
AGE = Hierarchy.of_levels(
    [AGES, ["[1 – 30)", *["[30 – 60)"] * 3, "[60 – 99)"], [*["[1 – 60)"] * 4, "[60 – 99)"]]
)
SEX = Hierarchy.of_levels([["M", "F"]])
QUASI = ("Job", "Sex", "Age")
PROMISE = LKC(2, 2, 0.5, ("Transgender",))


def patients() -> Table:
    frame = pl.DataFrame(ROWS, [*QUASI, "Transfuse", "Surgery"], orient="row")
    return Table(frame, (), QUASI, ("Surgery",), {"Job": JOB, "Sex": SEX, "Age": AGE})


def table_6_2() -> Table:
    recode = {
        "Job": dict(zip(JOBS, JOB.levels()[1], strict=True)),
        "Age": dict(zip(AGES, AGE.levels()[1], strict=True)),
    }
    frame = patients().frame.with_columns(
        pl.col(column).replace_strict(labels) for column, labels in recode.items()
    )
    return patients().with_frame(frame)


def test_the_original_breaks_the_promise_and_table_6_2_keeps_it() -> None:
    assert not PROMISE.holds(Classes.of(patients())).any()
    assert PROMISE.holds(Classes.of(table_6_2())).all()
    assert not KAnonymity(2).holds(Classes.of(table_6_2())).all()


@pytest.mark.parametrize("class_column", ["Transfuse", None])
def test_specialisation_keeps_the_promise_and_finds_a_finer_cut_than_table_6_2(
    class_column: str | None,
) -> None:
    release = verbs.protect(patients(), TopDown(class_column, seed=1), [PROMISE], None)
    cut = {column: set(release.table.frame[column]) for column in QUASI}
    assert cut["Sex"] == {"M", "F"}
    # Table 6.2 can still be specialised: ⟨Janitor, [30 – 60)⟩ and ⟨Mover, [30 – 60)⟩ match two rows each, of
    # which one is Transgender. A label with one value below it, such as [1 – 30) over 24, is that value.
    assert cut["Job"] == {"Janitor", "Mover", "Technical", "Professional"}
    assert cut["Age"] == {"24", "[30 – 60)", "63"}
