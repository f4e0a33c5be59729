"""What a release is still good for: counting, and learning about a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, number
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.class_entropy import BeforeAfter, ClassEntropy
from shoal.tables.measures.classification_metric import ClassificationMetric
from shoal.tables.measures.classifier_accuracy.classifier_accuracy import Accuracy, ClassifierAccuracy
from shoal.tables.measures.information_gain import Gain, InformationGain
from shoal.tables.measures.workload_error import WorkloadError, WorkloadFigures
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

TOLD = (WorkloadError, ClassEntropy, InformationGain, ClassificationMetric, ClassifierAccuracy)


@dataclass(frozen=True)
class ClassUse:
    """What a release still says about one column."""

    column: str
    entropy: BeforeAfter
    gain: Gain
    metric: float
    accuracy: Accuracy

    def to_json(self) -> dict[str, Json]:
        return {
            "class_column": self.column,
            "class_entropy": self.entropy.to_json(),
            "information_gain": self.gain.to_json(),
            "classification_metric": self.metric,
            "classifier_accuracy": self.accuracy.to_json(),
        }


@dataclass(frozen=True)
class Usefulness:
    """What `measure --original` and `compare` say under `usefulness`."""

    workload: WorkloadFigures
    of_class: ClassUse | None = None

    def to_json(self) -> dict[str, Json]:
        about = {} if self.of_class is None else self.of_class.to_json()
        return {"workload_error": self.workload.to_json(), **about}

    def to_rows(self) -> list[list[str]]:
        """Lines of a table: figure, value."""
        lines = [
            [
                f"error of {self.workload.queries:,} random counts",
                f"{self.workload.median:.2%} in the middle, {self.workload.mean:.2%} on average, "
                f"95 % below {self.workload.percentile_95:.2%}",
            ]
        ]
        about = self.of_class
        if about is None:
            return lines
        kept = number(about.gain.kept)
        gain = f"{about.gain.together.released:.4g} of {about.gain.together.original:.4g} bits a row"
        return [
            *lines,
            [f"bits of {about.column} left open", _pair(about.entropy)],
            [f"information gain on {about.column}", gain + ("" if kept is None else f", {kept:.2%} kept")],
            [f"classification metric on {about.column}", f"{about.metric:.2%}"],
            [
                f"accuracy of {about.accuracy.model} on {about.column}",
                f"{about.accuracy.released:.2%}, from the original {about.accuracy.original:.2%}, "
                f"the commonest class {about.accuracy.baseline:.2%}",
            ],
        ]


def _pair(figure: BeforeAfter) -> str:
    return f"{figure.released:.4g}, in the original {figure.original:.4g}"


def _refuse_changed(before: pl.Series, after: pl.Series) -> None:
    """Coarser classes are easier to guess: figures before and after could not be compared."""
    if set(texts(after).unique().to_list()) - set(texts(before).unique().to_list()):
        raise BadParameter(
            f"the release has values of the class column '{after.name}' that the original does not have, so "
            "it was coarsened or changed; name a column that is kept as it is"
        )


def usefulness(
    original: pl.DataFrame,
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    class_column: str | None = None,
    workload: WorkloadError | None = None,
    classifier: ClassifierAccuracy | None = None,
) -> Usefulness:
    """The error of a query workload and, of a class column, what the quasi-identifiers still say about it.

    `hierarchies` lead from the original's values to the labels of the release. A sensitive column that the
    original does not have under that name is not asked about.
    """
    sensitive = tuple(column for column in released.sensitive if column in original.columns)
    if class_column is not None and class_column in original.columns and class_column in released.columns:
        _refuse_changed(original[class_column], released.frame[class_column])
    pair = SideBySide(original, released.frame, released.quasi, hierarchies, sensitive, class_column)
    found = (workload or WorkloadError()).measure(pair)
    if class_column is None:
        return Usefulness(found)
    about = ClassUse(
        class_column,
        ClassEntropy().measure(pair),
        InformationGain().measure(pair),
        ClassificationMetric().measure(pair),
        (classifier or ClassifierAccuracy()).measure(pair),
    )
    return Usefulness(found, about)
