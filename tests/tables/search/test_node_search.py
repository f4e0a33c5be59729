"""What is known of one node: its price, and what is doomed there."""

from __future__ import annotations

import math

import pytest

from shoal.tables.appraisal.losses import objective
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search.node_search import NodeSearch

from ..twins import cost_of
from .test_lattice_search import all_outcomes, lattice_of, tall_case


@pytest.mark.parametrize("name", ["loss", "precision", "discernibility", "average-class-size"])
def test_the_price_of_a_node_is_what_its_release_costs(name: str) -> None:
    case, models = tall_case(40, seed=4), [KAnonymity(3)]
    limit = 12
    search = NodeSearch(lattice_of(case), models, objective(name, 3), limit)
    for found in all_outcomes(case, models):
        gone = case.rows - len(found.released)
        allowed = bool(found.released) and gone <= limit
        told = search._cost(found.node)
        assert math.isfinite(told) == allowed
        if allowed:
            assert math.isclose(told, cost_of(name, case, found, 3), rel_tol=1e-9, abs_tol=1e-12)


def test_a_node_outside_the_part_that_was_asked_for_has_no_price() -> None:
    case = tall_case(40, seed=4)
    lattice = lattice_of(case)
    top = tuple(levels - 1 for levels in lattice.shape)
    search = NodeSearch(lattice, [KAnonymity(3)], objective("loss"), 40, [slice(0, 1)])
    assert math.isinf(search._cost(top))
    assert math.isfinite(NodeSearch(lattice, [KAnonymity(3)], objective("loss"), 40)._cost(top))
