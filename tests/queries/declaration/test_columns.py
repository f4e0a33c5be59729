"""Columns: bounds of dates are days of the calendar."""

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.declaration.columns import Column


def test_bounds_of_days_are_told_as_days_and_held_as_numbers() -> None:
    column = Column("at", "timestamp", 0, 1)
    assert column.bounds == ("1970-01-01", "1970-01-02") and column.temporal and not column.coded
    assert Column("x", "number", 0, 1).bounds == (0, 1) and Column("x", "number", 0, 1).coded
    assert Column("x", "date").bounds is None


@pytest.mark.parametrize(("kind", "low", "high"), [("date", 0.5, 2), ("timestamp", 0, 4e6), ("text", 0, 1)])
def test_what_is_no_day_is_refused(kind: str, low: float, high: float) -> None:
    with pytest.raises(BadParameter, match="bounds"):
        Column("x", kind, low, high)  # type: ignore[arg-type]
