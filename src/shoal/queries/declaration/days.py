"""Days as numbers: how bounds of dates and timestamps are held, and how they are written."""

from __future__ import annotations

import re
from datetime import date, timedelta

FIRST = (date(1, 1, 1) - date(1970, 1, 1)).days
LAST = (date(9999, 12, 31) - date(1970, 1, 1)).days
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPAN = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*(?:\.\.|:)\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*")


def number_of_day(written: object) -> int | None:
    """Days since 1970 of a day such as 2024-01-31; None for what is no day of the calendar."""
    if isinstance(written, date):  # as TOML has it; of a moment its day
        return (date(written.year, written.month, written.day) - date(1970, 1, 1)).days
    if isinstance(written, str) and _DAY.fullmatch(written.strip()):
        try:
            return (date.fromisoformat(written.strip()) - date(1970, 1, 1)).days
        except ValueError:
            return None
    return None


def day_of_number(number: float) -> date:
    """The day of a number; before the first and after the last it is these."""
    return date(1970, 1, 1) + timedelta(days=min(max(int(number), FIRST), LAST))


def span_of_days(written: object) -> tuple[str, str] | None:
    """The two days of 2020-01-01..2024-12-31 or 2020-01-01:2024-12-31."""
    found = _SPAN.fullmatch(written) if isinstance(written, str) else None
    return (found[1], found[2]) if found else None
