"""Why a promise can never hold: what the whole table as one class offers instead."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.core.contract import ClassModel
from shoal.tables.classes import Classes
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.multi_attribute_diversity import MultiAttributeDiversity


def why_never(whole: Classes, models: Sequence[ClassModel[Classes]]) -> str:
    """Which model fails even when the whole table is one class, and what would hold there."""
    # Where no class of any node can be released, neither can the one at the top.
    model = next(model for model in models if not model.holds(whole).all())
    level = model.level(whole)
    if hasattr(model, "mechanisms"):
        return f"{model.name} is a promise of a method, not of rows; use {' or '.join(model.mechanisms)}"
    if isinstance(model, LDiversity | MultiAttributeDiversity) and model.kind == "recursive":
        offer = f"has too few values for l={model.l:g}; ask for a smaller l"
        if math.isfinite(level):
            offer = f"needs c above {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for that, or a smaller l"
    elif hasattr(model, "unmet"):
        offer = model.unmet(whole)
    elif getattr(model, "lower_is_better", False):
        offer = "lacks values that it would need; ask for less"
        if math.isfinite(level):
            least = "more" if getattr(model, "strict", False) else "no less"
            offer = f"comes to {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for {least} than that"
    else:
        # Rounded down, so that what is named really holds.
        offer = f"offers {math.floor(level * 1e4 + 1e-9) / 1e4:.12g}; ask for no more than that"
    return f"{model.name} cannot hold: the whole table as one class {offer}"
