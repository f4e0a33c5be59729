"""What local methods make of Adult, against the figures known for full-domain release and for ARX."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import verbs
from shoal.tables.hierarchies import read_hierarchy
from shoal.tables.methods.cell_suppression import CellSuppression
from shoal.tables.methods.heuristic.heuristic import Heuristic
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table
from tables.builders import shared_data

from .test_adult import ADULT, QUASI, needs_adult

FULL_DOMAIN = 0.635544  # the proved optimum at k = 5 with nothing suppressed
ARX_LOCAL = 0.068


@pytest.fixture(scope="module")
def adult() -> Table:
    folder = shared_data("adult")
    assert folder is not None and folder == ADULT
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    hierarchies = {column: read_hierarchy(folder / "hierarchies" / f"{column}.csv") for column in QUASI}
    return Table(frame, quasi=QUASI, hierarchies=hierarchies)


@needs_adult
@pytest.mark.parametrize(
    ("method", "most"),
    [
        (Mondrian(), ARX_LOCAL),
        (Mondrian(relaxed=True), ARX_LOCAL),
        (LocalRecoding(), ARX_LOCAL),
        (CellSuppression(), 0.15),
        (Heuristic(seed=None), FULL_DOMAIN + 1e-6),
    ],
    ids=lambda value: str(value),
)
def test_adult_at_k_5_with_nothing_suppressed(
    adult: Table, method: Mondrian | LocalRecoding | CellSuppression | Heuristic, most: float
) -> None:
    release = verbs.protect(adult, method, [KAnonymity(5)], None)
    assert release.suppressed == 0 and release.losses["loss"] <= most
    smallest = release.table.frame.group_by(QUASI).len()["len"].min()
    assert isinstance(smallest, int) and smallest >= 5
