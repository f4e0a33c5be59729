"""How much of what the quasi-identifiers say about a class survives."""

import pytest
from hypothesis import given

from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.information_gain import InformationGain
from tables.pairs import pair, pairs


@given(pairs())
def test_coarser_labels_never_say_more_and_nothing_changed_keeps_all(both: SideBySide) -> None:
    found = InformationGain().measure(both)
    assert found.kept is None or -1e-12 <= found.kept <= 1 + 1e-9
    same = SideBySide(both.original, both.original, both.quasi, both.hierarchies, (), "note")
    unchanged = InformationGain().measure(same)
    assert unchanged.kept is None or unchanged.kept == pytest.approx(1)


def test_half_the_bits_are_left_when_one_of_two_columns_is_gone() -> None:
    rows = [("20", "F", "a"), ("20", "M", "b"), ("30", "F", "c"), ("30", "M", "d")]
    found = InformationGain().measure(pair(rows, [("*", sex, ill) for _, sex, ill in rows]))
    assert found.together.original == 2 and found.together.released == 1 and found.kept == 1 / 2
    assert found.columns["age"].original == 1 and found.columns["age"].released == 0
    assert found.columns["sex"].released == 1


def test_suppressed_rows_say_nothing() -> None:
    rows = [("20", "F", "a"), ("20", "M", "b"), ("30", "F", "a"), ("30", "M", "b")]
    assert InformationGain().measure(pair(rows, rows[:2])).kept == 1 / 2


def test_where_there_was_nothing_to_say_the_share_is_unknown() -> None:
    rows = [("20", "F", "a"), ("20", "M", "a")]
    assert InformationGain().measure(pair(rows, rows)).kept is None
