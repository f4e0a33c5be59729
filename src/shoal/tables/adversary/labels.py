"""What a label may stand for, as an attacker reads it.

A ladder says so when there is one. Without it most labels speak for themselves: `476**`, `[20, 30)`, `< 18`,
`1975-Q2`, `{flu, cold}`, `*`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.order import LeafOrder
from shoal.tables.values import Label, texts

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_BOTH_ENDS = re.compile(rf"([\[(])?\s*({_NUMBER})\s*(?:,|;|\.\.|-|–|to|bis)\s*({_NUMBER})\s*([\])])?")
_ONE_END = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})")
_MASK = re.compile(r"([^*]*)(\*+)")
_MONTH, _QUARTER = re.compile(r"\d{4}-\d{2}"), re.compile(r"(\d{4})-?Q([1-4])")
_YEAR, _DECADE = re.compile(r"\d{4}"), re.compile(r"(\d{3})0s")
_DAY = re.compile(r"(\d{4})-(\d{2})-\d{2}.*", re.DOTALL)
_SET = re.compile(r"\{(.*)\}", re.DOTALL)


def covered(values: pl.Series, labels: pl.Series, ladder: Hierarchy | None) -> pl.DataFrame:
    """The pairs (`value`, `label`) of which the label may stand for the value."""
    kinds, names = texts(values).unique(), texts(labels).unique()
    read = dict.fromkeys(names.to_list(), False)
    found: list[tuple[Label, Label]] = []
    known = set(kinds.to_list())
    for label in read:
        if label in known:
            found.append((label, label))
        if label == "*":
            found += [(value, label) for value in known if value != "*"]
            read[label] = True
    if ladder is not None:
        for label, leaves in _by_ladder(ladder, [label for label, done in read.items() if not done]):
            found += [(value, label) for value in leaves if value in known and value != label]
            read[label] = True
    plain = [value for value in known if value is not None]
    for label, done in read.items():
        if not done and label is not None:
            found += [(value, label) for value in _by_itself(label, plain) if value != label]
    return pl.DataFrame(found, schema={"value": pl.String, "label": pl.String}, orient="row")


def _by_ladder(ladder: Hierarchy, labels: list[Label]) -> Iterator[tuple[Label, list[Label]]]:
    """What each label covers that the ladder knows: one of its labels, or a range over its leaves."""
    leaves = ladder.leaves
    for level, names in enumerate(ladder.names):
        place = {name: code for code, name in enumerate(names)}
        codes = ladder.codes[level]
        for label in labels:
            if label in place:
                yield label, [leaves[leaf] for leaf in np.flatnonzero(codes == place[label])]
    named = {name for names in ladder.names for name in names}
    order = LeafOrder.of(ladder)
    for label in labels:
        stretch = None if label in named else order.stretch_of(label)
        if stretch is not None:
            yield label, [leaves[leaf] for leaf in order.leaf_at[stretch[0] : stretch[1] + 1]]


def _by_itself(label: str, values: list[str]) -> list[str]:
    """What a label says it covers, without a ladder."""
    test = _meaning(label)
    return [] if test is None else [value for value in values if test(value)]


def _meaning(label: str) -> Callable[[str], bool] | None:
    text = label.strip()
    if found := _SET.fullmatch(text):
        members = {member.strip() for member in found[1].split(",")}
        return members.__contains__
    if (found := _MASK.fullmatch(text)) and found[1]:
        start, length = found[1], len(text)
        return lambda value: len(value) == length and value.startswith(start)
    for date in (_of_months(text), _of_years(text)):
        if date is not None:
            return date
    if found := _BOTH_ENDS.fullmatch(text):
        low, high = float(found[2]), float(found[3])
        below, above = found[1] == "(", found[4] == ")"
        return lambda value: _within(value, low, high, below, above)
    if found := _ONE_END.fullmatch(text):
        sign, end = found[1], float(found[2])
        if sign[0] in "<≤":
            return lambda value: _within(value, -np.inf, end, False, sign == "<")
        return lambda value: _within(value, end, np.inf, sign == ">", False)
    return None


def _of_months(text: str) -> Callable[[str], bool] | None:
    if _MONTH.fullmatch(text):
        return lambda value: bool(_DAY.fullmatch(value)) and value.startswith(f"{text}-")
    if found := _QUARTER.fullmatch(text):
        year, quarter = found[1], int(found[2])
        return lambda value: bool(
            (day := _DAY.fullmatch(value)) and day[1] == year and (int(day[2]) + 2) // 3 == quarter
        )
    return None


def _of_years(text: str) -> Callable[[str], bool] | None:
    if _YEAR.fullmatch(text):
        return lambda value: value.startswith(f"{text}-")
    if found := _DECADE.fullmatch(text):
        start = found[1]
        return lambda value: bool(re.match(rf"{start}\d(?!\d)", value))
    return None


def _within(value: str, low: float, high: float, above_low: bool, below_high: bool) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    return (low < number if above_low else low <= number) and (
        number < high if below_high else number <= high
    )
