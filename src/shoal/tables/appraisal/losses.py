"""The losses of CONTRACT.md by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.objective import Objective
from shoal.tables.appraisal.recoding import Recoding
from shoal.tables.measures.average_class_size import AverageClassSize
from shoal.tables.measures.discernibility import Discernibility
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity

LOSSES: tuple[type[Objective], ...] = (Loss, Precision, Discernibility, AverageClassSize, Entropy)
OBJECTIVES = tuple(loss.name for loss in LOSSES)


def objective(name: str, k: int = 1) -> Objective:
    """What a search should minimise; `precision` is maximised, which is minimising the distortion."""
    for loss in LOSSES:
        if loss.name == name:
            return _in_units(loss, k)
    raise BadParameter(f"no objective '{name}'; choose {', '.join(OBJECTIVES)}")


def _in_units(loss: type[Objective], k: int) -> Objective:
    """A loss; class sizes are measured in units of k."""
    return loss(k) if issubclass(loss, AverageClassSize) else loss()


def largest_k(models: Iterable[ClassModel[Classes]]) -> int:
    """The k that class sizes are measured in: the largest asked for, or 1."""
    return max((model.k for model in models if isinstance(model, KAnonymity)), default=1)


def losses(recoding: Recoding, k: int) -> dict[str, float]:
    """All losses of a release."""
    return {key(loss): _in_units(loss, k).measure(recoding) for loss in LOSSES}


def with_left_out(losses: Mapping[str, float], released: int, left_out: int) -> dict[str, float]:
    """The losses of a release with rows counted that were left out before: all detail of them is lost.

    The entropy is that of the rows that were kept, as if the others had weighed as much on average.
    """
    rows = released + left_out
    share = released / rows
    gone = {key(Precision): 0.0, key(Discernibility): float(rows * left_out)}
    return {
        name: value
        if name == key(AverageClassSize)
        else value + gone[name]
        if name == key(Discernibility)
        else value * share + gone.get(name, 1.0) * (1 - share)
        for name, value in losses.items()
    }


def key(loss: type[Objective]) -> str:
    """A loss as JSON and manifests call it."""
    return loss.name.replace("-", "_")
