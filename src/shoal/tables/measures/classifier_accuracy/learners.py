"""Classifiers that read labels: one of our own, and those of scikit-learn when it is installed."""

from __future__ import annotations

import importlib
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.tables.appraisal.side_by_side import LabelColumn
from shoal.tables.hierarchies.leaf_order import LeafOrder

Ints = NDArray[np.int64]
AT_ONCE = 100_000  # rows that are scored at a time: memory, not speed
MOST_BINS = 200


@dataclass(frozen=True, eq=False)
class Rows:
    """What is learnt from: the labels of every row, and its class as a number."""

    columns: tuple[LabelColumn, ...]
    target: NDArray[np.int32]
    classes: int


class Learner(ABC):
    """Learns from some rows what to say about others."""

    most_rows: ClassVar[int] = 20_000

    @abstractmethod
    def predict(self, rows: Rows, train: Ints, test: Ints) -> NDArray[np.int32]:
        """The class that it gives each test row."""


class NaiveBayes(Learner):
    """Columns as if independent within a class; what few rows say of a value is drawn to what its label says.

    McCallum, Rosenfeld, Mitchell, Ng, "Improving text classification by shrinkage in a hierarchy", 1998.
    """

    most_rows: ClassVar[int] = 2**62

    def predict(self, rows: Rows, train: Ints, test: Ints) -> NDArray[np.int32]:
        target = rows.target[train]
        of_class = np.bincount(target, minlength=rows.classes).astype(np.float64)
        start = np.log((of_class + 1) / (len(train) + rows.classes))
        tables = [_likely(column, train, target, rows.classes) for column in rows.columns]
        found = np.empty(len(test), np.int32)
        for begin in range(0, len(test), AT_ONCE):
            part = test[begin : begin + AT_ONCE]
            score = np.tile(start, (len(part), 1))
            for column, table in zip(rows.columns, tables, strict=True):
                score += table[column.codes[part]]
            found[begin : begin + len(part)] = score.argmax(axis=1)
        return found


def _likely(column: LabelColumn, train: Ints, target: NDArray[np.int32], classes: int) -> NDArray[np.float64]:
    """Per label and class, the log of the chance that one of the label's values comes up in the class."""
    labels, leaves = len(column.first), len(column.line.leaf_at)
    pairs = column.codes[train].astype(np.int64) * classes + target
    counts = np.bincount(pairs, minlength=labels * classes).reshape(labels, classes)
    # Each label's rows are spread evenly over its leaves: steps up where it begins and down behind its end.
    each = counts / column.width[:, None]
    steps = np.zeros((leaves + 1, classes))
    np.add.at(steps, column.first, each)
    np.subtract.at(steps, column.last + 1, each)
    at_leaf = np.maximum(np.cumsum(steps[:-1], axis=0), 0.0)
    upto = np.concatenate((np.zeros((1, classes)), np.cumsum(_shrunk(column.line, at_leaf), axis=0)))
    return np.asarray(np.log(upto[column.last + 1] - upto[column.first]))


def _shrunk(line: LeafOrder, at_leaf: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of every leaf in each class, worked out from `*` down to the leaves.

    How a label's rows split among the labels below it is known from few rows far down the hierarchy; there
    the split is drawn towards that of all classes together, by as many rows as the square root of all.
    """
    places, pull = np.arange(len(line.leaf_at)), math.sqrt(at_leaf.sum())
    # Every leaf counts for one more row, so that nothing is impossible.
    chance = np.ones(at_leaf.shape)
    above, all_above = at_leaf.sum(axis=0)[None, :], np.array([at_leaf.sum() + len(places)])
    within = np.zeros(len(places), np.int64)  # per place its label on the level above
    for codes in line.codes[-2::-1]:
        begins = np.flatnonzero(np.diff(codes, prepend=-1))
        here = np.add.reduceat(at_leaf, begins, axis=0)
        all_here = here.sum(axis=1) + np.diff(begins, append=len(places))
        parent = within[begins]
        prior = (all_here / all_above[parent])[:, None]
        split = (here + pull * prior) / (above[parent] + pull)
        within = np.cumsum(np.isin(places, begins)) - 1
        chance *= split[within]
        above, all_above = here, all_here
    return chance


class FromScikitLearn(Learner):
    """A classifier of scikit-learn over features that labels of any height can be read into."""

    def __init__(self, model: str, seed: int) -> None:
        self.model, self.seed = model, seed

    def predict(self, rows: Rows, train: Ints, test: Ints) -> NDArray[np.int32]:
        target = rows.target[train]
        if len(np.unique(target)) < 2:  # nothing to tell apart
            return np.full(len(test), target[0], np.int32)
        if self.model == "logistic":
            made: Any = _scikit("linear_model").LogisticRegression(max_iter=400)
            read = _shares
        else:
            made = _scikit("ensemble").RandomForestClassifier(
                n_estimators=100, min_samples_leaf=5, random_state=self.seed
            )
            read = _middles
        made.fit(read(rows, train), target)
        return np.asarray(made.predict(read(rows, test)), np.int32)


def _shares(rows: Rows, chosen: Ints) -> Any:
    """Per row and stretch of every line, the share of the row's label that lies in it."""
    sparse: Any = importlib.import_module("scipy.sparse")
    parts = []
    for column in rows.columns:
        leaves = len(column.line.leaf_at)
        ends = np.linspace(0, leaves, min(leaves, MOST_BINS) + 1).round().astype(np.int64)
        low = np.maximum(column.first[:, None], ends[None, :-1])
        high = np.minimum(column.last[:, None] + 1, ends[None, 1:])
        shares = np.maximum(high - low, 0) / column.width[:, None]
        parts.append(sparse.csr_matrix(shares)[column.codes[chosen]])
    return sparse.hstack(parts).tocsr()


def _middles(rows: Rows, chosen: Ints) -> NDArray[np.float64]:
    """Per row and column the middle of its label on the line, and how much of the line that covers."""
    found = []
    for column in rows.columns:
        codes = column.codes[chosen]
        found += [((column.first + column.last) / 2)[codes], column.width[codes].astype(np.float64)]
    return np.column_stack(found)


def _scikit(module: str) -> Any:
    require("models", "a classifier of logistic or forest", "use model=naive-bayes")
    return importlib.import_module(f"sklearn.{module}")


def learner_of(model: str, seed: int) -> Learner:
    """A classifier by its name."""
    if model == "naive-bayes":
        return NaiveBayes()
    if model in ("logistic", "forest"):
        return FromScikitLearn(model, seed)
    raise BadParameter(f"no classifier '{model}'; choose naive-bayes, logistic or forest")
