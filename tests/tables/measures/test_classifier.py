"""The share of wrong guesses, measured and searched for."""

import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.tables.measures.classification_metric import ClassificationMetric
from shoal.tables.measures.classifier import Classifier
from tables.pairs import pair, people


def test_the_minority_and_the_suppressed_pay() -> None:
    rows = [("20", "F", "a")] * 3 + [("21", "F", "b"), ("30", "F", "a")]
    both = pair(rows, [("2*", "F", "a")] * 3 + [("2*", "F", "b")], None)
    assert Classifier("ill").measure(both) == 2 / 5


@pytest.mark.parametrize("method", ["optimal", "heuristic", "local-recoding", "cell-suppression", "auto"])
def test_what_a_search_says_is_what_is_measured(method: str) -> None:
    frame = people(150)
    release = shoal.protect(
        frame, quasi=["age", "sex"], sensitive="ill", k=5, objective="classifier(column=ill)", method=method
    )
    found = shoal.measure(release, original=frame, only="classifier(column=ill)", class_column="ill")
    (told,) = found.found.values()
    assert release.losses["classifier"] == pytest.approx(told)
    by_paper = ClassificationMetric().name
    (same,) = shoal.measure(release, original=frame, only=by_paper, class_column="ill").found.values()
    assert same == pytest.approx(told)


def test_a_search_for_it_guesses_better_than_a_search_for_the_least_loss() -> None:
    frame = people(400)
    asked = {"quasi": ["age", "sex"], "sensitive": "ill", "k": 40, "suppress": 0.0, "method": "optimal"}
    plain = shoal.protect(frame, **asked)  # type: ignore[call-overload]
    aimed = shoal.protect(frame, objective="classifier(column=ill)", **asked)  # type: ignore[call-overload]
    (without,) = shoal.measure(plain, original=frame, only="classifier(column=ill)").found.values()
    assert aimed.losses["classifier"] <= without
    assert aimed.losses["loss"] >= plain.losses["loss"]


@pytest.mark.parametrize(
    ("objective", "cause"),
    [
        ("classifier", "classifier needs column"),
        ("classifier(column=age)", "'age' is a quasi-identifier, which a release coarsens"),
        ("classifier(column=nobody)", "'nobody' does not go out"),
        ("classifier(column=ill,depth=3)", "has no parameter 'depth'"),
    ],
)
def test_what_cannot_be_predicted_is_refused(objective: str, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        shoal.protect(people(60), quasi=["age", "sex"], sensitive="ill", k=2, objective=objective)


def test_a_column_of_names_is_no_class() -> None:
    frame = people(300).with_row_index("number")
    with pytest.raises(BadParameter, match="at most 200 values, and 'number' has 300"):
        shoal.protect(frame, quasi=["age"], insensitive="number", k=2, objective="classifier(column=number)")
