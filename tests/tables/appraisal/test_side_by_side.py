"""An original and its release side by side."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy
from tables.pairs import AGE, SEX, pair

NUMBERS = Hierarchy.of_levels([["1", "2", "3", "4", "?"]])


def test_labels_are_stretches_of_the_line() -> None:
    both = pair([("20", "F", "flu"), ("31", "M", "flu")], [("2*", "*", "flu"), ("31", "M", "flu")])
    age = both.after("age")
    assert sorted(zip(age.first.tolist(), age.last.tolist(), strict=True)) == [(0, 1), (3, 3)]
    assert age.width[age.codes].tolist() == [2, 1] and both.after("sex").width[0] == 2
    assert both.before("age").width.tolist() == [1, 1]


def test_ranges_missing_values_and_marks_are_read() -> None:
    hierarchy = NUMBERS.with_missing_value()
    before = pl.DataFrame({"n": ["1", "4", None, "?"]})
    after = pl.DataFrame({"n": ["[1, 3]", "[2, 4]", None, "*"]})
    read = SideBySide(before, after, ("n",), {"n": hierarchy}).after("n")
    assert read.width[read.codes].tolist() == [3, 3, 1, 6]


def test_a_column_without_a_hierarchy_is_compared_value_by_value() -> None:
    both = pair([("20", "F", "flu")], [("20", "F", "gout")], sensitive=("ill",))
    assert set(both.line("ill").hierarchy.leaves) == {"flu", "gout"}


def test_what_cannot_be_read_is_named() -> None:
    rows = [("20", "F", "flu")]
    with pytest.raises(BadParameter, match=r"the release has '5\*' in 'age'.*--hierarchy age=FILE"):
        pair(rows, [("5*", "F", "flu")]).after("age")
    with pytest.raises(BadParameter, match="the original has '99' in 'age'"):
        pair([("99", "F", "flu")], rows).before("age")
    frame = pl.DataFrame({"age": ["20"], "sex": ["F"]})
    with pytest.raises(BadParameter, match="the release has no column 'sex'"):
        SideBySide(frame, frame.drop("sex"), ("age", "sex"), {"age": AGE, "sex": SEX})
    with pytest.raises(BadParameter, match="the original has no column 'ill'"):
        SideBySide(frame, frame, ("age",), {"age": AGE}, class_column="ill")
    with pytest.raises(BadParameter, match="no hierarchy for 'sex'"):
        SideBySide(frame, frame, ("age", "sex"), {"age": AGE})
    with pytest.raises(BadParameter, match="'sex' is a quasi-identifier"):
        SideBySide(frame, frame, ("age", "sex"), {"age": AGE, "sex": SEX}, class_column="sex")
    with pytest.raises(BadParameter, match="no quasi-identifier"):
        SideBySide(frame, frame, (), {})
    with pytest.raises(BadParameter, match="no class column named"):
        assert pair(rows, rows, class_column=None).classed
