"""`inspect`, `measure` and class-wise attacks tell of a table in an engine what they tell of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from engine_places import Place
from shoal import attack, inspect, measure, protect
from shoal.core.errors import BadParameter

ROLES: dict[str, Any] = {"quasi": ["age", "zip"], "sensitive": ["ill"]}


def people(rows: int = 400) -> pl.DataFrame:
    chance = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "age": chance.integers(18, 50, rows),
            "zip": [f"0{at}" if at % 7 else None for at in chance.integers(10, 16, rows)],
            "ill": pl.Series(
                chance.choice(["flu", "cold", "-", "gout"], rows, p=[0.7, 0.1, 0.1, 0.1])
            ).replace("-", None),
        }
    )


def test_the_same_figures_and_findings_everywhere(place: Place, tmp_path: Path) -> None:
    frame, target = people(), place.new()
    source, record = place.put(frame), tmp_path / "record.json"
    here = protect(frame, k=3, method="mondrian", seed=1, output=tmp_path / "release.parquet", **ROLES)
    protect(source, k=3, method="mondrian", seed=1, output=target, manifest=record, **ROLES)
    there = target.rstrip("/")
    for with_original in (False, True):
        originals = (frame, source) if with_original else (None, None)
        wanted = measure(tmp_path / "release.parquet", original=originals[0]).to_json()
        found = measure(there, manifest=record, original=originals[1]).to_json()
        assert wanted.pop("usefulness", None) is None or with_original
        # Sums in another order differ in the last digits.
        assert (found.pop("losses", None) or {}) == pytest.approx(wanted.pop("losses", None) or {})
        assert found == wanted
    for name in ("homogeneity", "homogeneity(confidence=0.7)", "skewness(gain=2)"):
        wanted = attack(tmp_path / "release.parquet", name).to_json()
        assert attack(there, name, manifest=record).to_json() == wanted
    assert here.released == frame.height
    with pytest.raises(BadParameter, match="linkage needs the rows here"):
        attack(there, "linkage", manifest=record, external=frame)


def test_figures_of_all_rows_stand_beside_roles_of_a_sample(place: Place) -> None:
    frame = people()
    found, wanted = inspect(place.put(frame)).to_json(), inspect(frame).to_json()
    for name, column in wanted["columns"].items():
        assert found["columns"][name] == pytest.approx(column), name
    assert [one["columns"] for one in found["combinations"]] == [
        one["columns"] for one in wanted["combinations"]
    ]
