"""What cannot be audited is refused before anything is drawn."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter


@pytest.mark.parametrize(
    ("subject", "settings", "said"),
    [
        ("laplas", {}, "no mechanism 'laplas'"),
        ("laplace", {"samples": 5}, "5 draws show nothing; take 100 or more"),
        ("laplace", {"confidence": 1.0}, "a confidence of 1 is none"),
        ("laplace", {"data": {"t": pl.DataFrame({"id": [1]})}, "unit": "id"}, "'laplace' is no question"),
        ("SELECT COUNT(*) FROM t", {}, "no private table given"),
        ("SELECT COUNT(*) FROM t WHERE id > (SELECT COUNT(*) FROM t)",
         {"data": {"t": pl.DataFrame({"id": [1]})}, "unit": "id"}, "another thing for every draw"),
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


@pytest.mark.parametrize("accounting", ["zcdp", "zcdp-listed", "pld", "pld-listed"])
def test_where_squares_add_up_a_question_claims_an_epsilon_at_a_delta(accounting: str) -> None:
    """Normal noise of ε = 1 exceeds e^ε three times in ten: as a claim without δ it would be broken."""
    data = {"t": pl.DataFrame({"id": list(range(20))})}
    told = shoal.audit(
        "SELECT COUNT(*) FROM t", data, unit="id", epsilon=1, accounting=accounting, samples=20_000
    )
    assert told.claimed > 2 and told.delta > 0 and told.passed
