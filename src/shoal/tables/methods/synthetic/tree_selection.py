"""Pairs of columns that form a tree: the cheapest model that knows of dependence at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shoal.tables.methods.synthetic.estimation import LAST_FIT, fitted
from shoal.tables.methods.synthetic.graphical_model import GraphicalModel
from shoal.tables.methods.synthetic.junction_tree import Clique
from shoal.tables.methods.synthetic.privacy_account import STEPS, PrivacyAccount
from shoal.tables.methods.synthetic.private_rows import PrivateRows


@dataclass(frozen=True)
class TreeSelection:
    """One third of the budget counts columns, one chooses the pairs of a tree, one counts those pairs.

    A pair is chosen among those that join two parts of the tree so far, by how far the columns are from
    independent. (Values that hardly occur are not merged first, as the paper does.)

    McKenna, Miklau, Sheldon, "Winning the NIST contest: a scalable and general approach to differentially
    private synthetic data", 2021 (MST).
    """

    def model(self, rows: PrivateRows, account: PrivacyAccount) -> GraphicalModel:
        """The model of rows that an account pays for."""
        columns = range(len(rows.widths))
        third = account.limit / 3
        single = third / len(columns) if len(columns) > 1 else account.limit
        measured = [account.measured((column,), rows.counts((column,)), single) for column in columns]
        model = fitted(rows.widths, measured, LAST_FIT)
        part = list(columns)  # which part of the tree each column is in
        pairs: list[Clique] = []
        for _ in columns[1:]:
            offered = [pair for pair in combinations(columns, 2) if part[pair[0]] != part[pair[1]]]
            scores = np.array([rows.miss(pair, model.marginal(pair)) for pair in offered])
            chosen = offered[account.chosen(scores, STEPS, third / (len(columns) - 1))]
            part = [part[chosen[0]] if own == part[chosen[1]] else own for own in part]
            pairs.append(chosen)
        measured += [account.measured(pair, rows.counts(pair), third / len(pairs)) for pair in pairs]
        return fitted(rows.widths, measured, LAST_FIT, model)
