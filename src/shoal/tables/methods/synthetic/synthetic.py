"""A synthetic table, drawn from a model of noisy marginals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.extras import require
from shoal.core.progress import Watch
from shoal.tables.methods.synthetic.adaptive_selection import AdaptiveSelection
from shoal.tables.methods.synthetic.privacy_account import PrivacyAccount
from shoal.tables.methods.synthetic.private_rows import PrivateRows
from shoal.tables.methods.synthetic.row_drawing import drawn_rows
from shoal.tables.methods.synthetic.tree_selection import TreeSelection
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.declared_domain import UNSEEN, DeclaredDomain, refuse_other, refuse_weaker
from shoal.tables.table import Table

MOST_COLUMNS = 60
MOST_WIDTH = 100_000
MOST_CELLS = 5_000_000
MOST_ROWS = 50_000_000
PURE_ROUNDS, GAUSSIAN_ROUNDS = 4, 16  # per column; how much noise the first rounds have


@dataclass(frozen=True)
class Synthetic(TableMethod):
    """A made-up table with (nearly) the marginals of the original: (ε, δ)-differential privacy.

    Marginals (counts of all combinations of up to `order` columns) are chosen round by round where the model
    so far is most wrong, counted with noise, and put together in one graphical model, from which rows are
    drawn: AIM. `selection=tree` takes the pairs of a spanning tree instead: MST. With δ = 0 the noise is
    discrete Laplace noise, else discrete Gaussian noise under zCDP; one row more or less is hidden. The
    domain and the `levels` (age:1|zip:2) are declared and never looked up; the number of rows is an estimate
    with noise. The model has at most `cells` cells: more take longer and know more. There is no seed.

    McKenna, Mullins, Sheldon, Miklau, "AIM: an adaptive and iterative mechanism for differentially private
    synthetic data", 2022; McKenna, Miklau, Sheldon, "Winning the NIST contest", 2021 (MST); the model,
    McKenna, Sheldon, Miklau 2019.
    """

    name: ClassVar[str] = "synthetic"
    declared: ClassVar[bool] = True
    in_words: ClassVar[str] = "a new table drawn from a model of noisy counts"
    chance: ClassVar[str] = "its rows were drawn from a model of counts with noise and are nobody's"
    made_up: ClassVar[bool] = True

    epsilon: float | None = None
    delta: float | None = None
    levels: tuple[str, ...] = ()
    selection: Literal["adaptive", "tree"] = "adaptive"
    order: int = 3
    cells: int = 200_000

    def __post_init__(self) -> None:
        if self.epsilon is not None and not 0 < self.epsilon < math.inf:
            raise BadParameter(f"synthetic needs an epsilon above 0, not {self.epsilon:g}; try 1")
        if self.delta is not None and not 0 <= self.delta < 1:
            raise BadParameter(f"synthetic needs delta from 0 to below 1, not {self.delta:g}; try 1e-9")
        if self.selection not in ("adaptive", "tree"):
            raise BadParameter(f"synthetic(selection={self.selection}): there is adaptive and tree")
        if not 1 <= self.order <= 4:
            raise BadParameter(f"synthetic needs order from 1 to 4, not {self.order}; try 3")
        if not 1 <= self.cells <= MOST_CELLS:
            raise BadParameter(
                f"synthetic takes from 1 to {MOST_CELLS:,} cells, not {self.cells:,}; try 200000"
            )

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """Rows drawn from the model."""
        require("queries", self.name)
        started = clock.now()
        refuse_other(models, (DifferentialPrivacy.name,), self.name)
        epsilon, delta = self._promise(models)
        guarantees = {"epsilon": epsilon, "delta": delta}
        refuse_weaker(models, guarantees, self.name, "lower its epsilon or delta")
        account = PrivacyAccount.of(Fraction(epsilon), Fraction(delta))
        account.check(account.limit)
        found = DeclaredDomain.of(table, self.levels, self.name)
        self._check(found, account)
        rows = PrivateRows(found.known, found.widths)
        if self.selection == "tree":
            model = TreeSelection().model(rows, account)
        else:
            each = GAUSSIAN_ROUNDS if account.gaussian else PURE_ROUNDS
            model = AdaptiveSelection(self.order, self.cells, each * len(found.widths)).model(rows, account)
        number = round(model.total)
        if number > MOST_ROWS:
            raise Unreachable(f"the noise of epsilon={epsilon:g} would write {number:,} rows; raise epsilon")
        note = "the rows are made up: marginals of a few columns are about right, no row is anybody's"
        release = found.release(drawn_rows(model, number), self.name, models, guarantees, [note, UNSEEN])
        return replace(release, seconds=clock.now() - started)

    def _check(self, found: DeclaredDomain, account: PrivacyAccount) -> None:
        """Refuse what could not be modelled, by what was declared alone."""
        if len(found.widths) > MOST_COLUMNS:
            raise BadParameter(
                f"synthetic models {MOST_COLUMNS} columns at most, not {len(found.widths)}; "
                "leave out those that matter least"
            )
        for column, width in zip(found.columns, found.widths, strict=True):
            if width > MOST_WIDTH:
                raise BadParameter(
                    f"'{column}' has {width:,} values, and synthetic models {MOST_WIDTH:,} at most; coarsen "
                    f"it, as in synthetic(levels={column}:1)"
                )
        account.check(account.limit / (3 * GAUSSIAN_ROUNDS * len(found.widths) ** 2))

    def _promise(self, models: Sequence[ClassModel[Classes]]) -> tuple[float, float]:
        asked = [model for model in models if isinstance(model, DifferentialPrivacy)]
        if self.epsilon is None and not asked:
            raise BadParameter("synthetic needs an epsilon, as in synthetic(epsilon=1)")
        epsilon = min(one.epsilon for one in asked) if self.epsilon is None else self.epsilon
        delta = min((one.delta for one in asked), default=0.0) if self.delta is None else self.delta
        return epsilon, delta
