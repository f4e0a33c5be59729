"""Where the budget of a few flags is kept, and how much it is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.queries.ask import BudgetLedger, remote
from shoal.jobs.queries.declare import NAME, chance, epsilon_from
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.budget_balance import declared_delta
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.account import Account, account, cost_text
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger, passing_ledger


def open_durable_ledger(
    accounting: str | None, budget: Any, delta: Any, place: str | Path | None, name: str = NAME
) -> BudgetLedger:
    """The ledger at a place with what it holds, or a new one with a budget; in memory without a place."""
    epsilon = None if budget is None else epsilon_from(budget, "--budget")
    new = place is not None and not remote(place) and not Path(place).exists()
    if epsilon is None and (place is None or new):
        raise BadParameter("how much may all questions together cost? Give --budget E, often 1 to 10")
    ledger = passing_ledger() if place is None else open_ledger(place)
    try:
        with ledger.place.reading() as hand:
            known = account(hand, name)
        if known is not None:
            return _known(ledger, known, accounting, epsilon)
        if epsilon is None:
            what = "files" if name == NAME else name
            raise BadParameter(
                f"the ledger '{place}' has no budget for {what} yet; begin one with --budget E"
            )
        return BudgetLedger.new(accounting, epsilon, chance(delta), ledger)
    except BaseException:
        ledger.close()
        raise


def _known(ledger: Ledger, known: Account, accounting: str | None, epsilon: Fraction | None) -> BudgetLedger:
    """A ledger that goes on; what was told about it before cannot be told otherwise now."""
    if accounting is not None and accounting != known.accounting:
        raise BadParameter(
            f"the ledger counts in {known.accounting}, not in {accounting}; leave --accounting out, or "
            "begin another ledger for other data"
        )
    if epsilon is None:
        return BudgetLedger(ledger, known.accounting, _budget(known))
    budget = Budget(epsilon, declared_delta(known.limit, known.accounting))
    if accounting_of(known.accounting).limit(budget) != known.limit:
        raise BadParameter(
            f"the ledger holds a budget of {cost_text(known.limit, known.accounting)}, "
            f"and --budget {float(epsilon):g} differs; leave --budget out, or change it with "
            "shoal query budget --change-epsilon"
        )
    return BudgetLedger(ledger, known.accounting, budget)


def _budget(known: Account) -> Budget:
    """The budget whose limit is in the ledger."""
    found = accounting_of(known.accounting).budget_of(known.limit)
    if found is None:
        raise BadParameter("the ledger's limit does not tell its ε; repeat the --budget it was begun with")
    return found
