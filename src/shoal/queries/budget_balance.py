"""What was granted, what is spent and what is left: of one analyst, or of all together.

Under zCDP and pld what was granted and spent is told as the ε and δ that all answers together promise,
because the ε of single questions do not add up there; what is left is the largest ε of one further question.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from shoal.core.errors import NotAllowed
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.composition import smaller
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.account import CLOSED, Pair, account, pair
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.renewal import A_YEAR
from shoal.queries.results import BudgetState


def budget_state(ledger: Ledger, dataset: str, analyst: str | None = None) -> BudgetState:
    """The account of a data set, or of an analyst: then the smaller limit of the two is told."""
    with ledger.place.reading() as hand:
        if analyst is not None:
            found = pair(hand, dataset, analyst)
        else:
            whole = account(hand, dataset)
            found = None if whole is None else Pair(whole, whole)
    if found is None:
        raise NotAllowed(CLOSED)
    each = smaller(found.all.each, found.own.each)
    return BudgetState(
        dataset=dataset,
        analyst=analyst,
        limit=_promised(each, each, found.all.accounting),
        spent=_promised(found.own.spent - found.own.before, each, found.all.accounting),
        remaining=accounting_of(found.all.accounting).left(found.left),
        policy=found.all.policy,
        accounting=found.all.accounting,
        renews=_renews(found, each),
    )


def _renews(found: Pair, each: Cost) -> dict[str, Any] | None:
    """How a budget renews and what that adds up to: every period's answers are about the same people."""
    told = found.own.renewal
    if told is None:
        return None
    accounting = found.all.accounting
    spent = _promised(found.own.spent, each, accounting)
    year = Cost(each.loss * A_YEAR[told.rule], each.delta * A_YEAR[told.rule])
    sum_ = _promised(year, each, accounting)
    words = (
        f"The budget is for every {told.rule} (UTC); what is left of one lapses. The same people are asked "
        f"about in each, so that costs add up: ε {spent['epsilon']:.6g} so far in all, and up to "
        f"ε {sum_['epsilon']:.6g} more in every year."
    )
    return {"every": told.rule, "period": told.period, "spent_in_all": dict(spent), "in_words": words}


def declared_delta(limit: Cost, accounting: str) -> Fraction:
    """The δ of the budget that a limit was made of; where half of it is kept, the ledger holds the rest."""
    return accounting_of(accounting).declared_delta(limit)


def _promised(cost: Cost, limit: Cost, accounting: str) -> Mapping[str, float]:
    books, delta = accounting_of(accounting), declared_delta(limit, accounting)
    # Without a δ a sum of squares has no ε; so small a budget is told as a single question would be.
    if books.squared and not delta:
        return books.figures(cost)
    return books.guarantee(cost, Budget(Fraction(0), delta))
