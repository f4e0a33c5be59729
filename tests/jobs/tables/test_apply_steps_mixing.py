"""Steps that mix rows, done anew over those that go out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.core.errors import BadParameter, ShoalError, Unreachable
from shoal.jobs.tables.apply_steps import (
    done_anew,
    never_whole,
    number_rows,
    rows_released,
    steps_of,
    without_numbers,
)
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

SECRET = 17.123456
STEP = "microaggregation(columns=income,k=3)"
PEOPLE = pl.DataFrame(
    {
        "zip": ["1010"] * 20 + ["9"],
        "income": ["1000", "1003", "1100", "1007"] * 5 + [str(SECRET)],
        "ill": ["a", "b"] * 10 + ["a"],
    }
)
ASKED: dict[str, Any] = {"quasi": "zip", "sensitive": "ill", "insensitive": "income", "k": 3}


def test_a_mean_leads_to_nobody_who_was_left_out() -> None:
    """Two released rows showed 672.374485: three times that less their own incomes was the secret."""
    release = shoal.protect(PEOPLE, step=STEP, suppress=0.1, **ASKED)
    others = shoal.protect(PEOPLE[:20], step=STEP, suppress=0, **ASKED)
    shown = Counter(float(value) for value in release.table.frame["income"])
    assert release.suppressed == 1 and release.rows == 21
    assert shown == Counter(float(value) for value in others.table.frame["income"])
    assert min(shown) > 900 and min(shown.values()) >= 3


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from("aaab"), st.integers(0, 30), st.sampled_from("xy")), min_size=8),
    st.sampled_from(["optimal", "auto", "local-recoding", "cell-suppression", "heuristic", "mondrian"]),
    st.sampled_from(["zip", "zip,income"]),
)
def test_what_goes_out_is_what_the_kept_rows_alone_would_show(
    rows: list[tuple[str, int, str]], method: str, quasi: str
) -> None:
    """Whatever the suppressed rows had, sums of groups are those of the released people."""
    frame = pl.DataFrame(
        [(*row, number) for number, row in enumerate(rows)],
        schema=["zip", "income", "ill", "who"],
        orient="row",
    )
    kept = "ill,who" if "income" in quasi else "income,ill,who"
    asked: dict[str, Any] = {
        "quasi": quasi,
        "insensitive": kept,
        "k": 2,
        "step": "microaggregation(columns=income,k=2,digits=6)",
        "method": method,
        "seed": 1,
    }
    try:
        release = shoal.protect(frame, suppress=0.3, **asked)
    except ShoalError:
        return
    out = release.table.frame
    assert release.rows == frame.height and release.suppressed == frame.height - out.height
    if release.suppressed:
        alone = frame.filter(pl.col("who").is_in(out["who"].implode()))
        assert shoal.protect(alone, suppress=0, **asked).table.frame.equals(out)
    if "income" not in quasi:
        assert min(Counter(out["income"].to_list()).values()) >= 2


def test_the_figures_count_who_was_left_out(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    plain = shoal.protect(PEOPLE, suppress=0.1, method="optimal", **ASKED)
    release = shoal.protect(PEOPLE, step=STEP, suppress=0.1, method="optimal", output=output, **ASKED)
    assert release.suppressed == plain.suppressed == 1 and release.levels == plain.levels
    for name in ("precision", "discernibility", "average_class_size"):
        assert release.losses[name] == pytest.approx(plain.losses[name])
    assert release.optimal is None and release.allowed == 0.1
    record = json.loads(Path(f"{output}.shoal.json").read_text())
    assert (record["rows"], record["released"], record["suppressed"]) == (21, 20, 1)
    assert record["roles"]["identifier"] == [] and "number of the row" not in output.read_text()
    assert shoal.verify(output).holds
    assert [note for note in release.notes if "1 rows were left out, and microaggregation was done" in note]


def test_nothing_is_done_twice_where_nobody_is_left_out(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    release = shoal.protect(PEOPLE[:20], step=STEP, suppress=0.1, output=output, **ASKED)
    assert not release.suppressed and not [note for note in release.notes if "done anew" in note]
    assert json.loads(Path(f"{output}.shoal.json").read_text())["roles"]["identifier"] == []


def test_steps_before_are_done_once_and_steps_behind_again() -> None:
    steps = steps_of(["sampling(share=0.5)", STEP, "dummies(rows=2)"])
    frame = pl.concat([PEOPLE] * 3).with_columns(pl.Series("sex", ["f", "m", "m"] * 21))
    asked = {**ASKED, "insensitive": "income,sex"}
    release = shoal.protect(frame, step=steps, suppress=0.1, seed=3, **asked)
    again = shoal.protect(frame, step=steps, suppress=0.1, seed=3, **asked)
    assert release.rows == 34 and release.table.frame.equals(again.table.frame)


def test_rows_are_found_again_by_a_number_under_a_name_of_its_own() -> None:
    table = Table(PEOPLE.rename({"income": "number of the row"}), (), ("zip",), ("ill",))
    told = number_rows(table)
    assert told.identifier == ("number of the row'",) and without_numbers(told, table).frame.equals(
        table.frame
    )
    hierarchy = Hierarchy.of_levels([["1010", "9"], ["*", "*"]])
    release = Optimal(suppress=0.1).protect(told.with_hierarchies({"zip": hierarchy}), [KAnonymity(3)])
    assert rows_released(table, release).frame.equals(table.frame[:20])
    with pytest.raises(BadParameter, match="does not say which rows it left out"):
        rows_released(Table(PEOPLE, (), ("zip",)), release)


def test_a_release_that_leaves_out_more_is_withheld() -> None:
    release = shoal.protect(PEOPLE, suppress=0.1, **ASKED)
    with pytest.raises(Unreachable, match="without the 2 rows that were left out, and now no release"):
        done_anew(release, 2, steps_of(STEP))
    assert str(never_whole(2, steps_of(STEP))).startswith("microaggregation was done anew")
