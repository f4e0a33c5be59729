"""Sub-queries that speak of the row around them, for random questions: one value, or whether there is any."""

from __future__ import annotations

import random

TOLD = (
    "COUNT(*)", "COUNT(y.cost)", "COUNT(DISTINCT y.ward)", "SUM(y.cost)", "AVG(y.cost)", "MIN(y.cost)",
    "MAX(y.cost) - MIN(y.cost)", "COALESCE(SUM(y.cost), 0) + COUNT(*)", "COUNT(*) FILTER (WHERE y.cost > 1)",
    "SUM(y.cost) FILTER (WHERE y.ward = 2)", "COUNT_IF(y.cost > 10)",
)  # fmt: skip


def value_of_row(rng: random.Random, at: str, visits: str | None, target: str) -> str:
    """A number of the visits of whoever a row is about, or of a person's one row."""
    if rng.random() < 0.15:
        return f"(SELECT y.{rng.choice(('price', 'score'))} FROM people y WHERE y.id = {at}id)"
    return f"(SELECT {rng.choice(TOLD)} FROM {_visits(rng, at, visits, target)})"


def truth_of_row(rng: random.Random, at: str, visits: str | None, target: str) -> str:
    """Whether there is such a visit; not alone in WHERE, where it would be another kind of join."""
    inside, denied = _visits(rng, at, visits, target), rng.choice(("", "NOT "))
    if rng.random() < 0.3:
        return f"{at}id {denied}IN (SELECT z.id FROM visits z WHERE z.cost > {rng.choice((0, 10))})"
    return f"{denied}EXISTS (SELECT 1 FROM {inside})"


def _visits(rng: random.Random, at: str, visits: str | None, target: str) -> str:
    tests = [f"y.id = {at}id"]
    if visits and rng.random() < 0.3:
        tests.append(f"y.ward = {visits}ward")
    if rng.random() < 0.5:
        tests.append(
            rng.choice(
                ("y.cost > 10", "y.cost IS NULL", f"y.id = '{target}'", f"y.id <> '{target}'", "y.ward = 2")
            )
        )
    rng.shuffle(tests)
    return f"visits y WHERE {' AND '.join(tests)}"
