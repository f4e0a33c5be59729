"""Questions are audited on data with and without somebody."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter


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


def test_who_is_left_out_must_be_there() -> None:
    sql = "SELECT COUNT(*) FROM patients"
    assert shoal.audit(sql, epsilon=1, samples=100, without="99", **patients()).reach[0].found == 3
    with pytest.raises(BadParameter, match="nobody is called '100' in 'id'"):
        shoal.audit(sql, epsilon=1, samples=100, without="100", **patients())
