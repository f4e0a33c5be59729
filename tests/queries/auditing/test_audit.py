"""Audits catch what is known to be broken, and let pass what keeps its promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shoal
from shoal.queries.auditing.audit import Audit, Side, audit_sides
from shoal.queries.auditing.lower_bound import Draws

SURE = 1 - 1e-9
generator = np.random.default_rng()


def audited(function: Callable[[Any], Any], with_one: Any, without: Any, samples: int = 20_000) -> Audit:
    return shoal.audit(
        function, neighbours=(with_one, without), epsilon=1, samples=samples, confidence=SURE, time_limit=None
    )


def sparse_vector(
    values: list[float], threshold: float, queries: float, positives: int | None = None, numbers: bool = False
) -> Side:
    """The sparse vector technique as it was published again and again (Lyu, Su, Li 2017)."""

    def drawn(number: int) -> Draws:
        bar = generator.laplace(scale=threshold, size=(number, 1))
        noisy = np.array(values) + generator.laplace(size=(number, len(values))) * queries
        above = noisy >= bar
        told = np.where(above, noisy, -100.0) if numbers else above.astype(float)
        if positives is not None:
            told[np.cumsum(above, axis=1) - above >= positives] = np.nan  # it has stopped before
        if numbers:  # nothing but "below" until the last one, whose number is told: its size bounds the bar
            return np.where((told[:, :-1] == -100).all(axis=1), told[:, -1], -200.0)[:, None]
        return told

    return drawn


def audited_sides(here: Side, there: Side, samples: int = 60_000, confidence: float = SURE) -> Audit:
    return audit_sides(
        here,
        there,
        audited="sparse vector",
        claimed=1.0,
        neighbours="",
        samples=samples,
        confidence=confidence,
    )


def noisy_max(scale: float) -> Callable[[Any], int]:
    return lambda values: int(
        np.argmax(np.asarray(values) + generator.laplace(scale=scale, size=len(values)))
    )


BROKEN: dict[str, tuple[Callable[[Any], Any], Any, Any]] = {
    "laplace with a sensitivity that is off by two": (
        lambda value: value + round(generator.laplace(scale=1.0)), 2, 0,
    ),
    "laplace in doubles": (lambda value: value + generator.laplace(scale=1.0), 1.0, 0.0),
    "noisy max at half its scale": (noisy_max(0.5), [2, 0, 0], [0, 2, 2]),
    "a sum that is clipped after it was made": (
        lambda rows: np.clip(sum(rows), 0, 100) + generator.laplace(scale=10.0), [100, 0], [0, 0],
    ),
}  # fmt: skip
# Five numbers of each side, and a number after many that are below the bar.
MIXED, AFTER = ([1.0] * 5 + [0.0] * 5, [0.0] * 5 + [1.0] * 5), ([0.0] * 6 + [1.0], [1.0] * 6 + [0.0])
SPARSE: dict[str, tuple[Side, Side]] = {
    "algorithm 3, the noisy number is told": (
        sparse_vector(AFTER[0], 2, 2, numbers=True), sparse_vector(AFTER[1], 2, 2, numbers=True),
    ),
    "algorithm 4, the noise of queries does not grow": (
        sparse_vector(MIXED[0], 4, 4 / 3), sparse_vector(MIXED[1], 4, 4 / 3),
    ),
    "algorithm 5, no noise on queries": (sparse_vector([0, 1], 2, 0), sparse_vector([1, 0], 2, 0)),
    "algorithm 6, no limit of positives": (sparse_vector(MIXED[0], 2, 2), sparse_vector(MIXED[1], 2, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", SPARSE)
def test_the_broken_variants_of_the_sparse_vector_are_caught(name: str) -> None:
    # One of them shows in a rare event, which must be seen often.
    samples = 1_000_000 if "number" in name else 60_000
    found = audited_sides(*SPARSE[name], samples=samples, confidence=0.999)
    assert found.lower_bound > 1 and not found.passed, found


def test_the_variants_of_the_sparse_vector_that_are_right_pass() -> None:
    # Algorithm 1 with ε in two halves and one positive, and algorithm 2, whose noise is c times as large.
    for threshold, queries, positives in ((2, 4, 1), (4, 8, 2)):
        here, there = (sparse_vector(side, threshold, queries, positives) for side in MIXED)
        assert audited_sides(here, there).passed


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_caught(name: str) -> None:
    found = audited(*BROKEN[name])
    assert found.lower_bound > 1 and not found.passed, found


def test_what_keeps_its_promise_passes() -> None:
    found = audited(lambda value: value + round(generator.laplace(scale=1.2)), 1, 0)
    assert found.passed and 0.5 < found.lower_bound <= 1
    assert found.to_json()["passed"] is True
