"""Sampling and generalisation: δ against the definition, and the loss between neighbours."""

from __future__ import annotations

import math

import polars as pl
import pytest
from scipy.stats import binom

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.sampled_generalisation import SampledGeneralisation, delta_of
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.table import Table

HIERARCHY = Hierarchy.of_levels([list("abcd"), list("xxyy")])
SETTINGS = [(5, 0.1, 0.5), (20, 0.1, 1.0), (10, 0.25, 0.4), (3, 0.5, 1.0), (20, 0.05, 0.2), (1, 0.3, 0.9)]


def paper(k: int, beta: float, epsilon: float) -> float:
    """The formula of the paper, over so many n that no other can count."""
    gamma = (math.exp(epsilon) - 1 + beta) / math.exp(epsilon)
    first = max(math.ceil(k / gamma) - 1, 1)
    return max(float(binom.sf(math.floor(gamma * n), n, beta)) for n in range(first, first + 3000))


@pytest.mark.parametrize(("k", "beta", "epsilon"), SETTINGS)
def test_delta_is_that_of_the_paper(k: int, beta: float, epsilon: float) -> None:
    assert delta_of(k, beta, epsilon) == pytest.approx(paper(k, beta, epsilon), rel=1e-6)
    assert delta_of(k, beta, epsilon) >= paper(k, beta, epsilon)


@pytest.mark.parametrize(("k", "beta", "epsilon"), SETTINGS)
def test_no_two_neighbours_are_told_apart_by_more(k: int, beta: float, epsilon: float) -> None:
    """Exactly, from the definition: of n or n - 1 rows alike, j or `fewer than k` is what everybody sees."""
    delta = delta_of(k, beta, epsilon)
    for n in [*range(1, 60), 100, 200, 400]:
        more, fewer = (
            [float(binom.cdf(k - 1, rows, beta)), *(float(binom.pmf(j, rows, beta)) for j in range(k, n + 1))]
            for rows in (n, n - 1)
        )
        for one, other in ((more, fewer), (fewer, more)):
            left = sum(max(a - math.exp(epsilon) * b, 0.0) for a, b in zip(one, other, strict=True))
            assert left <= delta + 1e-12


def table(values: str) -> Table:
    frame = pl.DataFrame({"q": list(values), "note": ["secret"] * len(values)})
    return Table(frame, quasi=("q",), hierarchies={"q": HIERARCHY})


def test_what_goes_out_is_drawn_and_shared_by_k() -> None:
    method = SampledGeneralisation(0.5, 20, levels=("q:1",))
    models: list[ClassModel[Classes]] = [DifferentialPrivacy(1, 0.01), KAnonymity(20)]
    release = method.protect(table("abcd" * 100), models)
    assert all(model.holds(release.seen()).all() for model in models)
    assert release.table.columns == ["q"] and set(release.table.frame["q"]) == {"x", "y"}
    assert 140 < release.released < 260 and release.rows == release.released
    assert release.guarantees == {"epsilon": 1, "delta": delta_of(20, 0.5, 1.0)}


def test_a_few_are_never_seen() -> None:
    method = SampledGeneralisation(0.9, 5, 3.0)
    seen = {
        value for _ in range(20) for value in method.protect(table("a" * 50 + "d" * 4), []).table.frame["q"]
    }
    assert seen == {"a"}


def test_models_that_would_look_at_the_rows_are_refused() -> None:
    method = SampledGeneralisation(0.5, 5, 1.0)
    with pytest.raises(BadParameter, match="cannot promise l-diversity"):
        method.protect(table("aaaa"), [LDiversity(2)])
    with pytest.raises(BadParameter, match="gives no 6-anonymity"):
        method.protect(table("aaaa"), [KAnonymity(6)])
    with pytest.raises(BadParameter, match="needs an epsilon"):
        SampledGeneralisation(0.5, 5).protect(table("aaaa"), [])


@pytest.mark.parametrize("values", [(0.0, 5), (1.0, 5), (0.1, 0), (0.5, 5, 0.3), (0.5, 5, math.nan)])
def test_parameters_out_of_range_are_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(BadParameter, match=r"sampled-generalisation|drawing"):
        SampledGeneralisation(*values)  # type: ignore[arg-type]
