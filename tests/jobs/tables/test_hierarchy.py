"""Carry out `hierarchy`."""

import json
from pathlib import Path

import pytest

from jobs.tables.test_verify import FRAME
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome
from shoal.jobs import AttackTable, HierarchyTable, InspectTable, MeasureTable, ProtectTable, VerifyTable, run


@pytest.mark.parametrize(
    "job",
    [
        InspectTable(data=FRAME),
        ProtectTable(data=FRAME, k=2, quasi=("age", "sex")),
        VerifyTable(data=FRAME, k=1, quasi=("age", "sex")),
        MeasureTable(data=FRAME, original=FRAME, quasi=("age", "sex")),
        AttackTable(data=FRAME, attack="linkage", external=FRAME, quasi=("age", "sex")),
        HierarchyTable(data=FRAME, column="age"),
    ],
    ids=lambda job: job.verb,
)
def test_every_request_ends_in_an_outcome_and_leaves_the_data_alone(job: InspectTable) -> None:
    before = FRAME.clone()
    outcome = run(job)
    assert isinstance(outcome, Outcome)
    json.dumps(outcome.to_json(), allow_nan=False)
    assert all(len(row) == len(rows[0]) for rows in outcome.to_tables().values() for row in rows)
    assert FRAME.equals(before)


def test_a_hierarchy_goes_out_and_comes_back(tmp_path: Path) -> None:
    job = HierarchyTable(data=FRAME, column="age", output=tmp_path / "age.csv")
    suggested = run(job)
    again = run(HierarchyTable(data=FRAME, column="age", hierarchy={"age": str(tmp_path / "age.csv")}))
    assert suggested.to_json()["ladder"] == again.to_json()["ladder"]


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadParameter, match="no promise asked for"):
        run(ProtectTable(data=FRAME, quasi=("age",)))
    with pytest.raises(BadParameter, match="--external"):
        run(AttackTable(data=FRAME, attack="linkage", quasi=("age",)))
    with pytest.raises(BadParameter, match="no column 'x'"):
        run(HierarchyTable(data=FRAME, column="x"))
    with pytest.raises(BadParameter, match="the original has no column 'sex'"):
        run(MeasureTable(data=FRAME, original=FRAME.drop("sex"), quasi=("age", "sex")))
