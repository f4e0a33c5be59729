"""The first line of a text table: whether it names columns, and names that occur once."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from shoal.core.errors import BadTable
from shoal.engines.frames import quote_value

LOG = logging.getLogger("shoal")
FEWEST_ROWS = 3  # below this a first line cannot be told from the others
ROW = "row number"
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?")
_VALUE = re.compile(r"\d{4}-\d\d?-\d\d?.*|\d\d?[./]\d\d?[./]\d{2,4}|\S+@\S+\.\w+")  # dates, addresses


def unique_names(names: Sequence[str], table: str) -> list[str]:
    """The names with numbers after those that were there already, and a remark about each."""
    taken, given, counts = set(names), dict[str, None](), dict[str, int]()
    for name in names:
        new, count = name, counts.get(name, 1)
        while new in given or (new != name and new in taken):
            count += 1
            new = f"{name}_{count}"
        counts[name] = count
        if new != name and name:
            _remark(
                f"{table} has two columns named {quote_value(name)}; the later one is called "
                f"{quote_value(new)}"
            )
        given[new] = None
    return list(given)


@lru_cache(maxsize=1_000)
def _remark(sentence: str) -> None:
    """Say it once, however often the same table is read."""
    LOG.warning("%s", sentence)


def with_row_numbers(names: Sequence[str], rows: Sequence[Sequence[str]], table: str) -> list[str]:
    """The names, where a first column without one only counts the rows, as pandas writes its index."""
    counted = [row[0] for row in rows if len(row) == len(names)]
    if len(counted) < FEWEST_ROWS or names[0] or not all(map(str.isdecimal, counted)):
        return list(names)
    if len(counted[0]) > 1 or int(counted[0]) > 1 or {int(b) - int(a) for a, b in pairwise(counted)} != {1}:
        return list(names)
    _remark(f"the first column of {table} has no name and counts the rows; it is called {quote_value(ROW)}")
    return [ROW, *names[1:]]


def check_header(names: Sequence[str], rows: Sequence[Sequence[str]], table: str) -> None:
    """Refuse a first line that looks like the rows below it: a person's values must not become names.

    Numbers in a row, such as years, may well be names. The sentence tells no value.
    """
    rows = [row for row in rows if len(row) == len(names)]
    if len(rows) < FEWEST_ROWS:
        return
    columns = list(zip(*rows, strict=True))
    sure = sum(_sure(name, column) for name, column in zip(names, columns, strict=True))
    if _in_a_row([name for name in names if _NUMBER.fullmatch(name)]):
        sure = sum(bool(_VALUE.fullmatch(name)) for name in names)
    again = sum(
        column.count(name) > 1 and not _sure(name, column)
        for name, column in zip(names, columns, strict=True)
    )
    if (sure and 2 * (sure + again) >= len(names)) or (again >= 2 and 2 * again > len(names)):
        raise BadTable(
            f"{table} seems to have no header: its first line looks like the lines below it; put a line with "
            "the names of the columns before it, or, if these are names, add a letter to numbers among them"
        )


def _sure(name: str, column: Sequence[str]) -> bool:
    """Whether a cell of the first line is a value of the kind that fills its column."""
    for kind in (_NUMBER, _VALUE):
        if kind.fullmatch(name):
            return sum(bool(kind.fullmatch(value)) for value in column) >= 0.9 * len(column)
    return False


def _in_a_row(numbers: Sequence[str]) -> bool:
    """Whether some whole numbers count up or down, as years and places do."""
    if not numbers or not all(re.fullmatch(r"\d+", number) for number in numbers):
        return False
    if len(numbers) == 1:
        return 1900 <= int(numbers[0]) <= 2100
    steps = {int(after) - int(before) for before, after in pairwise(numbers)}
    return len(steps) == 1 and abs(steps.pop()) in (1, 5, 10)
