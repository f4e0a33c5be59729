"""What a question costs, and what each of its parts gets: worked out before anything is spent or read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.answering.budget_split import Shares, divide
from shoal.queries.answering.noise import noises_of
from shoal.queries.answering.single_row import SingleRow, single_row
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.query import Plan

SHARE = 1_000  # of the budget's δ a question gets so small a part when it asks for groups found in the data
PRICES = 16  # of one question that are remembered


@dataclass(frozen=True)
class Price:
    """What each leaf gets of a question's ε and δ, what the question costs, and its δ."""

    shares: tuple[Shares, ...]  # of all private leaves, in the order in which they are asked
    cost: Cost
    delta: Fraction
    single: SingleRow | None = None  # how a prepared question of plain numbers is answered

    def own(self, plan: Plan) -> tuple[Shares, ...]:
        """Those of the leaves that the answer is made of."""
        return self.shares[len(self.shares) - len(plan.leaves) :]


def price(dataset: Dataset, plan: Plan, epsilon: Fraction, delta: Fraction | None) -> Price:
    """The price of a question, remembered with its plan; noise that cannot be made is refused here."""
    what = (epsilon, delta, plan.prepared is None)
    known = plan.prices.get(what)
    if known is None:
        if len(plan.prices) >= PRICES:
            plan.prices.clear()
        known = plan.prices[what] = _price(dataset, plan, epsilon, delta)
    found: Price = known
    return found


def _price(dataset: Dataset, plan: Plan, epsilon: Fraction, delta: Fraction | None) -> Price:
    books = accounting_of(dataset.accounting)
    if epsilon <= 0:
        raise BadParameter(f"ε of {float(epsilon):g} buys no answer; it must be above 0")
    if not plan.discovered:
        delta = Fraction(0)
    elif not books.finds_groups:
        raise NotAllowed(
            "the groups of this question are found in the data, which needs a δ; declare their keys, "
            f"or let the owner choose accounting = {books.finds_groups_as}"
        )
    elif delta is None:
        delta = dataset.budget.delta / SHARE
    elif not delta:
        raise BadParameter("a δ of 0 finds no groups in the data; give one such as 1e-9, or leave it out")
    divided = divide(dataset.accounting, epsilon, delta, plan.every)
    for query, shares in zip(plan.every, divided, strict=True):
        noises_of(query, shares)
        for quantile in query.quantiles:
            shares.quantile(quantile)
        if query.crowd is not None:
            shares.threshold(query)
        elif query.discovered:
            shares.check_groups(query.groups)
    single = None if plan.prepared is None else single_row(plan.leaves[0], divided[0])
    return Price(divided, books.cost(epsilon, delta), delta, single)
