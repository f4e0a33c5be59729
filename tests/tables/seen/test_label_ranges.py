"""What labels of numbers cover."""

import math

import pytest

from shoal.tables.seen.label_ranges import stretch_of


@pytest.mark.parametrize(
    ("label", "ends"),
    [
        ("34", (34, 34)),
        ("-1.5", (-1.5, -1.5)),
        ("[30, 40)", (30, 40)),
        ("[-5, -2]", (-5, -2)),
        ("30-39", (30, 39)),
        ("476**", (47600, 47699)),
        ("< 18", (-math.inf, 18)),
        ("≥ 65", (65, math.inf)),
        (">=40", (40, math.inf)),
        ("*", (-math.inf, math.inf)),
        ("Dr", None),
        ("1.2.3-4", None),
        (None, None),
    ],
)
def test_a_label_says_where_it_begins_and_ends(label: str | None, ends: tuple[float, float] | None) -> None:
    assert stretch_of(label) == ends
