"""Synthetic tables: a release like others, private by its method, which looks at declared things only."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.synthetic import synthetic as module
from shoal.tables.methods.synthetic.synthetic import Synthetic
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table
from statistical.audit import epsilon_from_below

AGE = Hierarchy.of_levels([["1", "2", "3", "4"], ["12", "12", "34", "34"]])
ILL = Hierarchy.of_levels([["flu", "gout", "none"]])


def table(rows: list[tuple[Any, Any]]) -> Table:
    frame = pl.DataFrame(rows, schema={"age": pl.String, "ill": pl.String}, orient="row")
    frame = frame.with_columns(pl.lit("secret").alias("note"), pl.lit("Ann").alias("name"))
    return Table(frame, ("name",), ("age",), ("ill",), {"age": AGE, "ill": ILL})


SICK = [("1", "flu")] * 300 + [("3", "gout")] * 500 + [("4", "none")] * 200


@pytest.mark.parametrize("method", [Synthetic(), Synthetic(selection="tree")])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_rows_are_drawn_that_look_like_the_table(method: Synthetic, delta: float) -> None:
    release = method.protect(table(SICK), [DifferentialPrivacy(8, delta)])
    assert release.table.columns == ["age", "ill"] and release.rows == release.released
    assert release.guarantees == {"epsilon": 8, "delta": delta} and release.table.held is None
    shares = release.table.frame.group_by("age", "ill").len()
    found = {(a, i): n for a, i, n in shares.iter_rows()}
    assert found[("1", "flu")] == pytest.approx(300, abs=60)
    assert found[("3", "gout")] == pytest.approx(500, abs=60)


def test_levels_coarsen_and_undeclared_values_count_nowhere() -> None:
    rows = [*SICK, (None, "flu"), ("9", "flu"), ("1", None)]
    release = Synthetic(levels=("age:1",)).protect(table(rows), [DifferentialPrivacy(50)])
    assert {*release.table.frame["age"]} == {"12", "34"} and release.levels == {"age": 1}
    assert release.released == pytest.approx(1000, abs=5)


def test_from_file_to_verdict_measures_and_attacks(tmp_path: Path) -> None:
    frame = table(SICK).frame
    frame.write_csv(tmp_path / "sick.csv")
    for column, hierarchy in (("age", AGE), ("ill", ILL)):
        lines = (
            ["1;12;*", "2;12;*", "3;34;*", "4;34;*"] if hierarchy is AGE else ["flu;*", "gout;*", "none;*"]
        )
        (tmp_path / f"{column}.csv").write_text("\n".join(lines))
    asked: dict[str, Any] = {"quasi": "age", "sensitive": "ill", "identifier": "name"}
    trees = {"age": str(tmp_path / "age.csv"), "ill": str(tmp_path / "ill.csv")}
    out = tmp_path / "made.csv"

    def made() -> None:
        shoal.protect(
            str(tmp_path / "sick.csv"),
            output=str(out),
            method="synthetic",
            model="differential-privacy(epsilon=1)",
            hierarchy=trees,
            **asked,
        )

    made()
    verdict = shoal.verify(str(out))
    assert verdict.holds and any("no file can prove it" in note for note in verdict.notes)
    while (
        pl.read_csv(out).height <= 1000
    ):  # made-up rows may be more than there were, and are measured then too
        made()
    measured = shoal.measure(str(out), original=str(tmp_path / "sick.csv"), hierarchy={"age": trees["age"]})
    assert "prosecutor" in str(measured.to_json())
    assert shoal.attack(str(out), "homogeneity").to_json()["attack"] == "homogeneity"


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (Synthetic(levels=("age",)), "is not column:level"),
        (Synthetic(epsilon=1e-300), "raise epsilon"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(method: Synthetic, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        method.protect(table(SICK), [DifferentialPrivacy(1)])


def test_what_is_refused_is_refused_by_what_was_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadParameter, match="needs an epsilon"):
        Synthetic().protect(table(SICK), [])
    with pytest.raises(BadParameter, match="cannot promise k-anonymity"):
        Synthetic(1).protect(table(SICK), [KAnonymity(2)])
    with pytest.raises(Unreachable, match="does not keep differential-privacy"):
        Synthetic(2).protect(table(SICK), [DifferentialPrivacy(1)])
    with pytest.raises(Unreachable, match="does not keep differential-privacy"):
        Synthetic(1, delta=0.1).protect(table(SICK), [DifferentialPrivacy(1)])
    with monkeypatch.context() as patch:
        patch.setattr(module, "MOST_WIDTH", 3)
        with pytest.raises(BadParameter, match="'age' has 4 values"):
            Synthetic(1).protect(table(SICK), [DifferentialPrivacy(1)])
        patch.setattr(module, "MOST_COLUMNS", 1)
        with pytest.raises(BadParameter, match="models 1 columns at most, not 2"):
            Synthetic(1).protect(table(SICK), [DifferentialPrivacy(1)])
        patch.undo()
        patch.setattr(module, "MOST_ROWS", 100)
        with pytest.raises(Unreachable, match="would write"):
            Synthetic(9).protect(table(SICK), [DifferentialPrivacy(9)])


@pytest.mark.parametrize(
    "values",
    [{"epsilon": 0.0}, {"epsilon": math.nan}, {"delta": 1.0}, {"order": 5}, {"cells": 0}, {"selection": "x"}],
)
def test_parameters_out_of_range_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match="synthetic"):
        Synthetic(**values)


@pytest.mark.slow
@pytest.mark.parametrize("selection", ["adaptive", "tree"])
def test_the_loss_between_neighbours_never_exceeds_the_claim(selection: Any) -> None:
    """Whole releases of a table with and without somebody who stands out: how often do they show?"""
    rows = [("1", "flu")] * 6

    def drawn(rows: list[tuple[str, str]], number: int = 1200) -> np.ndarray[Any, np.dtype[np.int64]]:
        method, models = Synthetic(selection=selection), [DifferentialPrivacy(1)]
        found = []
        for _ in range(number):
            out = method.protect(table(rows), models).table.frame
            hits = out.filter((pl.col("age") == "4") & (pl.col("ill") == "gout")).height
            found.append(min(hits, 5) * 40 + min(out.height, 39))
        return np.array(found)

    assert epsilon_from_below(drawn([*rows, ("4", "gout")]), drawn(rows)) <= 1
    assert epsilon_from_below(drawn([*rows, *[("4", "gout")] * 15]), drawn(rows)) > 1, "it would not be seen"
