"""Algorithms on top: how far private clusters are from the best, streams, and seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks import show
from shoal.queries.learner import STEPS
from shoal.queries.mechanisms.continual_count.continual_count import ContinualCount
from shoal.queries.mechanisms.k_means.k_means import KMeans
from shoal.queries.mechanisms.pan_private_density import PanPrivateDensity

ONE = Fraction(1)
SETTINGS = ((20_000, 2, 5), (20_000, 5, 5), (100_000, 10, 10))
WAYS: dict[str, Callable[[int], KMeans]] = {
    "refined": lambda k: KMeans(ONE, k),
    "refined, δ": lambda k: KMeans(ONE, k, delta=Fraction(1, 10**6)),
    "fixed": lambda k: KMeans(ONE, k, iterations=5, schedule="fixed"),
    "halving": lambda k: KMeans(ONE, k, iterations=5, schedule="halving"),
}


def run(rows: int | None, rounds: int | None) -> None:
    """Clusters, then seconds."""
    chance = np.random.default_rng(7)
    lines = []
    for number, dimensions, k in SETTINGS:
        points, centres = _clusters(rows or number, dimensions, k, chance)
        found = [f"{_cost(points, centres):.4f}"]
        for made in WAYS.values():
            costs = [_cost(points, made(k).release(points).centres) for _ in range(rounds or 6)]
            found.append(f"{np.mean(costs):.4f}")
        lines.append([f"{len(points):,} rows, {dimensions} columns, k = {k}", *found])
    show.table("k-means, ε = 1: mean squared distance", ["data", "true centres", *WAYS], lines)
    many = rows or 1_000_000
    points, _ = _clusters(many, 10, 10, chance)
    memory = PanPrivateDensity(ONE, many).begin()
    counter = ContinualCount(ONE, many)
    seconds = {
        f"k-means, {many:,} rows, 10 columns, k = 10, 10 iterations": _seconds(
            lambda: KMeans(ONE, 10, 10).release(points)
        ),
        f"density of {many:,} elements": _seconds(lambda: memory.see(np.arange(many))),
        f"count of {many // 10:,} elements, tree": _seconds(
            lambda: counter.release(np.ones(many // 10, np.int64))
        ),
    }
    show.table(
        "CPU seconds", ["work", "seconds"], [[name, f"{value:.2f}"] for name, value in seconds.items()]
    )


def _clusters(
    number: int, dimensions: int, k: int, chance: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    centres = chance.uniform(0.1, 0.9, (k, dimensions))
    points = centres[chance.integers(0, k, number)] + chance.normal(0, 0.03, (number, dimensions))
    return np.clip(points * STEPS, 0, STEPS).astype(np.int64), centres


def _cost(points: NDArray[np.int64], centres: NDArray[np.float64]) -> float:
    some = points[:: max(1, len(points) // 3000)] / STEPS
    return float(((some[:, None] - centres[None]) ** 2).sum(axis=2).min(axis=1).mean())


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
