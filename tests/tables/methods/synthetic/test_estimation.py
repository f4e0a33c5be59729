"""Fitting: exact counts come back, and noisy ones are outweighed by those that are surer."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.tables.methods.synthetic.estimation import NoisyMarginal, estimated_total, fitted


def test_marginals_without_contradiction_are_met() -> None:
    joint = np.random.default_rng(5).integers(1, 40, (3, 4, 2)).astype(float)
    measured = [
        NoisyMarginal((0, 1), joint.sum(axis=2), 1.0),
        NoisyMarginal((1, 2), joint.sum(axis=0), 1.0),
        NoisyMarginal((0,), joint.sum(axis=(1, 2)), 1.0),
    ]
    model = fitted((3, 4, 2), measured, 2000)
    for one in measured:
        assert model.marginal(one.columns) == pytest.approx(one.counts, abs=0.2)
    # Columns 0 and 2 are independent given column 1, as nothing else was measured.
    given = joint.sum(axis=(0, 2))
    wanted = np.einsum("ab,bc,b->ac", joint.sum(axis=2), joint.sum(axis=0), 1 / given)
    assert model.marginal((0, 2)) == pytest.approx(wanted, abs=0.3)


def test_of_two_counts_of_the_same_the_surer_one_weighs_more() -> None:
    sure, vague = (
        NoisyMarginal((0,), np.array([90.0, 10.0]), 1.0),
        NoisyMarginal((0,), np.array([50.0, 50.0]), 99.0),
    )
    model = fitted((2,), [sure, vague], 500)
    assert model.marginal((0,)) == pytest.approx([89.6, 10.4], abs=0.1)
    assert estimated_total([sure, vague]) == pytest.approx(100)


def test_counts_below_nothing_leave_a_model_with_one_row() -> None:
    model = fitted((2,), [NoisyMarginal((0,), np.array([-9.0, -3.0]), 4.0)], 100)
    assert model.total == 1 and np.isfinite(model.marginal((0,))).all()
