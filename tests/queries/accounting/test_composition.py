"""Sums, maxima and the filter, held to Google's accountants where they have an opinion."""

import math
from fractions import Fraction

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import rdp_privacy_accountant as rdp
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.queries.accounting.accountants import Approximate, Concentrated, Pure
from shoal.queries.accounting.composition import admits, parallel, sequential, smaller
from shoal.queries.accounting.cost import Cost

costs = st.builds(Cost, st.integers(0, 10**13), st.integers(0, 10**16))
epsilons = st.integers(1, 200).map(lambda hundredths: Fraction(hundredths, 100))


@given(st.lists(epsilons, min_size=1, max_size=5))
def test_pure_sums_are_never_below_googles_exact_composition_of_laplace(parts: list[Fraction]) -> None:
    total = sequential(Pure().cost(epsilon, Fraction(0)) for epsilon in parts).exact[0]
    composed = None
    for epsilon in parts:
        one = pld.from_laplace_mechanism(1 / float(epsilon), value_discretization_interval=1e-2)
        composed = one if composed is None else composed.compose(one)
    assert composed is not None
    # what Google's optimistic estimate says is leaked at least; the grid costs it a step per question
    optimistic = composed.get_epsilon_for_delta(1e-12)
    assert optimistic <= float(total) + 1e-2 * (len(parts) + 1)


@given(st.lists(epsilons, min_size=1, max_size=6))
def test_concentrated_sums_agree_with_googles_composition_of_gaussians(parts: list[Fraction]) -> None:
    total = sequential(Concentrated().cost(epsilon, Fraction(0)) for epsilon in parts).exact[0]
    orders = np.linspace(1.1, 500, 50)
    accountant = rdp.RdpAccountant(orders)
    for epsilon in parts:
        accountant.compose(dp_accounting.GaussianDpEvent(1 / float(epsilon)))
    assert float(total) * orders == pytest.approx(accountant._rdp)
    alike = rdp.RdpAccountant(orders).compose(dp_accounting.ZCDpEvent(float(total)))
    assert alike.get_epsilon(1e-6) == pytest.approx(accountant.get_epsilon(1e-6))


@given(st.lists(epsilons, min_size=1, max_size=6), st.integers(3, 9))
def test_approximate_sums_are_never_below_googles_composition(parts: list[Fraction], digits: int) -> None:
    delta = Fraction(1, 10**digits)
    total = sequential(Approximate().cost(epsilon, delta) for epsilon in parts)
    composed = None
    for epsilon in parts:
        promise = dp_accounting.pld.common.DifferentialPrivacyParameters(float(epsilon), float(delta))
        one = pld.from_privacy_parameters(promise, value_discretization_interval=1e-2)
        composed = one if composed is None else composed.compose(one)
    assert composed is not None
    at = float(total.exact[0]) + 1e-2 * (len(parts) + 1)
    assert composed.get_delta_for_epsilon(at) <= float(total.exact[1]) * (1 + 1e-9) + 1e-14


@given(st.lists(costs, max_size=8))
def test_a_sum_is_at_least_the_maximum_and_both_grow_with_every_part(parts: list[Cost]) -> None:
    assert parallel(parts).within(sequential(parts))
    for end in range(len(parts)):
        assert parallel(parts[:end]).within(parallel(parts))
        assert sequential(parts[:end]).within(sequential(parts))


def test_disjoint_groups_cost_as_much_as_the_dearest() -> None:
    # a histogram costs ε whatever the number of its buckets
    bucket = Pure().cost(Fraction(1, 2), Fraction(0))
    assert parallel([bucket] * 1000) == bucket
    assert parallel([Cost(1, 7), Cost(5, 2)]) == Cost(5, 7)
    assert parallel([]) == sequential([]) == Cost()


@given(costs, st.lists(costs, max_size=30))
def test_no_adaptive_choice_passes_the_limit(limit: Cost, offers: list[Cost]) -> None:
    spent, taken = Cost(), []
    for offer in offers:
        # the adversary tries the largest that might fit when the offer does not
        for attempt in (offer, limit - spent, Cost(limit.loss - spent.loss + 1, 0)):
            if admits(limit, spent, attempt):
                spent += attempt
                taken.append(attempt)
    assert spent == sequential(taken) and spent.within(limit)


def test_a_negative_cost_gives_nothing_back() -> None:
    for bad in (Cost(-1, 0), Cost(0, -1)):
        for attempt in (
            lambda bad=bad: sequential([bad]),
            lambda bad=bad: parallel([bad]),
            lambda bad=bad: admits(Cost(5, 5), Cost(5, 5), bad),
        ):
            with pytest.raises(BadParameter, match="nothing is given back"):
                attempt()


def test_smaller_takes_the_least_of_each_part() -> None:
    assert smaller(Cost(3, 9), Cost(4, 2)) == Cost(3, 2)


def test_a_limit_of_the_filter_is_reached_exactly() -> None:
    tenth = Pure().cost(Fraction(1, 10), Fraction(0))
    limit, spent, asked = Cost.limit(Fraction(1)), Cost(), 0
    while admits(limit, spent, tenth):
        spent, asked = spent + tenth, asked + 1
    assert asked == 10 and math.isclose(float(spent.exact[0]), 1.0)
