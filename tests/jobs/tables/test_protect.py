"""A request to protect is carried out as it was asked for."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.jobs.tables.protect import protect_table, suggest_missing
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.manifest import Manifest, beside

CHANCE = Random(3)
FRAME = pl.DataFrame({f"q{c}": [f"{CHANCE.randrange(900):03d}" for _ in range(60)] for c in range(16)})
WIDE: dict[str, Any] = {
    "quasi": ",".join(FRAME.columns),
    "hierarchy": dict.fromkeys(FRAME.columns, "mask()"),
}


def test_many_columns_are_no_dead_end_by_default_and_the_exact_search_names_the_way_out() -> None:
    release = shoal.protect(FRAME, k=2, time_limit=2, **WIDE)
    assert release.method in {"local-recoding", "mondrian", "heuristic"}
    assert {one.method for one in release.tried} >= {"mondrian", "heuristic"}
    with pytest.raises(BadParameter, match=r"exact search.*use --method local-recoding or auto"):
        shoal.protect(FRAME, k=2, method="optimal", **WIDE)


def test_the_default_leaves_out_five_percent_at_most_and_says_so() -> None:
    frame = pl.DataFrame({"q": ["a"] * 50 + ["b"] * 50 + ["c"]})
    release = shoal.protect(frame, quasi="q", k=5)
    assert release.to_json()["suppress"] == 0.05
    assert release.suppressed == 1
    assert "up to 5 % allowed" in dict(release.to_tables()["release"])["rows suppressed"]
    assert shoal.protect(frame, quasi="q", k=5, suppress=0).suppressed == 0


def test_what_auto_tried_stays_out_of_the_manifest(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["a"] * 50 + ["b"] * 50})
    release = shoal.protect(frame, quasi="q", k=5, output=tmp_path / "out.csv")
    assert [one.method for one in release.tried] == ["mondrian", "optimal", "local-recoding"]
    assert "tried" not in beside(tmp_path / "out.csv").read_text("utf-8")
    assert Manifest.read(beside(tmp_path / "out.csv")).method == release.method == "optimal"


def test_a_promise_of_noise_is_made_by_noise_without_naming_the_method(tmp_path: Path) -> None:
    hierarchy = tmp_path / "q.csv"
    hierarchy.write_text("a;*\nb;*\n", "utf-8")
    frame = pl.DataFrame({"q": ["a"] * 50 + ["b"] * 50, "stray": ["x"] * 100})
    job = ProtectTable(
        data=frame, quasi=("q",), hierarchy={"q": str(hierarchy)}, model=("differential-privacy(epsilon=1)",)
    )
    release = protect_table(job)
    assert release.method == "noisy-counts"
    assert release.decisions.left_out == ("stray",)
    assert release.table.columns == ["q"]


def test_what_a_request_lacks_can_be_asked_before_it_is_carried_out() -> None:
    assert suggest_missing(ProtectTable(data=FRAME, k=2)).lacks == ["no quasi-identifier named"]
