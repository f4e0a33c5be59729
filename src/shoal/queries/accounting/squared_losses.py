"""Books in which the squares of ε add up: zCDP, and the privacy loss as a whole.

Both are for questions that are chosen after the answers before: the sum of what was chosen is what counts
(`composition.py`). Of the budget's δ one part is kept to tell the sum as an ε, the other is there to be spent
on questions that find groups in the data. How much is which has to be fixed before the first question.
Whoever might choose between both on the way could wait for an answer that tells much, and then go on asking,
and after any other spend the δ: both chances would add up to more than either. So it is half and half, unless
all groups are listed (`zcdp-listed`, `pld-listed`): then no question has a δ, and all of it is kept.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.core.errors import BadParameter
from shoal.core.sampling import gaussian_dp_conversion, zcdp_conversion
from shoal.core.sampling.directed_rounding import double_up, sqrt_down
from shoal.queries.accounting.bookkeeping import check, check_size
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Budget

_PLACES = 9
_DIGITS = 12  # of an ε that is found again from a limit


@dataclass(frozen=True)
class _Squares(ABC):
    """A question of ε costs `factor` · ε²."""

    listed: bool = False

    kind: ClassVar[str]
    letter: ClassVar[str]
    factor: ClassVar[Fraction]
    squared: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """With `-listed` where all groups are."""
        return f"{self.kind}-listed" if self.listed else self.kind

    @property
    def finds_groups(self) -> bool:
        """Unless all are listed."""
        return not self.listed

    @property
    def finds_groups_as(self) -> str:
        """The kind itself."""
        return self.kind

    @abstractmethod
    def most(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """The largest sum that is (ε, δ)-private, rounded down."""

    @abstractmethod
    def worth(self, loss: Fraction, delta: Fraction) -> Fraction:
        """The ε of a sum at a δ, rounded up."""

    @abstractmethod
    def told(self, loss: Fraction) -> float:
        """A sum in the letter of its kind."""

    def cost(self, epsilon: Fraction, delta: Fraction) -> Cost:
        """factor · ε², and δ."""
        check(epsilon, delta)
        if delta and self.listed:
            raise BadParameter(
                f"this question needs a δ ({float(delta):g}) to find its groups, and {self.name} accounting "
                f"has none to spend; list their keys, or let the owner choose accounting = {self.kind}"
            )
        return Cost.of(epsilon**2 * self.factor, delta)

    def claim(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """What its factor · ε² is worth."""
        return self.worth(epsilon**2 * self.factor, delta)

    def limit(self, budget: Budget) -> Cost:
        """The largest sum whose ε at the δ that is kept is within the budget; and the other part of δ.

        Where all groups are listed nothing of δ is spent, and the limit notes what is kept.
        """
        if not budget.delta:
            raise BadParameter(f"{self.name} accounting needs a budget with a δ above 0, such as 1e-6")
        kept = self._kept(budget.delta)
        return Cost.limit(self.most(budget.epsilon, kept), kept)

    def figures(self, cost: Cost) -> dict[str, float]:
        """The ε with which one question would cost as much, δ, and the sum itself."""
        loss, delta = cost.exact
        epsilon = round(float(self._single(loss)), _PLACES)
        return {"epsilon": epsilon, "delta": float(delta), self.letter: self.told(loss)}

    def left(self, remaining: Cost) -> dict[str, float]:
        """The same, with ε cut down so that a question with it still fits."""
        loss, delta = remaining.exact
        # One step more than rounding takes away, so that √(0.02²) is 0.02.
        steps = int((self._single(loss) + Fraction(1, 10**30)) * 10**_PLACES)
        spare = 0.0 if self.listed else float(delta)
        return {"epsilon": float(Fraction(steps, 10**_PLACES)), "delta": spare, self.letter: self.told(loss)}

    def guarantee(self, spent: Cost, budget: Budget) -> dict[str, float]:
        """The sum told as ε at the δ that is kept, and what was spent of δ with that."""
        loss, delta = spent.exact
        if self.listed:
            delta = Fraction(0)  # a limit notes what is kept, and that counts below
        if not loss:
            return {"epsilon": 0.0, "delta": float(delta), self.letter: 0.0}
        kept = self._kept(budget.delta)
        return {
            "epsilon": double_up(self.worth(loss, kept)),
            "delta": double_up(delta + kept),
            self.letter: self.told(loss),
        }

    def declared_delta(self, limit: Cost) -> Fraction:
        """The limit has what may be spent of it, or what is kept: half, or all."""
        return limit.exact[1] * (1 if self.listed else 2)

    def budget_of(self, limit: Cost) -> Budget | None:
        """ε was written with a few digits: the shortest number that gives the same sum."""
        loss, kept = limit.exact
        delta, near = self.declared_delta(limit), self.worth(loss, kept)
        for digits in range(_DIGITS + 1):
            for step in (0, 1, -1):
                guess = Budget(Fraction(max(1, round(near * 10**digits) + step), 10**digits), delta)
                if self.limit(guess) == limit:
                    return guess
        return None

    def budget_for_one(self, epsilon: Fraction, delta: Fraction | None, usual: Fraction) -> Budget:
        """Told as ε with a δ, a question of ε costs more than its ε."""
        whole = usual if delta is None else delta if self.listed else 2 * delta
        limit = self.worth(epsilon**2 * self.factor, self._kept(whole))
        while self.limit(Budget(limit, whole)).loss < self.cost(epsilon, Fraction(0)).loss:
            limit += Fraction(1, 10**6)
        return Budget(limit, whole)

    def group(self, cost: Cost, size: int) -> Cost:
        """c people: c² times the sum. Bun & Steinke 2016; Dong, Roth & Su 2022, theorem 2.14."""
        if cost.delta and size > 1:
            raise BadParameter(
                f"group privacy of {self.kind} with a δ has no such rule; tell it as ε and δ first, with "
                "`guarantee`"
            )
        return Cost(check_size(size) ** 2 * cost.loss, cost.delta)

    def _kept(self, delta: Fraction) -> Fraction:
        return delta if self.listed else delta / 2

    def _single(self, loss: Fraction) -> Fraction:
        """The largest ε of a question that costs at most so much, not too large."""
        return sqrt_down(loss / self.factor) if loss > 0 else Fraction(0)


class Concentrated(_Squares):
    """ρ adds up, and a question asked with ε costs ρ = ε²/2: many small questions cost far less than under ε.

    Noise of an ε-private mechanism is ε²/2-zCDP, and so is Gaussian noise of variance (reach/ε)²; a threshold
    adds its δ to that (approximate zCDP).

    Bun & Steinke 2016 (section 8 has the part with δ); Canonne, Kamath & Steinke 2020.
    """

    kind = "zcdp"
    letter = "rho"
    factor = Fraction(1, 2)

    def most(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """By the best order of Rényi divergence."""
        return zcdp_conversion.rho_for(epsilon, delta)

    def worth(self, loss: Fraction, delta: Fraction) -> Fraction:
        """By the best order of Rényi divergence."""
        return zcdp_conversion.epsilon_of(loss, delta)

    def told(self, loss: Fraction) -> float:
        """ρ."""
        return float(loss)


class GaussianLoss(_Squares):
    """The privacy loss of all answers together is that of one Gaussian mechanism: N(μ²/2, μ²). μ² adds up.

    A question asked with ε costs μ² = ε². The ε at a δ follows from that law exactly, where zCDP has a bound
    that holds for every law with such moments: some 15 % more questions.

    Numbers get normal noise of σ = reach/ε, rounded, which is ε-GDP; choices of bounded range and thresholds
    are charged the μ of the Gaussian mechanism that is no harder to see through. So the books hold one law,
    and one number. Privacy loss distributions of several laws can be composed exactly as well, but that holds
    for questions fixed in advance only: whoever goes on with one law after an answer that told much, and with
    another after any other answer, gets the chances of both (Rogers, Roth, Ullman & Vadhan 2016). Of normal
    laws the one with the larger μ is worse in every respect, so that nothing can be gained by choosing.

    Dong, Roth & Su 2022; Smith & Thakurta 2022 for questions chosen on the way; Balle & Wang 2018.
    """

    kind = "pld"
    letter = "mu"
    factor = Fraction(1)

    def most(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        """By the tails of the normal law."""
        return gaussian_dp_conversion.squared_mu_for(epsilon, delta)

    def worth(self, loss: Fraction, delta: Fraction) -> Fraction:
        """By the tails of the normal law."""
        return gaussian_dp_conversion.epsilon_of(loss, delta)

    def told(self, loss: Fraction) -> float:
        """μ."""
        return math.sqrt(loss)
