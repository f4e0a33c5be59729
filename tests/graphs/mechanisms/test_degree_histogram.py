"""People by degree: the reach of an edge and of a person by brute force, and counts that make sense."""

from fractions import Fraction
from typing import Literal

import numpy as np
import pytest

from graphs.mechanisms.small import edge_neighbours, every_graph, matrices, without
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from statistical.goodness import ALARM, fits, laplace_pmf

ONE = Fraction(1)
FORMS: tuple[Literal["cells", "at-least"], ...] = ("cells", "at-least")


@pytest.mark.parametrize("nodes", [4, 5])
def test_an_edge_moves_four_cells_or_two_sums_and_never_more(nodes: int) -> None:
    graphs = every_graph(nodes)
    degrees = matrices(nodes).sum(axis=2)
    for form, most in zip(FORMS, (4, 2), strict=True):
        for bound in (None, 1, 2, 3):
            mechanism = DegreeHistogram(ONE, bound=bound, form=form)
            numbers = [mechanism.numbers(graph) for graph in graphs]
            moved = {int(np.abs(numbers[a] - numbers[b]).sum()) for a, b in edge_neighbours(nodes)}
            assert max(moved) <= most == mechanism.sensitivity
            assert bound not in (None, 3) or max(moved) == most
            if bound is None and form == "cells":
                assert all((numbers[7] == np.bincount(degrees[7], minlength=nodes)).tolist())
    # The thesis says 2k of the distribution: noise for that would be half of what it takes.
    assert DegreeHistogram(ONE, k=3).sensitivity == 12


@pytest.mark.parametrize("nodes", [3, 4, 5])
def test_a_person_moves_no_more_than_is_claimed_whatever_the_bound(nodes: int) -> None:
    graphs = every_graph(nodes)
    places = np.arange(len(graphs))
    for form in FORMS:
        for bound in range(1, nodes + 1):
            mechanism = DegreeHistogram(ONE, neighbours="node", bound=bound, form=form)
            numbers = np.array([mechanism.numbers(graph) for graph in graphs])
            moved = max(
                np.abs(numbers - numbers[places & without(nodes, person)]).sum(axis=1).max()
                for person in range(nodes)
            )
            assert moved <= mechanism.sensitivity
            if 2 <= bound < nodes:
                assert moved == mechanism.sensitivity, "less noise would do"


def test_people_without_edges_are_not_counted_where_people_come_and_go() -> None:
    # A file of edges has 1,000 people, or nobody once the one in the middle leaves.
    star = Graph.of_edges(1000, np.zeros(999, np.int64), np.arange(1, 1000))
    nobody = Graph.of_edges(0, [], [])
    for form in FORMS:
        mechanism = DegreeHistogram(ONE, neighbours="node", bound=2, form=form)
        assert np.abs(mechanism.numbers(star) - mechanism.numbers(nobody)).sum() <= mechanism.sensitivity
        assert mechanism.release(star).public == ()


def test_noise_has_its_scale_on_every_cell() -> None:
    graph = Graph.of_edges(10, [0, 1], [1, 2])
    for mechanism, scale in (
        (DegreeHistogram(ONE, bound=5000), 4),
        (DegreeHistogram(ONE, bound=5000, form="at-least"), 2),
        (DegreeHistogram(ONE * 1000, neighbours="node", bound=2000), Fraction(4001, 1000)),
    ):
        told = mechanism.release(graph)
        assert mechanism.scale == scale
        noise = told.noisy - mechanism.numbers(graph)
        assert fits(noise, laplace_pmf(Fraction(scale), 300)) > ALARM


@pytest.mark.parametrize("form", FORMS)
def test_counts_are_whole_and_no_more_than_there_are(form: Literal["cells", "at-least"]) -> None:
    chance = np.random.default_rng(2)
    graph = Graph.of_edges(300, *chance.integers(0, 300, (2, 900)))
    told = DegreeHistogram(ONE / 4, form=form).release(graph)
    assert told.counts.min() >= 0 and told.counts.sum() <= 300
    if form == "cells":
        assert told.counts.sum() == 300 and told.degrees[0] == 0 and len(told.degrees) == 300
    exact = DegreeHistogram(Fraction(1000), form=form, nodes=310).release(graph)
    true = np.bincount(graph.degrees, minlength=310)
    true[0] += 10
    assert (exact.counts == true[exact.degrees]).all()
    people = DegreeHistogram(Fraction(10**6), neighbours="node", bound=50, form=form).release(graph)
    assert (people.counts == true[people.degrees]).all()


def test_degrees_above_the_bound_count_as_the_bound() -> None:
    star = Graph.of_edges(6, [0] * 5, range(1, 6))
    told = DegreeHistogram(Fraction(1000), bound=3).release(star)
    assert told.degrees.tolist() == [0, 1, 2, 3] and told.counts.tolist() == [0, 5, 0, 1]
    for nodes in (0, 1):
        empty = DegreeHistogram(Fraction(1000)).release(Graph.of_edges(nodes, [], []))
        assert empty.counts.tolist() == [nodes]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadParameter, match="form=cells and form=at-least, not 'rows'"):
        DegreeHistogram(ONE, form="rows")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="so nodes=5 says nothing"):
        DegreeHistogram(ONE, neighbours="node", bound=2, nodes=5)
