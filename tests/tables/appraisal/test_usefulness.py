"""What a release is still good for, all at once."""

import json

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.usefulness import usefulness
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.measures.workload_error import WorkloadError
from shoal.tables.table import Table
from tables.pairs import people


def hierarchies(frame: pl.DataFrame) -> dict[str, Hierarchy]:
    return {"age": suggest(frame["age"], "age").hierarchy, "sex": Hierarchy.of_levels([["F", "M"]])}


def test_with_a_class_column_there_is_more_to_say() -> None:
    frame = people()
    released = Table(frame.with_columns(pl.lit("*").alias("sex")), (), ("age", "sex"), ("ill",))
    counts = usefulness(frame, released, hierarchies(frame), workload=WorkloadError(queries=20))
    assert set(counts.to_json()) == {"workload_error"} and len(counts.to_rows()) == 1
    found = usefulness(frame, released, hierarchies(frame), "ill")
    document = found.to_json()
    assert set(document) == {
        "workload_error",
        "class_column",
        "class_entropy",
        "information_gain",
        "classification_metric",
        "classifier_accuracy",
    }
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert len(found.to_rows()) == 5 and all(len(row) == 2 for row in found.to_rows())


def test_a_sensitive_column_that_the_original_lacks_is_not_asked_about() -> None:
    frame = people()
    released = Table(frame.rename({"ill": "diagnosis"}), (), ("age", "sex"), ("diagnosis",))
    assert usefulness(frame, released, hierarchies(frame)).workload.mean == 0
    with pytest.raises(BadParameter, match="no column 'ill'"):
        usefulness(frame, released, hierarchies(frame), "ill")


def test_where_the_class_says_nothing_the_share_is_a_dash() -> None:
    frame = people(20).with_columns(pl.lit("flu").alias("ill"))
    found = usefulness(frame, Table(frame, (), ("age", "sex")), hierarchies(frame), "ill")
    assert "kept" not in found.to_rows()[2][1]


def test_a_class_that_was_coarsened_is_refused_because_it_is_easier_to_guess() -> None:
    frame = people()
    released = Table(frame.with_columns(pl.lit("lungs").alias("ill")), (), ("age", "sex"), ("ill",))
    with pytest.raises(BadParameter, match="class column 'ill' that the original does not have"):
        usefulness(frame, released, hierarchies(frame), "ill")
