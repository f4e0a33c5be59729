"""One release with its original and a list of people, and what a report finds out about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from faces.shell import patients
from shoal import catalog
from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.requests import ReportTable
from shoal.tables.appraisal.dossier import Dossier

ATTACKS = sum(catalog.noun_of("attack", name) == "table" for name in catalog.names("attack"))
TRIED = ("linkage", "homogeneity", "sparse-profile")


@dataclass(frozen=True)
class Case:
    folder: Path
    release: Path
    original: Path
    people: Path
    dossier: Dossier

    def job(self, **changed: Any) -> ReportTable:
        given: dict[str, Any] = {
            "data": str(self.release),
            "original": str(self.original),
            "external": str(self.people),
            "attack": TRIED[:2],
            "made": "2026-01-31",
        }
        return ReportTable(**{**given, **changed})


@pytest.fixture(scope="session")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("report")
    original, people, release = (folder / name for name in ("patients.csv", "people.csv", "release.csv"))
    original.write_text(patients(), "utf-8")
    frame = pl.read_csv(original, infer_schema=False)
    frame.select("name", "zip", "age", "sex").write_csv(people)
    shoal.protect(
        original,
        output=release,
        identifier="name",
        quasi="zip,age,sex",
        sensitive="ill",
        model=("k-anonymity(k=3)", "l-diversity(l=2)"),
        method="optimal",
        suppress=0.1,
        seed=1,
    )
    empty = Case(folder, release, original, people, None)  # type: ignore[arg-type]
    return Case(folder, release, original, people, report_table(empty.job()))
