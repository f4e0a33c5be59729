"""The losses of CONTRACT.md by name."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.classes import Classes
from shoal.tables.measures.average_class_size import AverageClassSize
from shoal.tables.measures.discernibility import Discernibility
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.objective import Objective
from shoal.tables.measures.precision import Precision
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.recoding import Recoding

OBJECTIVES = ("loss", "precision", "discernibility", "average-class-size", "entropy")


def objective(name: str, k: int = 1) -> Objective:
    """What a search should minimise; `precision` is maximised, which is minimising the distortion."""
    known: dict[str, Objective] = {
        "loss": Loss(),
        "precision": Precision(),
        "discernibility": Discernibility(),
        "average-class-size": AverageClassSize(k),
        "entropy": Entropy(),
    }
    if name not in known:
        raise BadParameter(f"no objective '{name}'; choose {', '.join(OBJECTIVES)}")
    return known[name]


def largest_k(models: Iterable[ClassModel[Classes]]) -> int:
    """The k that class sizes are measured in: the largest asked for, or 1."""
    return max((model.k for model in models if isinstance(model, KAnonymity)), default=1)


def losses(recoding: Recoding, k: int) -> dict[str, float]:
    """All losses of a release."""
    return {
        "precision": Precision().measure(recoding),
        "loss": Loss().measure(recoding),
        "discernibility": Discernibility().measure(recoding),
        "average_class_size": AverageClassSize(k).measure(recoding),
        "entropy": Entropy().measure(recoding),
    }
