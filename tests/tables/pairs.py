"""Originals and releases side by side, small ones, for the tests of what a release is good for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.tables.appraisal.comparison import generalise
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy

from .builders import Case, cases

AGE = Hierarchy.of_levels([["20", "21", "30", "31"], ["2*", "2*", "3*", "3*"]])
SEX = Hierarchy.of_levels([["F", "M"]])


def pair(
    before: Sequence[tuple[str | None, ...]],
    after: Sequence[tuple[str | None, ...]],
    class_column: str | None = "ill",
    sensitive: tuple[str, ...] = (),
) -> SideBySide:
    """Rows of (age, sex, ill) before and after."""
    frames = [
        pl.DataFrame(list(rows), schema=dict.fromkeys(("age", "sex", "ill"), pl.String), orient="row")
        for rows in (before, after)
    ]
    hierarchies = {"age": AGE, "sex": SEX}
    return SideBySide(frames[0], frames[1], ("age", "sex"), hierarchies, sensitive, class_column)


def recoded(case: Case, levels: Sequence[int], smallest: int) -> SideBySide:
    """A full-domain release of a case in which classes smaller than so many rows are suppressed."""
    table = case.table()
    hierarchies = dict(zip(case.quasi_names, case.hierarchies, strict=True))
    frame = table.frame.with_columns(
        generalise(table.frame[column], hierarchies[column], level)
        for column, level in zip(case.quasi_names, levels, strict=True)
    )
    kept = frame.filter(pl.len().over(case.quasi_names) >= smallest)
    return SideBySide(table.frame, kept, case.quasi_names, hierarchies, case.sensitive_names, "note")


@st.composite
def pairs(draw: st.DrawFn) -> SideBySide:
    """A random small table and a release of it, now and then with nothing suppressed or with all of it."""
    case = draw(cases(columns=(1, 3), sensitive=(0, 1)))
    levels = [draw(st.integers(0, hierarchy.height)) for hierarchy in case.hierarchies]
    return recoded(case, levels, draw(st.integers(1, 4)))


def people(rows: int = 600, seed: int = 1) -> pl.DataFrame:
    """People whose class depends on their age."""
    chance = np.random.default_rng(seed)
    age = chance.integers(20, 60, rows)
    ill = np.where(chance.random(rows) < np.where(age >= 40, 0.9, 0.1), "gout", "flu")
    sex = chance.choice(["F", "M"], rows)
    return pl.DataFrame({"age": age.astype(str), "sex": sex, "ill": ill})
