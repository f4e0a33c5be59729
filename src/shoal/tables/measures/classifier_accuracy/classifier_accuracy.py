"""What a classifier learns from a release, against what it learns from the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Better, Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.core.randomness import generator
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.classifier_accuracy.learners import Learner, Rows, learner_of
from shoal.tables.model_inputs.text_values import texts

FOLDS = 3
MOST_CLASSES = 1000  # beyond that a column names people or numbers, not classes


@dataclass(frozen=True)
class Accuracy:
    """How often a classifier is right about rows it has not seen, and how often the commonest class is."""

    model: str
    original: float
    released: float
    baseline: float

    def to_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "original": self.original,
            "released": self.released,
            "baseline": self.baseline,
        }


@dataclass(frozen=True)
class ClassifierAccuracy(Measure[SideBySide, Accuracy]):
    """How often a model trained on the release is right about the class, against one trained on the original.

    Trained on two thirds of a table's rows and asked about the third, three times over, so that every row is
    asked about once; the model of the release is asked about rows coarsened as the release is, and for a
    suppressed row it says the commonest class, which is also the `baseline`. A label counts as all the values
    it covers, evenly. The quasi-identifiers are what it learns from. `model` is naive-bayes, or logistic or
    forest, which need scikit-learn and look at no more than 20,000 rows.

    Iyengar, "Transforming data to satisfy privacy constraints", 2002; LeFevre, DeWitt, Ramakrishnan,
    "Workload-aware anonymization", 2006.
    """

    name: ClassVar[str] = "classifier-accuracy"
    title: ClassVar[str] = "accuracy of a classifier"
    better: ClassVar[Better] = "more"

    model: Literal["naive-bayes", "logistic", "forest"] = "naive-bayes"
    seed: int = 0

    def __post_init__(self) -> None:
        learner_of(self.model, 0)
        if self.seed < 0:
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")

    def measure(self, pair: SideBySide) -> Accuracy:
        learner = learner_of(self.model, self.seed)
        sides = [texts(frame[pair.classed]) for frame in (pair.original, pair.released)]
        classes = pl.concat([side.unique() for side in sides]).unique().sort()
        if len(classes) > MOST_CLASSES:
            raise BadParameter(
                f"the class column '{pair.classed}' has {len(classes):,} values; "
                "name one with few, or leave --class-column out"
            )
        targets = [
            side.replace_strict(classes, np.arange(len(classes)), return_dtype=pl.Int32).to_numpy()
            for side in sides
        ]
        most = int(np.argmax(np.bincount(targets[0], minlength=len(classes))))
        baseline = float((targets[0] == most).mean())
        before = Rows(tuple(pair.before(column) for column in pair.quasi), targets[0], len(classes))
        after = Rows(tuple(pair.after(column) for column in pair.quasi), targets[1], len(classes))
        right, rows = self._right(after, learner), len(targets[1])
        # Nobody learns anything about a suppressed row: whoever asks gets the commonest class.
        guessed = self._guessed(targets, most, pair.suppressed)
        return Accuracy(
            self.model,
            self._right(before, learner),
            (right * rows + guessed) / (rows + pair.suppressed),
            baseline,
        )

    def _guessed(self, targets: list[NDArray[np.int32]], most: int, suppressed: int) -> float:
        """How many suppressed rows have the commonest class."""
        known = int((targets[0] == most).sum()) - int((targets[1] == most).sum())
        return float(min(max(known, 0), suppressed))

    def _right(self, rows: Rows, learner: Learner) -> float:
        """The share of rows that a model is right about which has not seen them."""
        chance = generator(self.seed)
        chosen = np.arange(len(rows.target))
        if len(chosen) > learner.most_rows:
            chosen = np.sort(chance.choice(chosen, learner.most_rows, replace=False))
        fold = chance.permutation(len(chosen)) % FOLDS
        right = 0
        for one in range(FOLDS):
            train, test = chosen[fold != one], chosen[fold == one]
            if not len(test) or not len(train):  # a table of one row teaches nothing
                continue
            right += int((learner.predict(rows, train, test) == rows.target[test]).sum())
        return right / len(chosen) if len(chosen) else 0.0
