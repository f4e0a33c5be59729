"""What a trained model says about the people of every class: gradient boosting over all rows of a release."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.attacker_reasoning.nearest_classes import ends, places
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import texts

Floats = NDArray[np.float64]
FEWEST = 200  # rows; from fewer a model learns no more than a vote tells
MOST_ROWS = 10_000  # to learn from
MOST_LABELS = 16  # that a model tells apart; rarer ones are one kind to it
ROUNDS, RATE, LEAVES = 20, 0.2, 15
MOST_KINDS = 250  # of a column without order, which the library takes no more of
FAINT = 1e-3  # a chance that never makes the best guess


class CannotTrain(BadParameter):
    """Why no model could be trained; the vote of the rows is all there is then."""


def boosted_votes(
    classes: RowClasses, votes: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], seed: int | None
) -> pl.DataFrame:
    """Votes (`class`, `label`, `count`) as a model deals them out that learned from all classes together.

    It sees the labels of the known columns, and of the column in question the labels that are most frequent;
    what it leaves to the others is dealt out among them as the class itself has them.
    """
    total = int(votes["count"].sum())
    ranked = (
        votes.group_by("label").agg(pl.col("count").sum()).sort("count", "label", descending=[True, False])
    )
    kinds = ranked["label"].head(MOST_LABELS)
    if total < FEWEST or ranked.height < 2:
        raise CannotTrain(
            f"a model is trained on {FEWEST} rows or more with two values or more, not {total:,}"
        )
    ensemble = _scikit()
    features, unordered = _features(classes, hierarchies)
    rest = len(kinds)
    code = places(votes["label"], kinds)
    rows = pl.DataFrame(
        {"class": votes["class"], "kind": np.where(code < 0, rest, code), "count": votes["count"]}
    ).sort("class", "kind")  # the same rows in the same order give the same model
    of_row = np.repeat(np.arange(rows.height), rows["count"].to_numpy())
    if len(of_row) > MOST_ROWS:
        of_row = np.sort(generator(seed or 0).choice(of_row, MOST_ROWS, replace=False))
    target = rows["kind"].to_numpy()[of_row]
    model = ensemble.HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        early_stopping=False,
        categorical_features=unordered if unordered.any() else None,
        random_state=0,
    )
    if len(np.unique(target)) < 2:  # all that is different was left out of the sample
        raise CannotTrain("the rows to learn from all have one value")
    chance = np.zeros((len(classes), rest + 1))
    # Trees this small are done before several threads have met; on a busy machine they wait for each other.
    with importlib.import_module("threadpoolctl").threadpool_limits(1):
        model.fit(features[rows["class"].to_numpy()[of_row]], target)
        chance[:, model.classes_] = model.predict_proba(features)
    return _dealt(chance * classes.sizes[:, None], kinds, votes.with_columns(kind=pl.Series(code)))


def _dealt(weight: Floats, kinds: pl.Series, votes: pl.DataFrame) -> pl.DataFrame:
    """Weights of classes and kinds as votes; of the last kind as the class's own rare labels share it."""
    rest = len(kinds)
    which, kind = np.nonzero(weight[:, :rest] > FAINT * weight.sum(axis=1, keepdims=True))
    told = pl.DataFrame(
        {"class": which.astype(np.int32), "label": kinds.gather(kind), "count": weight[which, kind]}
    )
    left = pl.DataFrame({"class": np.arange(len(weight), dtype=np.int32), "left": weight[:, rest]})
    rare = votes.filter(pl.col("kind") < 0).with_columns(pl.col("class").cast(pl.Int32))
    rare = rare.join(left, on="class").with_columns(
        count=pl.col("left") * pl.col("count") / pl.col("count").sum().over("class")
    )
    return pl.concat([told, rare.select("class", "label", pl.col("count").cast(pl.Float64))])


def _features(classes: RowClasses, hierarchies: Mapping[str, Hierarchy]) -> tuple[Floats, NDArray[np.bool_]]:
    """Two numbers per class and column, where its label begins and ends; one where there is no order."""
    found: list[Floats] = []
    unordered: list[bool] = []
    for column in classes.columns:
        labels = texts(classes.labels[column])
        kinds = labels.unique().sort()
        reach = _reach(kinds, hierarchies.get(column))
        if reach is None:
            found.append(places(labels, kinds).astype(np.float64))
            unordered.append(len(kinds) <= MOST_KINDS)
        else:
            where = places(labels, kinds)
            found += [reach[0][where], reach[1][where]]
            unordered += [False, False]
    return np.column_stack(found) if found else np.zeros((len(classes), 1)), np.array(unordered or [False])


def _reach(kinds: pl.Series, hierarchy: Hierarchy | None) -> tuple[Floats, Floats] | None:
    """From where to where labels reach on the line of their hierarchy, or of numbers or days."""
    if hierarchy is not None:
        order = LeafOrder.of(hierarchy)
        stretches = [order.stretch_of(label) for label in kinds.to_list()]
        if None not in stretches:
            both = np.array(stretches, np.float64)
            return both[:, 0], both[:, 1]
    for axis in ("day", "number"):
        low, high = ends(kinds, axis)
        if np.isfinite(low).any():
            return low, high  # what has no place is missing to the model, which it can tell from the rest
    return None


def _scikit() -> Any:
    try:
        return importlib.import_module("sklearn.ensemble")
    except ImportError:
        raise CannotTrain("scikit-learn is not installed; pip install 'shoal[models]'") from None
