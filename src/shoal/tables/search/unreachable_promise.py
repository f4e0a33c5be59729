"""Why a promise can never hold: what the whole table as one class offers instead."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.core.contract import ClassModel
from shoal.tables.model_inputs.classes import Classes


def why_never(whole: Classes, models: Sequence[ClassModel[Classes]]) -> str:
    """Which model fails even when the whole table is one class, and what would hold there."""
    # Where no class of any node can be released, neither can the one at the top.
    model = next(model for model in models if not model.holds(whole).all())
    if model.mechanisms:
        return f"{model.name} is a promise of a method, not of rows; use {' or '.join(model.mechanisms)}"
    level, offer = model.level(whole), model.unmet(whole)
    if offer is not None:
        pass
    elif model.lower_is_better:
        offer = "lacks values that it would need; ask for less"
        if math.isfinite(level):
            least = "more" if model.strict else "no less"
            offer = f"comes to {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for {least} than that"
    else:
        # Rounded down, so that what is named really holds.
        offer = f"offers {math.floor(level * 1e4 + 1e-9) / 1e4:.12g}; ask for no more than that"
    return f"{model.name} cannot hold: the whole table as one class {offer}"
