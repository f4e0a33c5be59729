"""What an owner's report holds, as data."""

from shoal.queries.ledger.consistency import ConsistencyReport
from shoal.queries.owner_dossier import OwnerDossier, figures
from shoal.queries.results import BudgetState


def state(spent: float) -> BudgetState:
    return BudgetState(
        "clinic", "bob", {"epsilon": 1.0}, {"epsilon": spent}, {"epsilon": 0.0}, "warn", "pure"
    )


def test_who_spent_more_than_granted_is_named() -> None:
    told = OwnerDossier(
        "t", "2026-01-31", "0", ConsistencyReport(1, "c"), (state(1.5), state(1.0)), (), 0, {}, ()
    )
    assert told.overdrawn == (told.budgets[0],) and told.holds
    assert told.to_json()["holds"] is True and "ε 1.5" in str(told.to_tables())


def test_costs_are_told_with_their_signs() -> None:
    assert figures({"epsilon": 0.5, "delta": 1e-6}) == "ε 0.5, δ 1e-06"
