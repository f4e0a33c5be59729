"""Values that are nearly the same."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacker_reasoning.approximate_values import measure_of, near_members, otherwise_spelled

words = st.lists(st.text("abä", max_size=12), min_size=1, max_size=6)


def edits(one: str, other: str) -> int:
    """Letters more, less or other, and neighbours exchanged; no letter is touched twice."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, their in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != their))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == their:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


@given(words, words, st.integers(1, 3))
def test_no_near_text_is_missed_and_no_far_one_found(mine: list[str], theirs: list[str], most: int) -> None:
    values, labels = pl.Series(mine).unique().sort(), pl.Series(theirs).unique().sort()
    one, other = near_members(values, labels, {}, most)
    found = {(values[a], labels[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)}
    assert found == {(a, b) for a in values for b in labels if edits(a, b) <= most}


def test_what_most_values_are_decides_how_far_they_are_apart() -> None:
    assert measure_of(pl.Series(["1", "2", "?"])) == "number"
    assert measure_of(pl.Series(["1975-03-09", "1975-03-10", None, None])) == "day"
    assert measure_of(pl.Series(["1", "x"])) == measure_of(pl.Series([None], dtype=pl.String)) == "edits"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("27", "27.0"),
        ("06804", "6804"),
        ("-07.50", "-7.5"),
        ("0", "0.00"),
        (" M", "m "),
        ("1970-05-01", "1970-05-01 00:00:00.000000"),
        ("1970-05-01T00:00:00", "1970-05-01"),
    ],
)
def test_what_differs_in_spelling_only_is_the_same(one: str, other: str) -> None:
    for left, right in ((one, other), (other, one)):
        value, label = otherwise_spelled(pl.Series(["x", left]), pl.Series([None, right, "y"]))
        assert (value.tolist(), label.tolist()) == ([1], [1])


def test_codes_that_are_both_there_are_kept_apart() -> None:
    value, label = otherwise_spelled(pl.Series(["0123", "m"]), pl.Series(["0123", "123", "m", "M"]))
    assert not len(value) and not len(label)
    for one, other in (("100", "1"), ("0.1", "1"), ("1970-05-01", "1970-05-01 10:00:00"), ("", "0")):
        assert not len(otherwise_spelled(pl.Series([one]), pl.Series([other]))[0])
