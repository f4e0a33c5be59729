"""Values as literals, read back by a database."""

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.dbapi.parameters import literal, put_in

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    st.dates(),
)


@given(value=VALUES)
def test_a_database_reads_back_what_was_written(value: object) -> None:
    ((found,),) = duckdb.connect().execute(f"SELECT {literal(value)}").fetchall()
    assert (
        found == value if not isinstance(value, float) else math.isclose(float(found), value, abs_tol=1e-15)
    )


@given(texts=st.lists(st.sampled_from(["a", "'", "?", '"', "--", "\n", "/*", "*/", "''", " "]), max_size=8))
def test_a_text_never_ends_before_its_last_sign(texts: list[str]) -> None:
    given_ = ["".join(texts), "last"]
    ((first, last),) = (
        duckdb.connect().execute(put_in("SELECT ? AS a, /* ? */ ? AS b -- ?", given_)).fetchall()
    )
    assert [first, last] == given_


def test_marks_in_texts_names_and_comments_are_no_parameters() -> None:
    text = """SELECT '?', "a?", 'it''s ?' /* ? */ -- ?\n, 1 - ? / 2"""
    assert put_in(text, [-3]) == text.replace("1 - ?", "1 - (-3)")


def test_numbers_are_written_in_digits() -> None:
    assert (
        literal(1e-7) == "0.0000001"
        and literal(Decimal("1E+3")) == "1000"
        and literal(Fraction(1, 8)) == "0.125"
    )
    assert (
        literal(np.int64(7)) == "7"
        and literal(np.float64(0.5)) == "0.5"
        and literal(np.bool_(True)) == "TRUE"
    )
    assert literal(datetime(2024, 2, 29, 12)) == "TIMESTAMP '2024-02-29 12:00:00'"
    assert literal(date(2024, 2, 29)) == "DATE '2024-02-29'"


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), Decimal("NaN"), b"bytes", [1], {}, object(), "a\0b", Decimal("1e9999"),
     datetime(2024, 1, 1, tzinfo=UTC), int],
)  # fmt: skip
def test_what_has_no_literal_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no parameter"):
        literal(value)


def test_too_many_too_few_or_named_ones_are_refused() -> None:
    for text, given_ in (("SELECT ?", []), ("SELECT 1", [1]), ("SELECT ?, ?", [1])):
        with pytest.raises(ValueError, match="parameters"):
            put_in(text, given_)
    with pytest.raises(ValueError, match="names"):
        put_in("SELECT :a", {"a": 1})
