"""Audits catch what is known to be broken, and let pass what keeps its promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
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


def audited_sides(here: Side, there: Side, samples: int = 60_000) -> Audit:
    return audit_sides(
        here, there, audited="sparse vector", claimed=1.0, neighbours="", samples=samples, confidence=SURE
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
    found = audited_sides(*SPARSE[name])
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


@pytest.mark.parametrize("name", ["laplace", "randomised-response", "histogram", "gaussian"])
def test_a_mechanism_is_audited_by_its_name_and_its_price(name: str) -> None:
    found = shoal.audit(name, epsilon=1, samples=20_000, confidence=SURE)
    assert found.passed and found.claimed == 1
    assert found.lower_bound > 0.15
    assert (found.delta > 0) == (name == "gaussian")


def patients() -> dict[str, Any]:
    rows = [{"id": n, "sex": "FM"[n % 2], "income": 50.0} for n in range(40)]
    rows += [{"id": 99, "sex": "F", "income": 100.0}] * 3
    return {
        "data": {"patients": pl.DataFrame(rows)},
        "unit": "id",
        "rows": 3,
        "keys": {"sex": ["F", "M"]},
        "bounds": {"income": (0, 100)},
    }


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_a_question_is_audited_with_whoever_moves_it_the_most(accounting: str) -> None:
    found = shoal.audit(
        "SELECT sex, COUNT(*) FROM patients GROUP BY sex", epsilon=1, samples=1_200,
        accounting=accounting, **patients(),
    )  # fmt: skip
    assert found.passed
    assert [(part.declared, part.found) for part in found.reach] == [(3, 3)]  # the one with three rows


def test_how_far_people_move_sums_and_averages_is_beside_what_was_declared() -> None:
    found = shoal.audit("SELECT SUM(income), AVG(income) FROM patients", epsilon=1, samples=200, **patients())
    assert found.passed and found.reach and max(part.found / part.declared for part in found.reach) > 0.9


@pytest.mark.parametrize(
    ("subject", "settings", "said"),
    [
        ("laplas", {}, "no mechanism 'laplas'"),
        ("laplace", {"samples": 5}, "5 draws show nothing; take 100 or more"),
        ("laplace", {"confidence": 1.0}, "a confidence of 1 is none"),
        ("laplace", {"data": {"t": pl.DataFrame({"id": [1]})}, "unit": "id"}, "'laplace' is no question"),
        ("SELECT COUNT(*) FROM t", {}, "no private table given"),
        (abs, {}, "give neighbours=(with, without)"),
        ("SELECT COUNT(*) FROM t", {"data": {"t": pl.DataFrame({"id": []}, schema={"id": pl.Int64})},
                                    "unit": "id"}, "the data have no rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_audited_is_refused_in_a_sentence(
    subject: Any, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadParameter, match=said.replace("(", r"\(").replace(")", r"\)")):
        shoal.audit(subject, epsilon=1, **settings)


def test_the_bound_of_many_draws_is_close_to_the_promise() -> None:
    found = shoal.audit("laplace", epsilon=1, samples=400_000, confidence=SURE)
    assert 0.9 < found.lower_bound <= 1 and math.isclose(found.claimed, 1)
