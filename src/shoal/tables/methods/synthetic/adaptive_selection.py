"""Which combinations of columns to count: those about which the model so far is most wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from shoal.core.randomness import generator
from shoal.tables.methods.synthetic.estimation import LAST_FIT, NoisyMarginal, fitted
from shoal.tables.methods.synthetic.graphical_model import GraphicalModel
from shoal.tables.methods.synthetic.junction_tree import Clique, cells_of
from shoal.tables.methods.synthetic.privacy_account import STEPS, PrivacyAccount
from shoal.tables.methods.synthetic.private_rows import PrivateRows

CHOICE = Fraction(1, 10)  # of a round, for the choice; the rest buys the counts
OFFERED = 600  # candidates in one round
FIT = 60  # rounds of fitting between choices


@dataclass(frozen=True)
class AdaptiveSelection:
    """Rounds of: choose the marginal that the model misses most, count it with noise, fit the model again.

    Candidates are all combinations of up to `order` columns whose addition keeps the model within `cells`
    cells (of which each round may use as much as of the budget). The score of one is how far the model is off
    on it, less what noise alone would do, times how many marginals of that order it helps. Where a count
    brought less than its noise, the next rounds get half the noise and are fewer.

    McKenna, Mullins, Sheldon, Miklau, "AIM: an adaptive and iterative mechanism for differentially private
    synthetic data", 2022.
    """

    order: int
    cells: int
    rounds: int

    def model(self, rows: PrivateRows, account: PrivacyAccount) -> GraphicalModel:
        """The model of rows that an account pays for."""
        widths = rows.widths
        cost = account.limit / self.rounds
        single = [(column,) for column in range(len(widths))]
        count = min(cost * (1 - CHOICE), account.limit / (2 * len(single)))
        measured = [account.measured(one, rows.counts(one), count) for one in single]
        model = fitted(widths, measured, FIT)
        weights = self._weights(len(widths))
        while account.left > 0:
            if account.left < 2 * cost:
                cost = account.left
            offered = self._offered(widths, weights, measured, account)
            if not offered:
                break
            choice, count = cost * CHOICE, cost * (1 - CHOICE)
            chosen = self._choose(rows, model, offered, weights, account, choice, count)
            told = account.measured(chosen, rows.counts(chosen), count)
            measured.append(told)
            before = model.marginal(chosen)
            model = fitted(widths, measured, FIT, model)
            change = float(np.abs(model.marginal(chosen) - before).sum())
            if change <= account.size(count) * told.counts.size:
                cost = min(account.left, cost * account.doubling)
        return fitted(widths, measured, LAST_FIT, model)

    def _weights(self, columns: int) -> dict[Clique, int]:
        """Every candidate with the columns that it shares with the marginals to be told well."""
        order = min(self.order, columns)
        wanted = list(combinations(range(columns), order))
        candidates = [one for size in range(1, order + 1) for one in combinations(range(columns), size)]
        # All of one size share as many with all wanted together.
        shared = {
            size: sum(len({*range(size)} & {*other}) for other in wanted) for size in range(1, order + 1)
        }
        return {one: shared[len(one)] for one in candidates}

    def _offered(
        self,
        widths: Sequence[int],
        weights: Mapping[Clique, int],
        measured: Sequence[NoisyMarginal],
        account: PrivacyAccount,
    ) -> list[Clique]:
        """The candidates that the model has room for. Nothing here looks at a row."""
        there = [one.columns for one in measured]
        now = cells_of(widths, there)
        room = max(now, int(self.cells * account.spent / account.limit))
        found = list(weights)
        if len(found) > OFFERED:
            # As good as all of them, and chosen without looking: the next round offers others.
            found = [found[place] for place in generator(None).permutation(len(found))[:OFFERED]]
        return [
            one
            for one in found
            if math.prod(widths[column] for column in one) <= room and cells_of(widths, [*there, one]) <= room
        ]

    def _choose(
        self,
        rows: PrivateRows,
        model: GraphicalModel,
        offered: Sequence[Clique],
        weights: Mapping[Clique, int],
        account: PrivacyAccount,
        choice: Fraction,
        count: Fraction,
    ) -> Clique:
        noise = account.size(count)
        scores = np.empty(len(offered), np.int64)
        for place, one in enumerate(offered):
            expected = model.marginal(one)
            usual = round(STEPS * noise * expected.size)
            scores[place] = weights[one] * (rows.miss(one, expected) - usual)
        sensitivity = STEPS * max(weights[one] for one in offered)
        return offered[account.chosen(scores, sensitivity, choice)]
