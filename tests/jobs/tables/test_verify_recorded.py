"""A record that lies about its file, or a file changed with its record, is found out where it can be."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import shoal

ROWS = [
    (zip_, age, ill, "xy"[place % 2], f"P{place}")
    for place, (zip_, age, ill) in enumerate([("1010", "20", "flu"), ("1020", "30", "gout")] * 8)
] + [("1010", "20", "gout", "x", "P98"), ("1020", "30", "flu", "y", "P99")]
Record = dict[str, Any]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A release with its record."""
    table = tmp_path / "table.csv"
    table.write_text("zip,age,ill,note,name\n" + "".join(",".join(row) + "\n" for row in ROWS), "utf-8")
    shoal.protect(
        table,
        output=tmp_path / "out.csv",
        identifier="name",
        quasi="zip,age",
        sensitive="ill",
        insensitive="note",
        model=["k-anonymity(k=3)", "t-closeness(t=0.9)"],
        method="optimal",
    )
    return tmp_path / "out.csv"


def broken(path: Path, text: str | None = None, change: Callable[[Record], object] | None = None) -> set[str]:
    """The names of broken promises after a lie, with the fingerprint made to fit."""
    record_path = Path(f"{path}.shoal.json")
    record = copy.deepcopy(json.loads(record_path.read_text("utf-8")))
    if text is not None:
        path.write_text(text, "utf-8")
    if change is not None:
        change(record)
    record["hashes"]["output"] = f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    record_path.write_text(json.dumps(record), "utf-8")
    verdict = shoal.verify(path)
    assert verdict.holds == all(promise.holds for promise in verdict.promises)
    return {promise.name for promise in verdict.promises if not promise.holds}


def test_a_record_that_nobody_changed_is_believed(written: Path) -> None:
    assert not broken(written)


def test_a_column_that_came_in_later_is_found(written: Path) -> None:
    first, *others = written.read_text("utf-8").splitlines()
    lines = [f"{first},secret", *(f"{line},{place}" for place, line in enumerate(others))]
    assert broken(written, "\n".join(lines) + "\n") == {"known-columns"}


@pytest.mark.parametrize("column", ["zip", "age"])
def test_a_quasi_identifier_struck_from_the_roles_is_found(column: str, written: Path) -> None:
    assert "known-columns" in broken(written, change=lambda record: record["roles"]["quasi"].remove(column))


def test_rows_that_came_or_went_are_found(written: Path) -> None:
    lines = written.read_text("utf-8").splitlines(keepends=True)
    assert "known-rows" in broken(written, "".join(lines[:-1]))
    assert "known-rows" in broken(written, "".join([*lines, lines[-1]]))


@pytest.mark.parametrize("name", ["rows", "released", "suppressed"])
@pytest.mark.parametrize("lie", [0, 17, 10**9])
def test_counts_that_do_not_add_up_are_found(name: str, lie: int, written: Path) -> None:
    honest = json.loads(Path(f"{written}.shoal.json").read_text("utf-8"))[name] == lie
    found = broken(written, change=lambda record: record.update({name: lie}))
    assert honest or "known-rows" in found


@pytest.mark.parametrize("counts", [[1, 17], [9, 10], [900, 900]])
def test_a_distribution_that_cannot_be_that_of_the_original_is_found(
    counts: list[int], written: Path
) -> None:
    assert "known-values" in broken(
        written, change=lambda record: record["sensitive"]["ill"].update(rows=counts)
    )


def test_a_release_of_noise_is_what_its_record_says(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("F;*\nM;*\n")
    (tmp_path / "table.csv").write_text("sex\n" + "F\nM\n" * 200)
    out = tmp_path / "out.csv"
    shoal.protect(
        tmp_path / "table.csv",
        output=out,
        quasi="sex",
        hierarchy={"sex": str(tmp_path / "sex.csv")},
        model="differential-privacy(epsilon=1)",
        method="noisy-counts(epsilon=1)",
    )
    assert shoal.verify(out).holds
