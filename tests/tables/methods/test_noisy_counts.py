"""Noisy counts: what is released depends on the rows only through the noise, and the noise is enough."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods import noisy_counts as module
from shoal.tables.methods.noisy_counts import NoisyCounts, noisy
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

AGE = Hierarchy.of_levels([["1", "2", "3", "4"], ["12", "12", "34", "34"]])
ILL = Hierarchy.of_levels([["flu", "gout", "none"]])


def table(rows: list[tuple[str, str]]) -> Table:
    frame = pl.DataFrame(rows, schema={"age": pl.String, "ill": pl.String}, orient="row")
    frame = frame.with_columns(pl.lit("secret").alias("note"), pl.lit("Ann").alias("name"))
    return Table(frame, ("name",), ("age",), ("ill",), {"age": AGE, "ill": ILL})


def lower_bound(with_row: list[bool], without: list[bool]) -> float:
    """An ε below which the mechanism cannot be, but for a chance of one in millions (Clopper–Pearson)."""
    n, m, hits, others = len(with_row), len(without), sum(with_row), sum(without)
    low = beta.ppf(1e-7, hits, n - hits + 1) if hits else 0.0
    high = beta.ppf(1 - 1e-7, others + 1, m - others) if others < m else 1.0
    return math.log(low / high) if low > 0 else -math.inf


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_loss_between_neighbours_never_exceeds_the_claim(epsilon: float) -> None:
    """One count with and without a row, twenty thousand times each; every cut, in both directions."""
    trials = 20_000
    one, other = (noisy(np.full(trials, count), epsilon) for count in (5, 4))
    bounds = []
    for cut in range(-4, 14):
        for a, b in ((one >= cut, other >= cut), (one < cut, other < cut), (one == cut, other == cut)):
            bounds += [lower_bound(a.tolist(), b.tolist()), lower_bound(b.tolist(), a.tolist())]
    assert max(bounds) <= epsilon
    assert max(bounds) > 0.7 * epsilon, "the test could not have seen a leak"


def test_whole_releases_of_neighbouring_tables_are_about_as_likely() -> None:
    """The one with a lonely person against the one without: how often does their cell show?"""
    rows = [("1", "flu")] * 40
    method, models = NoisyCounts(1.0, ("age:1",)), [DifferentialPrivacy(1)]

    def shows(rows: list[tuple[str, str]]) -> list[bool]:
        found = []
        for _ in range(150):
            out = method.protect(table(rows), models).table.frame
            found.append(bool(out.filter((pl.col("age") == "34") & (pl.col("ill") == "gout")).height))
        return found

    there, gone = shows([*rows, ("4", "gout")]), shows(rows)
    assert lower_bound(there, gone) <= 1 and lower_bound([not x for x in gone], [not x for x in there]) <= 1


def test_noise_is_as_wide_as_discrete_laplace_noise() -> None:
    found = noisy(np.zeros(20_000, np.int64), 1.0)
    p = math.exp(-1)
    assert found.var() == pytest.approx(2 * p / (1 - p) ** 2, rel=0.1)
    assert abs(found.mean()) < 0.06


def test_only_declared_columns_go_out_and_no_figure_of_the_original() -> None:
    release = NoisyCounts(1.0).protect(table([("1", "flu")] * 20), [DifferentialPrivacy(1)])
    assert release.table.columns == ["age", "ill"] and release.rows == release.released
    assert release.table.held is None and release.guarantees["epsilon"] == 1
    assert any("note" in note for note in release.notes)


def test_with_a_large_epsilon_the_counts_come_back_on_their_levels() -> None:
    rows = [("1", "flu")] * 7 + [("2", "gout")] * 4 + [("4", "none")] * 9
    release = NoisyCounts(200.0, ("age:1",)).protect(table(rows), [DGammaPrivacy(1e-90, 0.5)])
    assert Counter(release.table.frame.rows()) == {("12", "flu"): 7, ("12", "gout"): 4, ("34", "none"): 9}
    assert release.levels == {"age": 1}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (NoisyCounts(1, ("age",)), "is not column:level"),
        (NoisyCounts(1, ("zip:1",)), "names no quasi-identifier"),
        (NoisyCounts(1, ("age:7",)), "which has levels 0 to 2"),
        (NoisyCounts(1, people=2), "less than the table has"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(method: NoisyCounts, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        method.protect(table([("1", "flu")] * 3), [DGammaPrivacy(0.1, 0.5)])


def test_without_an_epsilon_and_without_a_promise_that_tells_one_it_is_refused() -> None:
    with pytest.raises(BadParameter, match="needs an epsilon"):
        NoisyCounts().protect(table([("1", "flu")] * 3), [])


def test_rows_with_a_missing_or_undeclared_value_are_counted_nowhere() -> None:
    strange: list[Any] = [(None, "flu"), ("1", None), ("9", "flu"), ("1", "HIV"), (None, None)]
    release = NoisyCounts(200.0).protect(table([("1", "flu")] * 3 + strange), [DifferentialPrivacy(200)])
    assert release.table.frame.rows() == [("1", "flu")] * 3 and release.rows == 3


def test_too_many_cells_and_too_much_noise_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    models: list[ClassModel[Classes]] = [DifferentialPrivacy(1)]
    with pytest.raises(BadParameter, match="raise epsilon"):
        NoisyCounts(1e-300).protect(table([("1", "flu")]), models)
    with pytest.raises(Unreachable, match=r"would write .* rows; raise the threshold"):
        NoisyCounts(1e-12).protect(table([("1", "flu")]), models)
    monkeypatch.setattr(module, "MOST_CELLS", 5)
    with pytest.raises(BadParameter, match="has 12 cells, and noise is drawn for 5"):
        NoisyCounts(1).protect(table([("1", "flu")]), models)


def test_a_model_of_rows_is_refused_with_what_can_be_promised() -> None:
    with pytest.raises(BadParameter, match="cannot promise k-anonymity; it can promise differential-privacy"):
        NoisyCounts(1).protect(table([("1", "flu")]), [KAnonymity(2)])


@pytest.mark.parametrize("values", [{"epsilon": 0.0}, {"epsilon": math.nan}, {"threshold": 0}, {"people": 0}])
def test_parameters_out_of_range_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(BadParameter, match="noisy-counts"):
        NoisyCounts(**values)  # type: ignore[arg-type]
