"""Columns: bounds of dates are days of the calendar."""

from typing import Any

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


@pytest.mark.parametrize(
    "column",
    [
        {"kind": "text"},
        {"kind": "number"},
        {"kind": "boolean"},
        {"kind": "integer", "keys": (1, 2)},
        {"kind": "date", "low": 0.0, "high": 9.0},
    ],
)
def test_only_a_bounded_number_can_be_never_null(column: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match="never null"):
        Column("x", **column, never_null=True)
    assert Column("x", "number", 0, 5, never_null=True).never_null
