"""What levels cost, against the definition of the loss."""

from itertools import product
from random import Random

import numpy as np
import pytest

from shoal.tables.measures.loss import Loss
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.level_costs import Floats, Prices, climb, sum_up
from tables.builders import random_case
from tables.twins import Whole, loss_of, nodes, outcome


def test_a_node_costs_its_levels_and_what_is_lost() -> None:
    for seed in range(8):
        case = random_case(Random(seed))
        table = case.table()
        lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
        prices, whole = Prices(lattice.tuples, Loss()), Whole.of(case.sensitive, case.taxonomies)
        for node in nodes(case):
            twin = outcome(case, [], node, whole)
            assert prices.base(node) == pytest.approx(loss_of(case, twin))
            classes = lattice.classes(node)
            every = np.ones(len(classes), np.bool_)
            assert prices.of(lattice, node, classes, every) == pytest.approx(1.0)
            assert prices.of(lattice, node, classes, ~every) == prices.base(node)
        steps = [prices.step(0, level) for level in range(lattice.shape[0])]
        assert steps[0] == 0 and min(steps) >= -1e-12


def by_column(numbers: Floats, node: Node) -> list[list[float]]:
    """What stands column after column in one, taken apart."""
    ends = np.cumsum([level + 1 for level in node])
    assert len(numbers) == ends[-1]
    return [part.tolist() for part in np.split(numbers, ends[:-1])]


def test_no_node_below_costs_less_than_the_doomed_rows_say() -> None:
    """With k-anonymity the doomed rows are the small classes; every node below is priced by itself."""
    for seed in range(12):
        case = random_case(Random(seed))
        table = case.table()
        lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
        prices = Prices(lattice.tuples, Loss())
        cost = {}
        for node in nodes(case):
            classes = lattice.classes(node)
            cost[node] = prices.of(lattice, node, classes, classes.sizes < 3)
        for node in nodes(case):
            classes = lattice.classes(node)
            lost = np.where(classes.sizes < 3, classes.sizes, 0).astype(np.float64)
            bound = by_column(prices.below(lattice, node, classes, lost), node)
            for lower in product(*(range(level + 1) for level in node)):
                least = sum(levels[level] for levels, level in zip(bound, lower, strict=True))
                assert least <= cost[lower] + 1e-12
            top = sum(float(levels[-1]) for levels in bound)
            assert top == pytest.approx(cost[node])


def test_a_climb_takes_the_cheapest_step_next_and_sums_go_over_all_levels() -> None:
    prices = [np.array([1.0, 5.0]), np.array([2.0])]
    assert climb(prices) == [(0, 0), (1, 0), (0, 1)]
    assert sum_up([np.array([0.0, 1.0]), np.array([10.0, 20.0])]).tolist() == [[10.0, 20.0], [11.0, 21.0]]
