"""Four ways to keep the books: pure ε, (ε, δ), zCDP, and the whole privacy loss."""

from __future__ import annotations

from fractions import Fraction

from shoal.core.errors import BadParameter
from shoal.core.sampling.directed_rounding import exp_down, exp_up
from shoal.queries.accounting.bookkeeping import LARGEST_EPSILON, Bookkeeping, check, check_size, exact
from shoal.queries.accounting.cost import DELTA_STEP, Cost
from shoal.queries.accounting.squared_losses import Concentrated, GaussianLoss
from shoal.queries.declaration.declaration import Budget

__all__ = [
    "CERTAIN", "LARGEST_EPSILON", "Approximate", "Bookkeeping", "Concentrated", "GaussianLoss", "Pure",
    "accounting_of", "exact",
]  # fmt: skip

CERTAIN = int(1 / DELTA_STEP)  # a δ of 1: no promise at all


class _Sums:
    """ε and δ are what users read, and they add up."""

    squared = False
    finds_groups = True
    finds_groups_as = "approximate"

    def claim(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """ε, whatever δ is."""
        return epsilon

    def figures(self, cost: Cost) -> dict[str, float]:
        """ε and δ."""
        return _plain(cost)

    def left(self, remaining: Cost) -> dict[str, float]:
        """ε and δ."""
        return _plain(remaining)

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """The sums."""
        return _plain(spent)

    def declared_delta(self, limit: Cost) -> Fraction:
        """All of it."""
        return limit.exact[1]

    def budget_of(self, limit: Cost) -> Budget:
        """The limit itself."""
        return Budget(*limit.exact)

    def budget_for_one(self, epsilon: Fraction, delta: Fraction | None, usual: Fraction) -> Budget:
        """The same ε and δ."""
        return Budget(epsilon, usual if delta is None else delta)


class Pure(_Sums):
    """ε adds up, and there is no chance that it fails. Dwork, McSherry, Nissim & Smith 2006."""

    name = "pure"
    finds_groups = False

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """ε as it is; a δ needs other books."""
        check(epsilon, delta)
        if delta:
            raise BadParameter(
                f"this question needs a δ ({float(delta):g}), which pure accounting cannot give; "
                "the owner may choose accounting = approximate, zcdp or pld"
            )
        return Cost.of(epsilon)

    def limit(self, budget: Budget) -> Cost:
        """ε as it is."""
        if budget.delta:
            raise BadParameter(f"pure accounting has no δ, and the budget has {float(budget.delta):g}")
        return Cost.limit(budget.epsilon)

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c·ε."""
        return Cost(check_size(size) * cost.loss, 0)


class Approximate(_Sums):
    """ε and δ add up, each for itself. Dwork, Kenthapadi, McSherry, Mironov & Naor 2006."""

    name = "approximate"

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """ε and δ as they are."""
        check(epsilon, delta)
        return Cost.of(epsilon, delta)

    def limit(self, budget: Budget) -> Cost:
        """ε and δ as they are."""
        return Cost.limit(budget.epsilon, budget.delta)

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c·ε, and δ·(e^{cε} - 1)/(e^ε - 1), neighbour by neighbour. Vadhan 2017."""
        size = check_size(size)
        epsilon, delta = cost.exact
        if not delta or size == 1:
            return Cost(size * cost.loss, cost.delta)
        if not epsilon:
            factor = Fraction(size)
        elif size * epsilon > 100:  # e^50 is beyond every step of δ; a larger power would only take time
            return Cost(size * cost.loss, CERTAIN)
        else:
            factor = (exp_up(size * epsilon) - 1) / (exp_down(epsilon) - 1)
        return Cost(size * cost.loss, min(CERTAIN, Cost.of(Fraction(0), delta * factor).delta))


_KINDS: dict[str, Bookkeeping] = {
    kind.name: kind
    for kind in (
        Pure(),
        Approximate(),
        Concentrated(),
        Concentrated(listed=True),
        GaussianLoss(),
        GaussianLoss(listed=True),
    )
}


def accounting_of(name: str) -> Bookkeeping:
    """The books by their name."""
    if name not in _KINDS:
        raise BadParameter(f"no accounting '{name}'; there is {', '.join(_KINDS)}")
    return _KINDS[name]


def _plain(cost: Cost) -> dict[str, float]:
    epsilon, delta = cost.exact
    return {"epsilon": float(epsilon), "delta": float(delta)}
