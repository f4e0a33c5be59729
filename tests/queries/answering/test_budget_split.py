"""Parts of a question together cost what the question costs, never more."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.clinic import dataset, usual
from shoal.queries.answering.budget_split import Shares, divide
from shoal.queries.declaration.declaration import Accounting
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from shoal.queries.sql.questions import plan_question

EPSILONS = st.fractions(Fraction(1, 1000), Fraction(100), max_denominator=10_000)
OUTER = [
    "SELECT COUNT(*) FROM people UNION ALL SELECT SUM(cost) FROM visits",
    "SELECT town, sex, COUNT(*), AVG(age) FROM people GROUP BY CUBE (town, sex)",
]


@given(EPSILONS, st.integers(1, 60), st.integers(1, 10**9))
def test_under_pure_accounting_the_parts_add_up_to_the_whole(
    epsilon: Fraction, parts: int, reach: int
) -> None:
    noise = Shares("pure", epsilon, Fraction(0), parts).noise(reach)
    assert isinstance(noise, Laplace)
    assert noise.epsilon * parts == epsilon
    assert noise.scale == reach / noise.epsilon


@given(EPSILONS, st.integers(1, 60), st.integers(1, 10**6))
def test_under_zcdp_numbers_and_choices_cost_their_share_of_rho(
    epsilon: Fraction, parts: int, reach: int
) -> None:
    shares = Shares("zcdp", epsilon, Fraction(0), parts)
    noise = shares.noise(reach)
    assert isinstance(noise, Gaussian)
    assert Fraction(reach) ** 2 / (2 * noise.variance) <= epsilon**2 / 2 / parts
    assert shares.each**2 / 2 <= epsilon**2 / 2 / parts


@given(EPSILONS, st.integers(1, 60), st.integers(1, 10**6))
def test_under_pld_numbers_and_choices_cost_their_share_of_the_square(
    epsilon: Fraction, parts: int, reach: int
) -> None:
    shares = Shares("pld", epsilon, Fraction(0), parts)
    noise = shares.noise(reach)
    assert isinstance(noise, RoundedGaussian)
    assert Fraction(reach) ** 2 / noise.variance <= epsilon**2 / parts
    assert shares.each**2 <= epsilon**2 / parts


@pytest.mark.parametrize("accounting", ["zcdp", "pld", "pld-listed", "zcdp-listed"])
def test_thresholds_on_people_have_normal_noise_where_squares_add_up(accounting: Accounting) -> None:
    """Somebody in 9 groups: σ = 3, and 1 + 6.5 σ or so; noise of the scale 9 would name from 200 on."""
    shares = Shares(accounting, Fraction(1), Fraction(1, 10**9), 1)
    told = shares.kept(np.full(2000, 60), 9)
    assert told.all() and not shares.kept(np.full(2000, 1), 9).any()


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp"])
def test_seven_films_and_three_questions_of_sensitivity_two(accounting: Accounting) -> None:
    """MISSION Q1: seven counts of one person 7/ε each, three questions of sensitivity two 6/ε each."""
    if accounting != "zcdp":
        assert Shares(accounting, Fraction(1, 2), Fraction(0), 7).noise(1).scale == 14  # type: ignore[union-attr]
        assert Shares(accounting, Fraction(1), Fraction(0), 3).noise(2).scale == 6  # type: ignore[union-attr]
    else:
        assert float(Shares(accounting, Fraction(1), Fraction(0), 7).noise(1).variance) == pytest.approx(7)  # type: ignore[union-attr]


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp", "pld"])
@pytest.mark.parametrize("text", OUTER)
def test_the_leaves_of_a_question_together_get_what_it_costs(accounting: Accounting, text: str) -> None:
    plan = plan_question(text, dataset(), usual())
    epsilon, delta = Fraction(1, 3), Fraction(1, 10**6)
    shares = divide(accounting, epsilon, delta, plan.leaves)
    if accounting in ("zcdp", "pld"):
        spent = sum((share.epsilon**2 / 2 for share in shares), Fraction(0))
        assert Fraction(999, 1000) * epsilon**2 / 2 <= spent <= epsilon**2 / 2
    else:
        assert sum((share.epsilon for share in shares), Fraction(0)) == epsilon
    assert sum((share.delta for share in shares), Fraction(0)) <= delta
    assert all((share.delta > 0) == leaf.discovered for share, leaf in zip(shares, plan.leaves, strict=True))


def test_people_in_ten_groups_take_the_root_of_the_noise_under_zcdp() -> None:
    """Worked: at ε = 1 one part has σ = reach; somebody in ten groups, once in each, reaches √10 = 3.16."""
    shares = Shares("zcdp", Fraction(1), Fraction(0), 1)
    assert float(shares.noise(10).variance) == pytest.approx(100)  # type: ignore[union-attr]
    found = shares.noise(10, squared=10)
    assert isinstance(found, Gaussian)
    assert found.variance >= 10 and float(found.variance) == pytest.approx(10)
    assert Shares("pure", Fraction(1), Fraction(0), 1).noise(10, squared=10).scale == 10  # type: ignore[union-attr]
