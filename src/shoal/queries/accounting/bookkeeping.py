"""What every way to keep the books tells, and numbers as they were written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Budget

LARGEST_EPSILON = 1000  # beyond, a promise says nothing; below, even ε² fits into 64 bits


class Bookkeeping(Protocol):
    """One way to keep the books."""

    @property
    def name(self) -> str:
        """As owners choose it, and as a ledger notes it."""

    @property
    def squared(self) -> bool:
        """Whether the squares of ε add up, so that normal noise is what is cheap."""

    @property
    def finds_groups(self) -> bool:
        """Whether a question may have a δ, which groups that nobody listed need."""

    @property
    def finds_groups_as(self) -> str:
        """The nearest books that do."""

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """What a question with such noise costs, rounded up."""

    def claim(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """The ε that one question of ε promises at a δ, if no groups are found for it."""

    def limit(self, budget: Budget) -> Cost:
        """How much may be spent in all under a budget, rounded down."""

    def figures(self, cost: Cost) -> dict[str, float]:
        """A cost in the words of a user."""

    def left(self, remaining: Cost) -> dict[str, float]:
        """What is left, in the words of a user: ε is the largest that one further question may have."""

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """What all answers together promise about one person, as ε and δ."""

    def declared_delta(self, limit: Cost) -> Fraction:
        """The δ of the budget that a limit was made of."""

    def budget_of(self, limit: Cost) -> Budget | None:
        """A budget that has such a limit, written with few digits; None where none is found."""

    def budget_for_one(self, epsilon: Fraction, delta: Fraction | None, usual: Fraction) -> Budget:
        """A budget for a question of ε, and of a δ or a usual one, which may spend all of it."""

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


def check(epsilon: Fraction, delta: Fraction) -> None:
    """Refuse what no question can have."""
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise BadParameter(f"ε={float(epsilon):g} is out of range; choose more than 0, often 0.1 to 1")
    if not 0 <= delta < 1:
        raise BadParameter(
            f"δ={float(delta):g} is out of range; choose from 0 to far below one in the number of people"
        )


def check_size(size: int) -> int:
    """A group of people is at least one."""
    if size < 1:
        raise BadParameter(f"a group of {size} makes no sense; at least 1")
    return size
