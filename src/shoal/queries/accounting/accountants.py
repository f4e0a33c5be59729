"""Three ways to keep the books: pure ε, (ε, δ), and zCDP."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from shoal.core.errors import BadParameter
from shoal.core.sampling.directed_rounding import double_up, exp_down, exp_up
from shoal.core.sampling.zcdp_conversion import epsilon_of, question_epsilon, rho_for
from shoal.queries.accounting.cost import DELTA_STEP, Cost
from shoal.queries.declaration.declaration import Budget

LARGEST_EPSILON = 1000  # beyond, a promise says nothing; below, even ρ = ε²/2 fits into 64 bits
CERTAIN = int(1 / DELTA_STEP)  # a δ of 1: no promise at all
_PLACES = 9


class Bookkeeping(Protocol):
    """One way to keep the books."""

    name: str

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """What a question with such noise costs, rounded up."""

    def limit(self, budget: Budget) -> Cost:
        """How much may be spent in all under a budget, rounded down."""

    def figures(self, cost: Cost) -> dict[str, float]:
        """A cost in the words of a user."""

    def left(self, remaining: Cost) -> dict[str, float]:
        """What is left, in the words of a user: ε is the largest that one further question may have."""

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """What all answers together promise about one person, as ε and δ."""

    def group(self, cost: Cost, size: int) -> Cost:
        """What the same answers cost a group of people, rounded up."""


def exact(value: float | str | Fraction | Decimal) -> Fraction:
    """A number as it was written: 0.1 is a tenth, not the double beside it, and ten of them make one."""
    try:
        if isinstance(value, Fraction) or (isinstance(value, str) and "/" in value and len(value) < 100):
            return Fraction(value)
        decimal = Decimal(repr(value) if isinstance(value, float) else value)
        # 1e999999999 is a short text and a fraction that fills the memory.
        if not decimal.is_finite() or (decimal and abs(decimal.adjusted()) > 400):
            raise ValueError
        return Fraction(decimal)
    except (ValueError, ArithmeticError):
        raise BadParameter(f"'{str(value)[:40]}' is no finite number; write it as in 0.5 or 1e-6") from None


class _Sums:
    """ε and δ are what users read, and they add up."""

    def figures(self, cost: Cost) -> dict[str, float]:
        """ε and δ."""
        return _plain(cost)

    def left(self, remaining: Cost) -> dict[str, float]:
        """ε and δ."""
        return _plain(remaining)

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """The sums."""
        return _plain(spent)


class Pure(_Sums):
    """ε adds up, and there is no chance that it fails. Dwork, McSherry, Nissim & Smith 2006."""

    name = "pure"

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """ε as it is; a δ needs other books."""
        _check(epsilon, delta)
        if delta:
            raise BadParameter(
                f"this question needs a δ ({float(delta):g}), which pure accounting cannot give; "
                "the owner may choose accounting = approximate or zcdp"
            )
        return Cost.of(epsilon)

    def limit(self, budget: Budget) -> Cost:
        """ε as it is."""
        if budget.delta:
            raise BadParameter(f"pure accounting has no δ, and the budget has {float(budget.delta):g}")
        return Cost.limit(budget.epsilon)

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c·ε."""
        return Cost(_size(size) * cost.loss, 0)


class Approximate(_Sums):
    """ε and δ add up, each for itself. Dwork, Kenthapadi, McSherry, Mironov & Naor 2006."""

    name = "approximate"

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """ε and δ as they are."""
        _check(epsilon, delta)
        return Cost.of(epsilon, delta)

    def limit(self, budget: Budget) -> Cost:
        """ε and δ as they are."""
        return Cost.limit(budget.epsilon, budget.delta)

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c·ε, and δ·(e^{cε} - 1)/(e^ε - 1), neighbour by neighbour. Vadhan 2017."""
        size = _size(size)
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


class Concentrated:
    """ρ adds up, and a question asked with ε costs ρ = ε²/2: many small questions cost far less than under ε.

    Noise of an ε-private mechanism is ε²/2-zCDP, and so is Gaussian noise of variance (reach/ε)²; a threshold
    adds its δ to that (approximate zCDP). Of the budget's δ, half is kept to tell the sum of ρ as an ε, and
    half is there to be spent on questions that need a δ. Both halves together are the δ of the promise.

    Bun & Steinke 2016 (section 8 has the part with δ); Canonne, Kamath & Steinke 2020.
    """

    name = "zcdp"

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """ρ = ε²/2 and δ."""
        _check(epsilon, delta)
        return Cost.of(epsilon**2 / 2, delta)

    def limit(self, budget: Budget) -> Cost:
        """The largest ρ whose ε at half of δ is within the budget; and the other half of δ."""
        if not budget.delta:
            raise BadParameter("zcdp accounting needs a budget with a δ above 0, such as 1e-6")
        return Cost.limit(rho_for(budget.epsilon, budget.delta / 2), budget.delta / 2)

    def figures(self, cost: Cost) -> dict[str, float]:
        """The ε with which one question would cost as much, δ, and ρ itself."""
        rho, delta = cost.exact
        epsilon = round(float(question_epsilon(rho)), _PLACES)
        return {"epsilon": epsilon, "delta": float(delta), "rho": float(rho)}

    def left(self, remaining: Cost) -> dict[str, float]:
        """The same, with ε cut down so that a question with it still fits."""
        rho, delta = remaining.exact
        # One step more than rounding takes away, so that √(0.02²) is 0.02.
        steps = int((question_epsilon(rho) + Fraction(1, 10**30)) * 10**_PLACES)
        return {"epsilon": float(Fraction(steps, 10**_PLACES)), "delta": float(delta), "rho": float(rho)}

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """The sum of ρ told as ε at half of the budget's δ, and what was spent of δ with that half."""
        rho, delta = spent.exact
        if not rho:
            return {"epsilon": 0.0, "delta": float(delta), "rho": 0.0}
        kept = budget.delta / 2
        return {
            "epsilon": double_up(epsilon_of(rho, kept)),
            "delta": double_up(delta + kept),
            "rho": float(rho),
        }

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c²·ρ. Bun & Steinke 2016."""
        if cost.delta and size > 1:
            raise BadParameter(
                "group privacy of zCDP with a δ has no such rule; tell it as ε and δ first, with `guarantee`"
            )
        return Cost(_size(size) ** 2 * cost.loss, cost.delta)


_KINDS: dict[str, Bookkeeping] = {kind.name: kind for kind in (Pure(), Approximate(), Concentrated())}


def accounting_of(name: str) -> Bookkeeping:
    """The books by their name: pure, approximate or zcdp."""
    if name not in _KINDS:
        raise BadParameter(f"no accounting '{name}'; there is {', '.join(_KINDS)}")
    return _KINDS[name]


def _check(epsilon: Fraction, delta: Fraction) -> None:
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise BadParameter(f"ε={float(epsilon):g} is out of range; choose more than 0, often 0.1 to 1")
    if not 0 <= delta < 1:
        raise BadParameter(
            f"δ={float(delta):g} is out of range; choose from 0 to far below one in the number of people"
        )


def _size(size: int) -> int:
    if size < 1:
        raise BadParameter(f"a group of {size} makes no sense; at least 1")
    return size


def _plain(cost: Cost) -> dict[str, float]:
    epsilon, delta = cost.exact
    return {"epsilon": float(epsilon), "delta": float(delta)}
