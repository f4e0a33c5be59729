"""What a classifier learns from a release."""

import polars as pl
import pytest
from hypothesis import given, settings

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.measures.classifier_accuracy.classifier_accuracy import ClassifierAccuracy
from tables.pairs import pair, pairs, people


def of_people(after: pl.DataFrame | None = None, rows: int = 600) -> SideBySide:
    frame = people(rows)
    hierarchies = {"age": suggest(frame["age"], "age").hierarchy, "sex": Hierarchy.of_levels([["F", "M"]])}
    return SideBySide(frame, frame if after is None else after, ("age", "sex"), hierarchies, (), "ill")


@pytest.mark.parametrize("model", ["naive-bayes", "logistic", "forest"])
def test_a_model_finds_what_is_there_and_an_unchanged_table_teaches_the_same(model: str) -> None:
    found = ClassifierAccuracy(model).measure(of_people())  # type: ignore[arg-type]
    assert found.original == found.released > found.baseline + 0.2 and found.model == model


def test_a_release_without_the_column_that_matters_teaches_the_commonest_class() -> None:
    found = ClassifierAccuracy().measure(of_people(people().with_columns(pl.lit("*").alias("age"))))
    assert found.released == pytest.approx(found.baseline, abs=0.05) and found.original > 0.8


def test_suppressed_rows_get_the_commonest_class() -> None:
    rows = [("20", "F", "a")] * 6 + [("31", "M", "b")] * 3 + [("30", "F", "a")]
    found = ClassifierAccuracy().measure(pair(rows, [row for row in rows if row[0] == "20"]))
    assert found.released == pytest.approx(7 / 10) == found.baseline


@given(pairs())
@settings(max_examples=50)
def test_accuracies_are_shares_and_repeat(both: SideBySide) -> None:
    found = ClassifierAccuracy().measure(both)
    assert all(0 <= share <= 1 for share in (found.original, found.released, found.baseline))
    assert found == ClassifierAccuracy().measure(both)


def test_one_row_teaches_nothing() -> None:
    one = [("20", "F", "a")]
    found = ClassifierAccuracy().measure(pair(one, one))
    assert (found.original, found.released, found.baseline) == (0, 0, 1)


def test_a_column_of_numbers_is_no_class() -> None:
    frame = people(1200).with_columns(pl.int_range(1200).cast(pl.String).alias("ill"))
    both = SideBySide(frame, frame, ("sex",), {"sex": Hierarchy.of_levels([["F", "M"]])}, (), "ill")
    with pytest.raises(BadParameter, match="'ill' has 1,200 values"):
        ClassifierAccuracy().measure(both)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(BadParameter, match="no classifier 'magic'"):
        ClassifierAccuracy("magic")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="seed"):
        ClassifierAccuracy(seed=-1)
