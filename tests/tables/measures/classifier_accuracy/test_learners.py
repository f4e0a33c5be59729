"""Classifiers that read labels."""

import sys

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter, NotInstalled
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.classifier_accuracy import learners
from shoal.tables.measures.classifier_accuracy.learners import NaiveBayes, Rows, learner_of

HIERARCHY = Hierarchy.of_levels([["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"]])


def rows(labels: list[str], target: list[int]) -> Rows:
    frame = pl.DataFrame({"q": labels})
    both = SideBySide(frame, frame, ("q",), {"q": HIERARCHY})
    return Rows((both.after("q"),), np.array(target, np.int32), 2)


@pytest.mark.parametrize("model", ["naive-bayes", "logistic", "forest"])
def test_what_labels_say_is_learnt_and_used_for_finer_ones(model: str) -> None:
    seen = rows(["ab", "cd"] * 50 + ["a", "d"], [0, 1] * 51)
    told = learner_of(model, 0).predict(seen, np.arange(100), np.array([100, 101]))
    assert told.tolist() == [0, 1]


def test_a_label_that_covers_everything_says_nothing() -> None:
    seen = rows(["a"] * 6 + ["b"] * 4 + ["*"], [0] * 6 + [1] * 4 + [1])
    column = seen.columns[0]
    table = learners._likely(column, np.arange(10), seen.target[:10], 2)
    assert table[column.codes[10]] == pytest.approx([0, 0])
    assert NaiveBayes().predict(seen, np.arange(10), np.array([10])).tolist() == [0]


def test_chances_add_up_to_one_and_few_rows_are_drawn_to_what_all_say() -> None:
    seen = rows(["a", "b", "c", "c", "c", "d"], [0, 1, 1, 1, 0, 1])
    column = seen.columns[0]
    counts = np.zeros((4, 2))
    for code, target in zip(column.codes, seen.target, strict=True):
        counts[column.first[code], target] += 1
    chance = learners._shrunk(column.line, counts)
    assert chance.sum(axis=0) == pytest.approx([1, 1]) and (chance > 0).all()
    many = learners._shrunk(column.line, counts * 10_000)
    assert many[:, 1] == pytest.approx([0, 1 / 4, 2 / 4, 1 / 4], abs=0.01)


def test_one_class_needs_no_model() -> None:
    seen = rows(["a", "b", "c"], [1, 1, 0])
    assert learner_of("logistic", 0).predict(seen, np.arange(2), np.array([2])).tolist() == [1]


def test_a_missing_library_is_named_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = rows(["a", "b", "c"], [1, 0, 0])
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(NotInstalled, match=r"pip install 'shoal\[models\]'"):
        learner_of("forest", 0).predict(seen, np.arange(2), np.array([2]))


def test_an_unknown_classifier_is_refused() -> None:
    with pytest.raises(BadParameter, match="no classifier 'oracle'; choose naive-bayes, logistic or forest"):
        learner_of("oracle", 0)
