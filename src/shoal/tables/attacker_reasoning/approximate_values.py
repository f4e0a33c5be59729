"""Values that are nearly the same: numbers, dates and texts of which one may be a slip of the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import inf
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.label_matching_kernels import within_edits
from shoal.tables.attacker_reasoning.label_syntax import Axis, Meaning, Span, in_days, in_numbers, keys_on
from shoal.tables.hierarchies import Hierarchy

Ints = NDArray[np.int64]
Pairs = tuple[Ints, Ints]
Measure = Literal["number", "day", "edits"]
MOST_EDITS = 3
BEGINNING = 8  # characters; texts within some edits have beginnings that agree after as many deletions


def measure_of(values: pl.Series) -> Measure:
    """How far values are apart: numbers and dates where most are such, else edits."""
    known = values.drop_nulls()
    axes: tuple[Axis, Axis] = ("number", "day")
    for axis in axes:
        if len(known) and 2 * np.count_nonzero(~np.isnan(keys_on(axis, known))) > len(known):
            return "number" if axis == "number" else "day"
    return "edits"


def otherwise_spelled(values: pl.Series, labels: pl.Series) -> Pairs:
    """Values and plain labels that differ in spelling only: `27` and `27.0`, `06804` and `6804`, `m` and `M`.

    Files of different makers do. Only what has no equal on the other side is looked at, so that codes which
    do differ in a leading zero are kept apart wherever both are there.
    """
    lone_values, lone_labels = (
        pl.DataFrame({"text": own, "place": np.arange(len(own))}).join(
            pl.DataFrame({"text": other}), on="text", how="anti", nulls_equal=True
        )
        for own, other in ((values, labels), (labels, values))
    )
    both = (
        lone_values.with_columns(_plainly(pl.col("text")))
        .join(lone_labels.with_columns(_plainly(pl.col("text"))), on="text")
        .sort("place", "place_right")
    )
    return both["place"].to_numpy().astype(np.int64), both["place_right"].to_numpy().astype(np.int64)


def _plainly(text: pl.Expr) -> pl.Expr:
    """Without spaces around, capitals, zeros that change no number, and midnight after a date."""
    text = text.str.strip_chars().str.to_lowercase()
    whole = text.str.replace(r"^([+-]?)0+(\d)", "${1}${2}").str.replace(r"(\.\d*?)0+$", "${1}")
    number = text.str.contains(r"^[+-]?\d+(\.\d+)?$")
    day = text.str.replace(r"^(\d{4}-\d{2}-\d{2})[ t]00:00:00(\.0+)?$", "${1}")
    return pl.when(number).then(whole.str.strip_suffix(".")).otherwise(day)


def widen(
    values: pl.Series, labels: pl.Series, spoken: Mapping[int, Meaning], by: float
) -> dict[int, Meaning]:
    """What labels cover when values may be off by some number or some days; of texts nothing."""
    measure = measure_of(values)
    if measure == "edits":
        return {}
    found: dict[int, Meaning] = {}
    turn = in_numbers if measure == "number" else in_days
    for place, told in spoken.items():
        spans = [turned.widened(by) for span in told.spans if (turned := turn(span)) is not None]
        points = keys_on(measure, pl.Series(told.members, dtype=pl.String))
        spans += [Span(measure, point, point).widened(by) for point in points.tolist() if point == point]
        if spans:
            found[place] = Meaning(tuple(spans))
    points = keys_on(measure, labels)
    for place in np.flatnonzero(np.isfinite(points)).tolist():
        also = found[place].spans if place in found else ()
        found[place] = Meaning((*also, Span(measure, points[place], points[place]).widened(by)))
    return found


def near_members(values: pl.Series, labels: pl.Series, spoken: Mapping[int, Meaning], edits: float) -> Pairs:
    """Texts and the plain labels and named members that are within some edits of them."""
    if measure_of(values) != "edits":
        return _none()
    plain = [(place, text) for place, text in enumerate(labels.to_list()) if text is not None and text != "*"]
    named = [(place, member) for place, told in spoken.items() for member in told.members]
    return _near_texts(values, [*plain, *named], edits)


def near_hierarchy(values: pl.Series, labels: pl.Series, hierarchy: Hierarchy, by: float) -> Pairs:
    """Values and the labels of a hierarchy that cover a leaf near them."""
    leaves = pl.Series(hierarchy.leaves, dtype=pl.String)
    measure = measure_of(values)
    if measure == "edits":
        value, leaf = _near_texts(
            values, [(p, t) for p, t in enumerate(hierarchy.leaves) if t is not None], by
        )
    else:
        value, leaf = _near_keys(keys_on(measure, values), keys_on(measure, leaves), by)
    place = {label: number for number, label in enumerate(labels.to_list())}
    found: list[Pairs] = []
    for names, codes in zip(hierarchy.names, hierarchy.codes, strict=True):
        label = np.array([place.get(name, -1) for name in names])[codes[leaf]]
        both = np.unique(value[label >= 0] * len(labels) + label[label >= 0])
        found.append((both // len(labels), both % len(labels)))
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def _near_keys(left: NDArray[np.float64], right: NDArray[np.float64], by: float) -> Pairs:
    order = np.argsort(right)[: np.count_nonzero(~np.isnan(right))]
    line = right[order]
    first = np.searchsorted(line, np.where(np.isnan(left), inf, left - by), "left")
    many = np.maximum(np.searchsorted(line, np.where(np.isnan(left), -inf, left + by), "right") - first, 0)
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return np.repeat(np.arange(len(left)), many), order[np.repeat(first, many) + within]


def _near_texts(values: pl.Series, others: list[tuple[int, str]], edits: float) -> Pairs:
    """Pairs within some edits, as (value, number of the other), without comparing everything."""
    if edits != int(edits) or not 1 <= edits <= MOST_EDITS:
        raise BadParameter(
            f"a tolerance of {edits:g} edits between texts such as {values.drop_nulls()[:1].to_list()}; give "
            f"a whole number from 1 to {MOST_EDITS}"
        )
    mine = [(place, text) for place, text in enumerate(values.to_list()) if text is not None]
    if not mine or not others:
        return _none()
    shared = (
        _deletions(mine, int(edits))
        .join(_deletions(others, int(edits)), on="short", how="inner")
        .select("place", "place_right")
        .unique()
    )
    one, other = shared["place"].to_numpy(), shared["place_right"].to_numpy()
    left, right = [text for _, text in mine], [text for _, text in others]
    near = within_edits(*_letters(left), *_letters(right), one, other, int(edits))
    return (
        np.array([number for number, _ in mine])[one[near]],
        np.array([number for number, _ in others])[other[near]],
    )


def _deletions(those: list[tuple[int, str]], edits: int) -> pl.DataFrame:
    """Every beginning with up to so many characters left out, and where its text stands in the list."""
    places: list[int] = []
    short: list[str] = []
    for place, (_, text) in enumerate(those):
        start = text[:BEGINNING]
        kept = {
            "".join(letters)
            for gone in range(min(edits, len(start)) + 1)
            for letters in combinations(start, len(start) - gone)
        }
        short += kept
        places += [place] * len(kept)
    return pl.DataFrame({"place": places, "short": short}, schema={"place": pl.Int64, "short": pl.String})


def _letters(those: list[str]) -> tuple[NDArray[np.int32], Ints]:
    """Texts end to end as numbers of letters, and where each begins."""
    offsets = np.zeros(len(those) + 1, np.int64)
    np.cumsum([len(text) for text in those], out=offsets[1:])
    return np.frombuffer("".join(those).encode("utf-32-le", "surrogatepass"), np.int32), offsets


def _none() -> Pairs:
    return np.zeros(0, np.int64), np.zeros(0, np.int64)
