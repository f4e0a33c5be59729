"""Dates and timestamps of cells: the odd ones are in test_cleaning_sql, for both engines and the twin."""

import re

from shoal.queries.declaration.declaration import Column
from shoal.queries.stores.cleaning_days import DAY, MOMENT, literal_ends


def test_moments_are_days_with_a_clock_and_no_zone_but_their_own() -> None:
    for text in ("2024-02-29", "2024-02-29 10:00", "2024-02-29T10:00:00.5Z", "2024-02-29 10:00:00+00:00"):
        assert re.search(MOMENT, text) and re.search(DAY, text)
    for text in ("2023-02-29", "2024-02-29 24:00", "2024-02-29 10:00+02:00", "2024-02-29 10", "2024-02-29T"):
        assert not re.search(MOMENT, text)


def test_the_last_day_has_all_its_hours() -> None:
    assert literal_ends(Column("x", "date", 0, 1)) == (
        "CAST('1970-01-01' AS DATE)",
        "CAST('1970-01-02' AS DATE)",
    )
    assert "23:59:59.999999" in literal_ends(Column("x", "timestamp", 0, 1))[1]
