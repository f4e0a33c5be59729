"""The books: what a question costs, what a budget allows, what users are told."""

import math
from decimal import Decimal
from fractions import Fraction

import dp_accounting
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.sampling.zcdp_conversion import delta_of, epsilon_of
from shoal.queries.accounting.accountants import (
    CERTAIN,
    LARGEST_EPSILON,
    Approximate,
    Concentrated,
    Pure,
    accounting_of,
    exact,
)
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Budget

NONE = Fraction(0)
KINDS = ("pure", "approximate", "zcdp", "zcdp-listed", "pld", "pld-listed")
micros = st.integers(1, 10**7).map(lambda n: Fraction(n, 10**6))


@pytest.mark.parametrize("name", KINDS)
def test_every_accounting_is_found_by_its_name(name: str) -> None:
    assert accounting_of(name).name == name


def test_an_unknown_accounting_is_told_with_the_known_ones() -> None:
    with pytest.raises(
        BadParameter, match=r"no accounting 'renyi'; there is pure, approximate, zcdp, zcdp-listed, pld"
    ):
        accounting_of("renyi")


def test_pure_books_refuse_a_delta_and_say_which_books_take_it() -> None:
    with pytest.raises(BadParameter, match="approximate, zcdp or pld"):
        Pure().cost(Fraction(1), Fraction(1, 10**6))
    with pytest.raises(BadParameter, match="no δ"):
        Pure().limit(Budget(Fraction(1), Fraction(1, 10**6)))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("epsilon", ["0", "-1", "1001"])
def test_an_epsilon_out_of_range_is_refused(name: str, epsilon: str) -> None:
    with pytest.raises(BadParameter, match="out of range"):
        accounting_of(name).cost(Fraction(epsilon), NONE)


@pytest.mark.parametrize("delta", ["-1/10", "1", "2"])
def test_a_delta_out_of_range_is_refused(delta: str) -> None:
    for name in KINDS[1:]:
        with pytest.raises(BadParameter, match="δ"):
            accounting_of(name).cost(Fraction(1), Fraction(delta))


@pytest.mark.parametrize("name", KINDS)
def test_the_dearest_question_fits_into_64_bits(name: str) -> None:
    assert accounting_of(name).cost(Fraction(LARGEST_EPSILON), NONE).loss < 2**63


def test_ten_tenths_use_up_a_budget_of_one() -> None:
    tenth = Pure().cost(exact(0.1), NONE)
    assert sum((tenth for _ in range(10)), Cost()) == Pure().limit(Budget(exact(1.0)))


@given(micros)
def test_what_is_told_as_left_can_be_asked(amount: Fraction) -> None:
    for name in KINDS:
        books = accounting_of(name)
        remaining = Cost.limit(amount)
        left = books.left(remaining)["epsilon"]
        if left:
            assert books.cost(exact(left), NONE).within(remaining)
        # and not much more than that
        assert not books.cost(exact(left) + Fraction(1, 10**6), NONE).within(remaining)


@given(micros)
def test_the_epsilon_of_a_question_is_told_as_it_was_asked(epsilon: Fraction) -> None:
    for name in KINDS:
        books = accounting_of(name)
        told = books.figures(books.cost(epsilon, NONE))["epsilon"]
        assert told == pytest.approx(float(epsilon), abs=1e-9 if name == "pure" else 1e-6)


def test_a_concentrated_question_costs_half_of_epsilon_squared() -> None:
    cost = Concentrated().cost(Fraction(1, 10), Fraction(1, 10**8))
    assert cost.exact == (Fraction(1, 200), Fraction(1, 10**8))
    assert Concentrated().figures(cost) == {"epsilon": 0.1, "delta": 1e-8, "rho": 0.005}
    # not a whole number of steps: up
    assert Concentrated().cost(Fraction(1, 3), NONE).loss == math.ceil(Fraction(10**12, 18))


@given(micros, st.integers(2, 12))
def test_a_concentrated_budget_keeps_its_promise(epsilon: Fraction, digits: int) -> None:
    budget = Budget(epsilon, Fraction(1, 10**digits))
    limit = Concentrated().limit(budget)
    rho, delta = limit.exact
    # whatever is spent within the limit is (ε, δ)-private: half of δ for questions, half for the conversion
    assert delta + budget.delta / 2 <= budget.delta
    if rho:
        slack = 1 + Fraction(1, 10**6)  # the best order for δ is found anew, in floating point
        assert delta_of(rho, budget.epsilon) <= budget.delta / 2 * slack
        sigma = 1 / math.sqrt(2 * float(rho))
        assert dp_accounting.get_epsilon_gaussian(sigma, float(budget.delta / 2)) <= float(epsilon)


def test_a_concentrated_budget_answers_many_more_small_questions() -> None:
    budget, small = Budget(Fraction(1), Fraction(1, 10**6)), Fraction(1, 100)
    books = Concentrated()
    assert books.limit(budget).loss // books.cost(small, NONE).loss == 458  # pure: 100


@pytest.mark.parametrize(
    ("name", "number"),
    [("pure", 100), ("zcdp", 458), ("zcdp-listed", 487), ("pld", 524), ("pld-listed", 560)],
)
def test_so_many_questions_of_a_hundredth_fit_one(name: str, number: int) -> None:
    budget = Budget(Fraction(1), NONE if name == "pure" else Fraction(1, 10**6))
    books = accounting_of(name)
    assert books.limit(budget).loss // books.cost(Fraction(1, 100), NONE).loss == number


def test_concentrated_books_need_a_delta() -> None:
    with pytest.raises(BadParameter, match="δ above 0"):
        Concentrated().limit(Budget(Fraction(1)))


@given(micros)
def test_the_guarantee_of_a_used_up_budget_is_the_budget(epsilon: Fraction) -> None:
    for name in KINDS:
        budget = Budget(epsilon, NONE if name == "pure" else Fraction(1, 10**6))
        books = accounting_of(name)
        told = books.guarantee(books.limit(budget), budget)
        assert told["epsilon"] <= float(epsilon) * (1 + 1e-6)
        assert told["delta"] <= float(budget.delta) * (1 + 1e-12)
        assert books.guarantee(Cost(), budget)["epsilon"] == 0


def test_the_guarantee_of_concentrated_books_tells_the_sum_as_epsilon() -> None:
    budget = Budget(Fraction(4), Fraction(1, 10**6))
    told = Concentrated().guarantee(Cost.of(Fraction(1, 2)), budget)
    exact = epsilon_of(Fraction(1, 2), budget.delta / 2)
    assert exact <= Fraction(told["epsilon"]) < exact * (1 + Fraction(1, 2**50))
    assert budget.delta / 2 <= Fraction(told["delta"]) < budget.delta * Fraction(501, 1000)
    assert told["rho"] == 0.5


@given(micros, st.integers(1, 50))
def test_a_group_costs_its_size_and_its_square(epsilon: Fraction, size: int) -> None:
    assert Pure().group(Pure().cost(epsilon, NONE), size) == Cost.of(size * epsilon)
    rho = Concentrated().cost(epsilon, NONE)
    assert Concentrated().group(rho, size).loss == size**2 * rho.loss


@given(micros, st.integers(1, 12), st.integers(1, 40))
def test_group_delta_is_the_sum_over_the_chain_of_neighbours(
    epsilon: Fraction, digits: int, size: int
) -> None:
    cost = Cost.of(epsilon, Fraction(1, 10**digits))
    # brute force: every step from one neighbour to the next adds δ, grown by e^ε for each step before
    power = float(epsilon)
    total = sum(math.exp(min(600.0, step * power)) for step in range(size)) * 10.0**-digits
    ours = Approximate().group(cost, size)
    assert ours.loss == size * cost.loss
    assert ours.delta * 1e-18 == pytest.approx(min(1.0, total), rel=1e-9)
    assert ours.delta <= CERTAIN


def test_a_group_of_free_or_certain_delta_and_of_one() -> None:
    assert Approximate().group(Cost(0, 5), 3) == Cost(0, 15)
    assert Approximate().group(Cost(7, 5), 1) == Cost(7, 5)
    assert Approximate().group(Cost(7, 0), 4) == Cost(28, 0)
    with pytest.raises(BadParameter, match="at least 1"):
        Pure().group(Cost(1), 0)
    with pytest.raises(BadParameter, match="guarantee"):
        Concentrated().group(Cost(1, 1), 2)


def test_group_privacy_agrees_with_googles_gaussian() -> None:
    # c people move a sum c times as far: Gaussian noise of σ counts as one of σ/c
    rho, size = Fraction(1, 50), 4
    ours = Concentrated().group(Cost.of(rho), size).exact[0]
    sigma = 1 / math.sqrt(2 * float(rho))
    truth = dp_accounting.get_epsilon_gaussian(sigma / size, 1e-6)
    assert truth <= float(epsilon_of(ours, Fraction(1, 10**6))) <= truth * 1.15


@pytest.mark.parametrize(
    "written, meant",
    [(0.1, "1/10"), ("1e-6", "1/1000000"), (2, "2"), (Decimal("0.5"), "1/2"), ("1/3", "1/3")],
)
def test_numbers_are_taken_as_written(written: float | str | Decimal, meant: str) -> None:
    assert exact(written) == Fraction(meant)


@pytest.mark.parametrize(
    "written", [float("nan"), float("inf"), "much", "1/0", "", "1e999999999", "1e-999999999", "sNaN"]
)
def test_what_is_no_number_is_told(written: float | str) -> None:
    with pytest.raises(BadParameter, match="no finite number"):
        exact(written)
