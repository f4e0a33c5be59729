"""Requests, carried out."""

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.core.errors import Unreachable
from shoal.tables.models.k_anonymity import KAnonymity

FRAME = pl.DataFrame(
    {
        "age": [20, 21, 22, 23, 40, 41, 42, 43],
        "sex": ["M", "F"] * 4,
        "ill": ["flu", "heart", "flu", "flu", "heart", "flu", "heart", "flu"],
    }
)
ROLES = {"quasi": ("age", "sex"), "sensitive": ("ill",)}


def test_a_release_keeps_every_promise_or_is_not_made() -> None:
    release = shoal.protect(FRAME, k=2, model="l-diversity(l=2)", suppress=0.5, **ROLES)  # type: ignore[call-overload]
    assert all(promise.holds for promise in release.promises)
    with pytest.raises(Unreachable):
        shoal.protect(FRAME, model="l-diversity(l=3)", **ROLES)  # type: ignore[call-overload]


def test_a_release_in_memory_is_verified_measured_and_attacked_like_a_file() -> None:
    release = shoal.protect(FRAME, k=2, model="l-diversity(l=2)", suppress=0.5, **ROLES)  # type: ignore[call-overload]
    assert shoal.verify(release).promises == release.promises
    assert shoal.measure(release, original=FRAME).losses == pytest.approx(release.losses)
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


def test_measure_against_a_population_with_values_that_the_sample_lacks() -> None:
    people = pl.DataFrame({"age": list(range(20, 60)), "sex": ["M", "F"] * 20})
    hierarchy = {"age": "interval(width=10)", "sex": "flat()"}
    release = shoal.protect(
        FRAME, quasi="age,sex", hierarchy=hierarchy, k=2, insensitive="ill", method="optimal"
    )
    found = shoal.measure(
        release.table.frame, quasi="age,sex", original=FRAME, population=people, hierarchy=hierarchy
    )
    assert found.losses == {**release.losses, "average_class_size": 2 * release.losses["average_class_size"]}
    assert found.journalist.highest < found.prosecutor.highest
