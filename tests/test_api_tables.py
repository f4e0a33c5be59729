"""What a Python user calls for tables alone."""

import polars as pl
import pytest

import shoal

FRAME = pl.DataFrame({"age": [20, 21, 22, 40, 41, 42], "ill": ["flu", "hiv"] * 3})


def test_a_table_is_read_with_its_roles() -> None:
    table = shoal.read_table(FRAME, quasi=["age"], sensitive="ill")
    assert (table.quasi, table.sensitive) == (("age",), ("ill",))


def test_every_word_of_a_comparison_is_heard() -> None:
    curve = shoal.compare(FRAME, quasi="age", sensitive="ill", k=[2, 3], method="mondrian", seed=1)
    assert len(curve.points) == 2
    assert {point.method for point in curve.points} == {"mondrian"}


def test_a_word_of_another_verb_is_refused() -> None:
    with pytest.raises(shoal.BadInput, match="a table knows no 'suppress'; inspect takes separator"):
        shoal.inspect(FRAME, suppress=0.1)  # type: ignore[call-arg]
