"""What levels cost, against the definition of the loss."""

from random import Random

import numpy as np
import pytest

from shoal.tables.measures.loss import Loss
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.level_costs import Prices
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
