"""The exponent of the degree distribution."""

from __future__ import annotations

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import zeta

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.measures.power_law import PowerLaw, _fit, _log_zeta

from .builders import all_graphs, graph_of, skewed_graph


def drawn(exponent: float, x_min: int, number: int, seed: int) -> Int64:
    """Whole numbers from the law itself, by its cumulative distribution."""
    reach = np.arange(x_min, 200_000)
    below = 1 - zeta(exponent, reach + 1) / zeta(exponent, x_min)
    places = np.searchsorted(below, np.random.default_rng(seed).random(number))
    return np.asarray(reach[places.clip(0, len(reach) - 1)], np.int64)


def fitted(values: Int64, x_min: int) -> tuple[float, float]:
    distinct, counts = np.unique(values, return_counts=True)
    found = _fit(distinct, counts, x_min)
    assert found.exponent is not None and found.distance is not None
    return found.exponent, found.distance


@pytest.mark.parametrize(("exponent", "x_min"), [(2.5, 1), (2.1, 3), (3.5, 5), (1.4, 3)])
def test_the_exponent_is_where_the_likelihood_peaks(exponent: float, x_min: int) -> None:
    values = drawn(exponent, x_min, 3000, 1)
    found, distance = fitted(values, x_min)
    around = np.linspace(found - 0.01, found + 0.01, 201)
    likelihood = [-(one * np.log(values)).sum() - len(values) * np.log(zeta(one, x_min)) for one in around]
    assert np.argmax(likelihood) == 100
    reach = np.arange(x_min, values.max() + 1)
    observed = np.array([(values <= at).mean() for at in reach[:3000]])
    law = 1 - zeta(found, reach[:3000] + 1) / zeta(found, x_min)
    assert distance == pytest.approx(np.abs(observed - law).max(), abs=1e-9)


@pytest.mark.parametrize(("exponent", "x_min"), [(2.5, 1), (2.1, 3), (3.5, 5)])
def test_igraph_finds_the_same_exponent(exponent: float, x_min: int) -> None:
    values = drawn(exponent, x_min, 3000, 2)
    given = igraph.power_law_fit(values.tolist(), xmin=x_min, method="discrete", p_precision=0.5)
    assert fitted(values, x_min)[0] == pytest.approx(given.alpha, abs=1e-4)
    # The error of the estimate is about (exponent - 1) / sqrt(n); five of them.
    assert fitted(values, x_min)[0] == pytest.approx(exponent, abs=5 * (exponent - 1) / 3000**0.5)


def test_below_fifty_numbers_igraph_bends_its_exponent_and_the_paper_does_not() -> None:
    values = drawn(2.5, 3, 40, 3)
    given = igraph.power_law_fit(values.tolist(), xmin=3, method="discrete", p_precision=0.5)
    exponent = fitted(values, 3)[0]
    assert given.alpha == pytest.approx(exponent * 39 / 40 + 1 / 40, abs=1e-4)


def test_what_does_not_determine_an_exponent_gives_none() -> None:
    circle = graph_of(5, [(at, (at + 1) % 5) for at in range(5)])
    star = graph_of(6, [(0, at) for at in range(1, 6)])
    for graph in (circle, star, graph_of(4, []), graph_of(0, []), graph_of(1, [])):
        for law in (PowerLaw(), PowerLaw(x_min=100)):
            found = law.measure(graph)
            assert found.exponent is None and found.distance is None
    assert PowerLaw().measure(star).nodes == 1
    assert PowerLaw(x_min=0).measure(circle).exponent is None


def test_every_graph_of_five_has_an_exponent_or_none() -> None:
    for graph in all_graphs(5):
        for x_min in (0, 1, 3):
            found = PowerLaw(x_min=x_min).measure(graph)
            enough = len({*graph.degrees.tolist()} - set(range(max(1, x_min)))) > 1
            assert (found.exponent is not None) == enough
            assert found.exponent is None or (found.exponent > 1 and 0 <= (found.distance or 0) < 1)


def test_the_start_is_found_where_the_law_begins() -> None:
    # Below 10 everything is equally frequent; from there on the law holds.
    flat = np.random.default_rng(4).integers(1, 10, 4000)
    degrees = np.concatenate((drawn(2.5, 10, 4000, 5), flat))
    degrees = degrees[degrees < 3000]
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    graph = Graph(offsets, np.zeros(offsets[-1], np.int32))  # rows of the right length are all it takes
    found = PowerLaw(x_min=0).measure(graph)
    assert 8 <= found.x_min <= 20
    assert found.exponent == pytest.approx(2.5, abs=0.2)


@given(st.integers(1, 100_000), st.integers(1, 4_400_000), st.integers(1, 10**6))
def test_odd_degrees_never_overflow(start: int, many: int, gap: int) -> None:
    found = _fit(np.array([start, start + gap]), np.array([many, 1]), start)
    assert found.exponent is not None and np.isfinite(found.exponent) and found.exponent > 1
    assert found.distance is not None and 0 <= found.distance <= 1


@pytest.mark.parametrize("start", [3, 100, 10_000])
def test_the_sum_by_hand_takes_over_where_zeta_is_too_small_for_a_float(start: int) -> None:
    edge = 600 / np.log(start)
    assert _log_zeta(edge * (1 - 1e-9), start) == pytest.approx(_log_zeta(edge * (1 + 1e-9), start), rel=1e-6)


def test_a_negative_start_is_refused() -> None:
    with pytest.raises(BadParameter, match="x_min=-1"):
        PowerLaw(x_min=-1)


def test_the_fit_becomes_json() -> None:
    found = PowerLaw().measure(skewed_graph(200, 800, 1)).to_json()
    assert set(found) == {"exponent", "x_min", "nodes", "distance"}
