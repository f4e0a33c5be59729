"""What a cell counts as that should be a date or a timestamp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.queries.declaration.days import day_of_number
from shoal.queries.declaration.declaration import Column

if TYPE_CHECKING:
    from shoal.queries.stores.cleaning_sql import Source, Spelling

_LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29"
_MONTHS = (
    "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
)
_DATE = f"({_LEAP}|[0-9]{{4}}-({_MONTHS}))"
DAY = f"^{_DATE}($|[T ])"
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?"
MOMENT = f"^{_DATE}($|[T ]{_CLOCK}(Z|[+]00(:?00)?)?$)"  # of other zones nobody could tell the hour
_ZONE = "(Z|[+]00(:?00)?)$"


def literal_ends(column: Column) -> tuple[str, str]:
    """The first and the last value that a bounded date or timestamp can have."""
    assert column.low is not None and column.high is not None
    low, high = (day_of_number(bound).isoformat() for bound in (column.low, column.high))
    if column.kind == "date":
        return f"CAST('{low}' AS DATE)", f"CAST('{high}' AS DATE)"
    return f"CAST('{low} 00:00:00' AS TIMESTAMP)", f"CAST('{high} 23:59:59.999999' AS TIMESTAMP)"


def moment_sql(cell: str, source: Source, spelling: Spelling) -> str:
    """A point in time to the microsecond; of a day its first, of a text without a zone as it is written."""
    if source == "day":
        return spelling.cast(day_sql(cell, source, spelling), "TIMESTAMP")
    if source == "moment":
        moment = spelling.cast(cell, "TIMESTAMP")
        first, last = (
            f"CAST('{end}' AS TIMESTAMP)" for end in ("0001-01-01 00:00:00", "9999-12-31 23:59:59.999999")
        )
        return f"CASE WHEN {moment} >= {first} AND {moment} <= {last} THEN {moment} END"
    if source == "text":
        text = spelling.trimmed(spelling.text(cell))
        # Neither engine rounds what is cut to microseconds here.
        read = f"SUBSTRING(REGEXP_REPLACE({text}, '{_ZONE}', ''), 1, 26)"
        return (
            f"CASE WHEN {spelling.matches(text, MOMENT)} AND SUBSTRING({text}, 1, 4) <> '0000'"
            f" THEN {spelling.cast(read, 'TIMESTAMP')} END"
        )
    return "CAST(NULL AS TIMESTAMP)"


def day_sql(cell: str, source: Source, spelling: Spelling) -> str:
    """A day of the years 1 to 9999."""
    if source in ("day", "moment"):
        day = cell if source == "day" else spelling.cast(cell, "DATE")
        # Outside of these years a date is infinite, or one that Python cannot hold.
        first, last = "CAST('0001-01-01' AS DATE)", "CAST('9999-12-31' AS DATE)"
        return f"CASE WHEN {day} >= {first} AND {day} <= {last} THEN {day} END"
    if source == "text":
        text = spelling.trimmed(spelling.text(cell))
        return (
            f"CASE WHEN {spelling.matches(text, DAY)} AND SUBSTRING({text}, 1, 4) <> '0000'"
            f" THEN {spelling.cast(f'SUBSTRING({text}, 1, 10)', 'DATE')} END"
        )
    return "CAST(NULL AS DATE)"
