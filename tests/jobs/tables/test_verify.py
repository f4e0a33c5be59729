"""Requests, carried out."""

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Outcome
from shoal.jobs import AttackTable, HierarchyTable, InspectTable, MeasureTable, ProtectTable, VerifyTable, run
from shoal.tables.models.k_anonymity import KAnonymity

FRAME = pl.DataFrame(
    {
        "age": [20, 21, 22, 23, 40, 41, 42, 43],
        "sex": ["M", "F"] * 4,
        "ill": ["flu", "heart", "flu", "flu", "heart", "flu", "heart", "flu"],
    }
)
ROLES = {"quasi": ("age", "sex"), "sensitive": ("ill",)}


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


def test_a_release_keeps_every_promise_or_is_not_made() -> None:
    release = shoal.protect(FRAME, k=2, model="l-diversity(l=2)", suppress=0.5, **ROLES)  # type: ignore[call-overload]
    assert all(promise.holds for promise in release.promises)
    with pytest.raises(Unreachable):
        shoal.protect(FRAME, model="l-diversity(l=3)", **ROLES)  # type: ignore[call-overload]


def test_a_release_in_memory_is_verified_measured_and_attacked_like_a_file() -> None:
    release = shoal.protect(FRAME, k=2, model="l-diversity(l=2)", suppress=0.5, **ROLES)  # type: ignore[call-overload]
    assert shoal.verify(release).promises == release.promises
    assert shoal.measure(release, original=FRAME).losses == release.losses
    assert shoal.attack(release, "linkage", external=FRAME).rate.hits == 0
    assert not shoal.verify(release.table, model=KAnonymity(8)).holds


def test_verify_compares_with_the_table_before_suppression(tmp_path: Path) -> None:
    lines = ["zip,ill", *["1,flu"] * 4, *["1,cold"] * 4, *["2,flu"] * 2]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "zip.csv").write_text("1;*\n2;*\n", "utf-8")
    release = shoal.protect(
        tmp_path / "in.csv",
        quasi="zip",
        sensitive="ill",
        hierarchy={"zip": str(tmp_path / "zip.csv")},
        model=["k-anonymity(k=3)", "t-closeness(t=0.15)"],
        suppress=0.2,
        objective="precision",
        output=tmp_path / "out.csv",
    )
    assert release.suppressed == 2
    # flu has 6 of 10 in the whole table and 4 of 8 in the release: 0.1 away, not 0.
    assert shoal.verify(tmp_path / "out.csv").promises[1].level == pytest.approx(0.1)
    (tmp_path / "out.csv.shoal.json").unlink()
    alone = shoal.verify(tmp_path / "out.csv", quasi="zip", sensitive="ill", model="t-closeness(t=0.15)")
    assert alone.promises[0].level == pytest.approx(0.0) and "no manifest" in alone.notes[0]


def test_a_hierarchy_goes_out_and_comes_back(tmp_path: Path) -> None:
    job = HierarchyTable(data=FRAME, column="age", output=tmp_path / "age.csv")
    suggested = run(job)
    again = run(HierarchyTable(data=FRAME, column="age", hierarchy={"age": str(tmp_path / "age.csv")}))
    assert suggested.to_json()["ladder"] == again.to_json()["ladder"]


def test_measure_against_a_population_with_values_that_the_sample_lacks() -> None:
    people = pl.DataFrame({"age": list(range(20, 60)), "sex": ["M", "F"] * 20})
    ladder = {"age": "interval(width=10)", "sex": "flat()"}
    release = shoal.protect(
        FRAME, quasi="age,sex", hierarchy=ladder, k=2, insensitive="ill", method="optimal"
    )
    found = shoal.measure(
        release.table.frame, quasi="age,sex", original=FRAME, population=people, hierarchy=ladder
    )
    assert found.losses == {**release.losses, "average_class_size": 2 * release.losses["average_class_size"]}
    assert found.journalist.highest < found.prosecutor.highest


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadParameter, match="no promise asked for"):
        run(ProtectTable(data=FRAME, quasi=("age",)))
    with pytest.raises(BadParameter, match="--external"):
        run(AttackTable(data=FRAME, attack="linkage", quasi=("age",)))
    with pytest.raises(BadParameter, match="no column 'x'"):
        run(HierarchyTable(data=FRAME, column="x"))
    with pytest.raises(BadParameter, match="the original has no column 'sex'"):
        run(MeasureTable(data=FRAME, original=FRAME.drop("sex"), quasi=("age", "sex")))
