"""The noise of a sum of noisy numbers."""

from fractions import Fraction

import pytest

from queries.clinic import dataset, usual
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.mixed_noise import mixed_noise
from shoal.queries.answering.noise import noises_of
from shoal.queries.sql.planner import plan


def test_one_number_has_its_formula_and_three_their_sum() -> None:
    for question, error, width in (
        ("SELECT COUNT(*) FROM people", 0.851, 3),
        ("SELECT COUNT(*), AVG(age) FROM people", 15 / 8, 4.863),  # of three Laplace variables
    ):
        query = plan(question, dataset(), usual())
        noises = noises_of(query, Shares("pure", Fraction(1), Fraction(0), query.parts))
        found = mixed_noise(query, noises, query.aggregates[0].of[0])
        assert found.error == pytest.approx(error, rel=0.02)
        assert found.width == pytest.approx(width, rel=0.02)
