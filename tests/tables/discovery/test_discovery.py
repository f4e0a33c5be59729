"""Suggested roles come with reasons; the riskiest combinations come first."""

import json
from itertools import combinations
from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.demo import patients
from shoal.tables.column_decisions import Role
from shoal.tables.discovery import discovery
from shoal.tables.discovery.discovery import inspect
from shoal.tables.discovery.roles import Column
from shoal.tables.measures.distinction import Distinction
from shoal.tables.measures.separation import Separation
from shoal.tables.table import Table

PATIENTS = Table(patients(2_000))
CELL = st.sampled_from(["u", "v", "w", None])


def test_the_hospital_gets_the_roles_a_steward_would_give() -> None:
    roles = {name: report.role for name, report in inspect(PATIENTS).columns.items()}
    assert roles == {
        "patient_id": "identifier",
        "name": "identifier",
        "birth_date": "quasi",
        "zip": "quasi",
        "sex": "quasi",
        "occupation": "quasi",
        "diagnosis": "sensitive",
        "income": "sensitive",
    }


def test_the_riskiest_combination_of_the_hospital_is_date_of_birth_with_others() -> None:
    first = inspect(PATIENTS).combinations[0]
    assert "birth_date" in first.columns
    assert first.distinction > 0.999


@pytest.mark.parametrize(
    ("values", "role", "reason"),
    [
        ([f"x{i}" for i in range(100)], "identifier", "100 of 100 values occur once"),
        ([str(i / 7) for i in range(1, 100)], "quasi", "whoever knows the exact figure"),
        (
            [f"{i}@example.org" for i in range(100)],
            "identifier",
            "looks like e-mail addresses (HIPAA kind 6)",
        ),
        (["same"] * 100, "insensitive", "every row has the same value"),
        ([f"v{i % 30}" for i in range(100)], "quasi", "30 different values in 100 rows"),
        ([f"v{i % 200}" for i in range(20_000)], "quasi", "as telling as a code with 202 equally frequent"),
        (["a", "b"] * 50, "insensitive", "only 2 different values"),
        ([f"she said {i} times that it hurts" for i in range(100)], "identifier", "free text"),
    ],
)
def test_roles_by_values_alone(values: list[str], role: Role, reason: str) -> None:
    report = inspect(Table(pl.DataFrame({"column": values}))).columns["column"]
    assert report.role == role
    assert reason in report.reason


def test_a_sensitive_name_beats_unique_values() -> None:
    frame = pl.DataFrame({"income": list(range(1_000, 1_050)), "visit_id": list(range(50))})
    report = inspect(Table(frame))
    assert report.columns["income"].role == "sensitive"
    assert report.columns["visit_id"].role == "identifier"


def test_declared_roles_do_not_sway_the_suggestion() -> None:
    declared = PATIENTS.with_roles(quasi=["name"], sensitive=["zip"])
    assert inspect(declared) == inspect(PATIENTS)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=40))
def test_figures_are_those_of_the_measures(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("pqr", pl.String), orient="row")
    inspection = inspect(Table(frame))
    for name, column in inspection.columns.items():
        assert column.distinction == Distinction((name,)).measure(frame)
        assert column.separation == Separation((name,)).measure(frame)
    for found in inspection.combinations:
        assert found.distinction == Distinction(found.columns).measure(frame)
        assert found.separation == Separation(found.columns).measure(frame)


def test_combinations_come_riskiest_first_and_none_is_forgotten() -> None:
    frame = PATIENTS.frame.select("birth_date", "zip", "sex", "occupation")
    found = inspect(Table(frame)).combinations
    risks = [(report.distinction, report.separation) for report in found]
    assert risks == sorted(risks, reverse=True)
    possible = {group for size in (1, 2, 3) for group in combinations(frame.columns, size)}
    missing = possible - {report.columns for report in found}
    keys = [set(report.columns) for report in found if report.distinction == 1]
    assert all(any(key < set(group) for key in keys) for group in missing)


def test_columns_beyond_a_key_are_left_out() -> None:
    frame = pl.DataFrame({"age": [20, 30, 40, 20, 40], "sex": list("FFFMM"), "state": list("CCTNC")})
    found = {report.columns for report in inspect(Table(frame)).combinations}
    assert ("age", "sex") in found
    assert ("age", "sex", "state") not in found


def test_a_long_table_is_screened_by_sample_and_counted_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    full = inspect(PATIENTS)
    monkeypatch.setattr(discovery, "SCREENED_ROWS", 500)
    assert inspect(PATIENTS).combinations == full.combinations


def test_keys_too_large_for_64_bits_are_still_exact() -> None:
    size = 3_000_000
    codes = np.zeros(4, np.int64)
    codes[:] = [size, size, 0, 1]
    columns = [Column(name, codes, 3, 2, 0.5, decimal=False, pattern=None) for name in ("a", "b", "c")]
    assert discovery._combine(columns).distinction == 0.75


def test_json_has_the_shape_of_the_contract() -> None:
    document = json.loads(json.dumps(inspect(PATIENTS).to_json()))
    assert set(document) == {"columns", "combinations", "dependencies"}
    for column in document["columns"].values():
        assert set(column) == {"role", "reason", "distinction", "separation", "pattern"}
        assert column["role"] in get_args(Role)
    assert document["columns"]["occupation"]["pattern"] is None
    assert document["columns"]["zip"]["pattern"] == "zip"
    for combination in document["combinations"]:
        assert set(combination) == {"columns", "distinction", "separation"}
    assert "zip,sex" in {combination["columns"] for combination in document["combinations"]}


def test_rows_have_a_header_and_one_line_per_column() -> None:
    inspection = inspect(PATIENTS)
    rows = inspection.to_rows()
    assert rows[0][:2] == ["column", "role"]
    assert [row[0] for row in rows[1:]] == PATIENTS.columns
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(inspection.combination_rows()) == len(inspection.combinations) + 1


def test_the_input_is_left_alone_and_the_answer_repeats() -> None:
    before = PATIENTS.frame.clone()
    assert inspect(PATIENTS) == inspect(PATIENTS)
    assert PATIENTS.frame.equals(before)


def test_columns_of_any_type_can_be_inspected() -> None:
    frame = pl.DataFrame(
        {
            "born": pl.Series(["1990-01-02", "1991-02-03"]).str.to_date(),
            "flag": [True, False],
            "share": [0.5, float("nan")],
            "empty": pl.Series([None, None], dtype=pl.String),
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical),
        }
    )
    report = inspect(Table(frame)).columns
    assert report["born"].pattern == "date"
    assert report["empty"].reason == "every row has the same value"


def of_employees(rows: int = 310) -> pl.DataFrame:
    """Numbers beside what they stand for, as in a well-known table of employees."""
    status = [i * i % 5 for i in range(rows)]
    team = [i * 7 % 11 for i in range(rows)]
    return pl.DataFrame(
        {
            "MaritalDesc": [["Single", "Married", "Divorced", "Widowed", "Separated"][i] for i in status],
            "xq1": [str(i) for i in status],
            "Diagnosis": [f"d{i}" for i in team],
            "xq2": [str(i) for i in team],
            "free": [str(i // 7 % 3) for i in range(rows)],
        }
    )


def test_what_gives_a_quasi_identifier_away_is_one_too() -> None:
    columns = inspect(Table(of_employees())).columns
    assert columns["xq1"].role == "quasi"
    assert columns["xq1"].reason == (
        "gives 'MaritalDesc' away in 100% of the rows: the column name suggests marital status"
    )
    assert columns["xq2"].role == "sensitive"
    assert columns["free"].role == "insensitive"


def test_dependencies_are_told_as_text_and_as_json() -> None:
    inspection = inspect(Table(of_employees()))
    found = inspection.to_json()["dependencies"]
    assert {"determining": ["xq1"], "determined": "MaritalDesc", "share": 1.0, "mutual": True} in found
    rows = inspection.to_tables()["columns that give others away"]
    assert rows[0] == ["columns", "give away", "in rows"]
    assert ["MaritalDesc", "xq1, and the other way round", "100%"] in rows
    assert len(rows) == 3
    assert "columns that give others away" not in inspect(Table(PATIENTS.frame.select("sex"))).to_tables()


def test_a_share_below_one_is_never_called_all() -> None:
    rows = 100_000
    frame = pl.DataFrame(
        {"code": [i % 5 for i in range(rows)], "text": [i % 5 for i in range(rows - 1)] + [9]}
    )
    told = inspect(Table(frame)).dependency_rows()
    assert told[1][2] == "99.99%"
