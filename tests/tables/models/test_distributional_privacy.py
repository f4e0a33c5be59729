"""Distributional privacy: how far two samples are apart, tried out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.distributional_privacy import DistributionalPrivacy
from shoal.tables.table import Table

SEEN = Classes.of(Table(pl.DataFrame({"q": ["x"]}), quasi=("q",)))


@pytest.mark.parametrize(("n", "m", "factor"), [(20, 3, 2), (50, 10, 3), (200, 4, 10), (30, 30, 2)])
def test_two_samples_are_hardly_ever_further_apart(n: int, m: int, factor: int) -> None:
    """Drawn without replacement from evenly spread cells, the widest case; a share of beta may be."""
    chance, far = np.random.default_rng(7), DistributionalPrivacy(1, 0.1).apart(n, m)
    everybody = np.arange(n * factor) % m
    gaps = []
    for _ in range(400):
        one, other = (chance.choice(everybody, n, replace=False) for _ in range(2))
        gaps.append(abs(np.bincount(one, minlength=m) - np.bincount(other, minlength=m)).sum())
    assert np.mean(np.array(gaps) > far) <= 0.1
    assert far <= 2 * n


@given(st.floats(0.001, 1), st.integers(1, 1000), st.integers(1, 100))
def test_it_holds_when_noise_covers_the_distance(epsilon: float, people: int, cells: int) -> None:
    seen = replace(SEEN, guarantees={"epsilon": epsilon, "delta": 0, "people": people, "cells": cells})
    model = DistributionalPrivacy(50, 0.01)
    assert model.level(seen) == pytest.approx(epsilon * model.apart(people, cells))
    assert model.holds(seen).all() == (model.level(seen) <= 50 * (1 + 1e-12))


def test_without_a_declared_number_of_people_nothing_is_promised() -> None:
    assert not DistributionalPrivacy(1e9, 0.5).holds(replace(SEEN, guarantees={"epsilon": 0.1})).any()


@pytest.mark.parametrize("values", [(0.0, 0.1), (1.0, 0.0), (1.0, 1.0), (float("nan"), 0.1)])
def test_parameters_out_of_range_are_refused(values: tuple[float, float]) -> None:
    with pytest.raises(BadParameter, match="distributional-privacy needs"):
        DistributionalPrivacy(*values)
