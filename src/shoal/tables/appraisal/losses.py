"""The losses of CONTRACT.md by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import build, spell, split
from shoal.tables.appraisal.objective import CellLoss, SizeLoss
from shoal.tables.appraisal.recoding import Recoding
from shoal.tables.appraisal.task_objective import TaskLoss
from shoal.tables.measures.average_class_size import AverageClassSize
from shoal.tables.measures.classifier import Classifier
from shoal.tables.measures.discernibility import Discernibility
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from shoal.tables.measures.workload import Workload
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity

LOSSES: tuple[type[CellLoss | SizeLoss], ...] = (Loss, Precision, Discernibility, AverageClassSize, Entropy)
TASKS: tuple[type[TaskLoss], ...] = (Classifier, Workload)
OBJECTIVES = tuple(loss.name for loss in LOSSES)


def objective(name: str, k: int = 1) -> CellLoss | SizeLoss:
    """What a search should minimise; `precision` is maximised, which is minimising the distortion."""
    for loss in LOSSES:
        if loss.name == name:
            return _in_units(loss, k)
    tasks = ", ".join(f"{task.name}(…)" for task in TASKS)
    raise BadParameter(f"no objective '{name}'; choose {', '.join(OBJECTIVES)}, {tasks}")


def task(spelling: str) -> TaskLoss | None:
    """The task that an objective names, as in `classifier(column=income)`, if it is one."""
    name = spelling.partition("(")[0].strip()
    found = next((one for one in TASKS if one.name == name), None)
    if found is None:
        return None
    made: TaskLoss = build(found, split(_with_parameter(spelling, found))[1])
    return made


def objective_file(spelling: str) -> str | None:
    """The file that an objective reads, if any."""
    asked = task(spelling)
    return asked.file if isinstance(asked, Workload) else None


def objective_columns(spelling: str) -> tuple[str, ...]:
    """The columns that an objective looks at beside the quasi-identifiers, which it may look at too."""
    asked = task(spelling)
    return () if asked is None else asked.columns()


def with_objective_file(spelling: str, change: Callable[[str], str]) -> str:
    """An objective with the path of its file changed, if it reads one."""
    asked = task(spelling)
    return spell(replace(asked, file=change(asked.file))) if isinstance(asked, Workload) else spelling


def _with_parameter(spelling: str, task: type[TaskLoss]) -> str:
    """A spelling in which what stands alone in the first place has its name."""
    alone = re.fullmatch(r"([^(]*)\((\s*(?![a-z]+\s*=)[^,\s].*)\)\s*", spelling, re.DOTALL)
    return f"{alone[1]}({task.placed}={alone[2].strip()})" if alone and task.placed else spelling


def _in_units(loss: type[CellLoss | SizeLoss], k: int) -> CellLoss | SizeLoss:
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


def key(loss: type[CellLoss | SizeLoss]) -> str:
    """A loss as JSON and manifests call it."""
    return loss.name.replace("-", "_")
