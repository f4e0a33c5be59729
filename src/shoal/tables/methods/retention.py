"""Retention-replacement: every value is kept or drawn anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.core.progress import Watch
from shoal.core.randomness import coins, picks
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.declared_domain import NOWHERE, DeclaredDomain, refuse_other, refuse_weaker
from shoal.tables.table import Table


@dataclass(frozen=True)
class Retention(TableMethod):
    """Every value is kept with probability rho and else drawn evenly from its declared domain.

    In each column a released label is at most 1 + m·rho/(1 - rho) times as likely from one original label as
    from another, m the labels of the column on its level: with probability (1 - rho)/m it comes from any. The
    columns are drawn independently, so a record is released at most A times as likely as it would be from any
    other, A the product over columns: γ-amplification, and (d, A·d)-privacy. A missing or undeclared value is
    always drawn anew, which is within the same bound. The number of rows is taken as public. Coins come from
    the operating system and take no seed. `estimate` gives the true counts back.

    Agrawal, Srikant, Thomas, "Privacy preserving OLAP", 2005; amplification is of Evfimievski, Gehrke,
    Srikant 2003.
    """

    name: ClassVar[str] = "retention"
    example: ClassVar[str] = "rho=0.5"
    declared: ClassVar[bool] = True
    in_words: ClassVar[str] = "values kept with some probability, else replaced by chance"
    chance: ClassVar[str] = "its values were kept or replaced by chance"
    made_up: ClassVar[bool] = True

    rho: float
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.rho < 1:
            raise BadParameter(f"retention needs rho from 0 to below 1, not {self.rho:g}; 0.2 keeps a fifth")

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """As many rows as there were, each value kept or drawn anew."""
        refuse_other(models, (DGammaPrivacy.name,), self.name)
        found = DeclaredDomain.of(table, self.levels, self.name)
        guarantees = {
            "amplification": math.prod(1 + width * self.rho / (1 - self.rho) for width in found.widths)
        }
        refuse_weaker(models, guarantees, self.name, "lower rho, or raise the levels")
        rows = found.rows.copy()
        for place, width in enumerate(found.widths):
            # What nobody declared is drawn anew without asking the coin: as likely as from any other value.
            anew = ~coins(len(rows), self.rho) | (rows[:, place] == NOWHERE)
            rows[anew, place] = picks(int(anew.sum()), width)
        note = f"values are kept with probability {self.rho:g}; correct counts for that before reading them"
        return found.release(rows, self.name, models, guarantees, [note])

    def estimate(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Unbiased counts of the labels of one column before, from all its labels' counts in the release."""
        total, width = counts.sum(), len(counts)
        if not self.rho:
            raise BadParameter("retention(rho=0) kept nothing; there is nothing to estimate from")
        return np.asarray((counts - (1 - self.rho) * total / width) / self.rho)
