"""The smallest and the largest value of a column do not decide how DuckDB works.

They did: where all numbers of a column lie close together, DuckDB counts groups in an array, and joins by
one; a value of one person far away made it hash instead. Of five million visits one with a strange ward took
a count of wards from 34 milliseconds to 52. So the clock told that somebody has such a value, and by keys
that widen the range, which.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

from adversary.test_joins_read_both_sides import plans, steps
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

PATIENTS, VISITS = 500, 20_000
FAR = {"pid": 10**12, "ward": 10**9, "age": 110, "town": "x" * 900, "cost": 9_999.0, "kind": "c"}
QUESTIONS = (
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
    "SELECT ward, SUM(cost), AVG(cost) FROM visits GROUP BY ward",
    "SELECT age * 32 + 1 AS a, COUNT(*) FROM visits GROUP BY a",
    "SELECT age, floor, COUNT(*) FROM visits GROUP BY age, floor",
    "SELECT town, COUNT(*) FROM visits GROUP BY town",
    "SELECT COUNT(*) FROM visits WHERE age > 100",
    "SELECT COUNT(*) FROM visits WHERE ward > 100 OR cost > 9000",
    "SELECT MEDIAN(cost), MAX(age) FROM visits",
    "SELECT COUNT(DISTINCT ward), COUNT(DISTINCT pid) FROM visits",
    "SELECT AVG(n) FROM (SELECT pid, COUNT(*) AS n FROM visits WHERE age > 100 GROUP BY pid) AS q",
    "SELECT COUNT(*) FROM patients p JOIN visits v ON p.pid = v.pid",
    "SELECT sex, AVG(cost) FROM patients p JOIN visits v ON p.pid = v.pid WHERE age > 100 GROUP BY sex",
    "SELECT COUNT(*) FROM visits v JOIN wards w ON v.ward = w.ward",
    "SELECT kind, COUNT(*) FROM visits GROUP BY kind",
    "SELECT kind, floor, AVG(cost), MEDIAN(cost) FROM visits WHERE kind <> 'c' GROUP BY kind, floor",
    "SELECT kind, sex, AVG(cost) FROM patients p JOIN visits v USING (pid) WHERE kind > 'b' GROUP BY 1, 2",
)  # fmt: skip


def _session(far: dict[str, Any]) -> Session:
    pid = Column("pid", "integer")
    visit = (
        *(pid, Column("ward", "integer"), Column("age", "integer", 0, 120)),
        *(Column("floor", "integer", 0, 9), Column("town"), Column("cost", "number", 0, 10_000)),
        Column("kind", keys=("a", "b", "c")),
    )
    dataset = Dataset(
        "clinic",
        (
            Table("patients", (pid, Column("sex", keys=("f", "m"))), "pid"),
            Table("visits", visit, "pid", rows=100),
            Table("wards", (Column("ward", "integer"), Column("chief"))),
        ),
        Budget(Fraction(10)),
    )
    store = DuckStore(dataset, threads=1)
    place, number = np.arange(PATIENTS), np.arange(VISITS)
    visits = pl.DataFrame({
        "pid": number % PATIENTS, "ward": number % 12, "age": 20 + number % 40, "floor": number % 10,
        "town": [f"t{part % 5}" for part in number], "cost": (number % 90).astype(float),
        "kind": ["ab"[part % 2] for part in number],
    })  # fmt: skip
    store.load("patients", pl.DataFrame({"pid": place, "sex": ["f", "m"] * (PATIENTS // 2)}))
    store.load("visits", visits)
    store.load("wards", pl.DataFrame({"ward": range(12), "chief": ["a"] * 12}))
    if far:
        last = visits.tail(1).with_columns(**{name: pl.lit(value) for name, value in far.items()})
        store.append("visits", last.cast(visits.schema))
        if "pid" in far:
            store.append("patients", pl.DataFrame({"pid": [far["pid"]], "sex": ["f"]}))
    made = Session(dataset, store, passing_ledger())
    made.grant("owner")
    return made


@pytest.fixture(scope="module")
def usual() -> Iterator[Session]:
    made = _session({})
    yield made
    made.store.close()  # type: ignore[attr-defined]


@pytest.fixture(scope="module", params=[*FAR, "all of them"])
def far_away(request: pytest.FixtureRequest) -> Iterator[Session]:
    made = _session(FAR if request.param == "all of them" else {request.param: FAR[request.param]})
    yield made
    made.store.close()  # type: ignore[attr-defined]


def _shape(session: Session, question: str) -> list[str]:
    """The steps that the engine takes, in their order."""
    found = []
    for plan in plans(session, question):
        for step in steps(plan):
            more = step.get("extra_info") or {}
            told = {
                name: more[name] for name in ("Join Type", "Conditions", "Groups", "Filters") if name in more
            }
            found.append(f"{_name(step)} {told}")
    return found


def _name(step: dict[str, Any]) -> str:
    """What a step does; the top of a plan has no name."""
    return str(step.get("type"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_somebody_with_a_value_far_from_all_others_changes_no_plan(
    question: str, usual: Session, far_away: Session
) -> None:
    seen = _shape(usual, question)
    assert sum("None" not in step for step in seen) > 1, "the plan names no steps"
    assert _shape(far_away, question) == seen
