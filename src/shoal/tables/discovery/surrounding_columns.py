"""What the columns around a column tell about it, where its own name and values tell nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from shoal.tables.discovery.column_names import has_hint
from shoal.tables.discovery.roles import (
    FEWEST_KEYS,
    MOST_CODES,
    ROWS_EACH,
    SERVING,
    TELLING,
    Column,
    ColumnReport,
    only_counted,
)

LIKE_OTHERS = 2  # sensitive columns with the same values from which another is taken for one of them
MANY_SENSITIVE = 0.3  # the share of sensitive columns from which what nobody understands is taken for one
FACTS = 3  # quasi-identifiers that one number determines if it stands for a person
_LETTER = re.compile(r"[^\W\d_]")


def in_company(columns: Sequence[Column], reports: Mapping[str, ColumnReport]) -> dict[str, ColumnReport]:
    """The same reports; a column that tells nothing by itself is judged by the columns around it.

    To call something sensitive insensitive hurts people, the other way round costs a little. So a column that
    looks like sensitive ones (`0` and `1` as in `diabetes` and `asthma`), or stands in a table with many of
    them, is taken for sensitive as well. How often that is right with all names hidden: docs/roles.md.
    """
    told = {**reports, **_keys_of_others(columns, reports), **_keys_by_what_they_determine(columns, reports)}
    unknown = [
        one for one in columns if told[one.name].role == "insensitive" and not told[one.name].understood
    ]
    understood = [
        one for one in columns if reports[one.name].understood and reports[one.name].role != "identifier"
    ]
    sensitive = [one for one in understood if reports[one.name].role == "sensitive"]
    for column in unknown:
        alike = [one.name for one in sensitive if set(one.sample) == set(column.sample)]
        like_others = len(alike) >= LIKE_OTHERS
        if like_others:
            reason = f"has the same values as '{alike[0]}' and '{alike[1]}', which are sensitive"
        elif len(sensitive) >= LIKE_OTHERS and len(sensitive) >= MANY_SENSITIVE * len(understood):
            reason = f"nothing tells what it is, in a table with {len(sensitive)} sensitive columns"
        else:
            continue
        # What is merely in such company may be a name, which would go out as it is.
        told[column.name] = replace(
            reports[column.name], role="sensitive", reason=reason, understood=like_others
        )
    return told


def _keys_of_others(
    columns: Sequence[Column], reports: Mapping[str, ColumnReport]
) -> dict[str, ColumnReport]:
    """Columns that hold the numbers of people of another column, as in "referred by"."""
    found = {}
    for key in columns:
        if reports[key.name].role != "identifier" or not any(map(_LETTER.search, key.sample)):
            continue  # plain numbers are in many columns
        known = set(key.sample)
        for column in columns:
            own = set(column.sample)
            if reports[column.name].role == "identifier" or len(own) < FEWEST_KEYS:
                continue
            if len(own & known) >= MOST_CODES * len(own):
                reason = f"holds values of '{key.name}', which names people"
                found[column.name] = replace(
                    reports[column.name], role="identifier", reason=reason, understood=True
                )
    return found


def _keys_by_what_they_determine(
    columns: Sequence[Column], reports: Mapping[str, ColumnReport]
) -> dict[str, ColumnReport]:
    """Columns that repeat, and in all rows with one value the same name or the same facts about somebody.

    That is what a number of a person does, whatever it is called and in whatever language.
    """
    names = [
        one
        for one in columns
        if reports[one.name].role == "identifier" and _repeats(one) and not has_hint(one.name, SERVING)
    ]
    facts = [one for one in columns if reports[one.name].role == "quasi" and reports[one.name].understood]
    found = {}
    for column in columns:
        if reports[column.name].role == "identifier" or column.decimal or not _repeats(column):
            continue
        if not only_counted(column):
            continue
        given = [one.name for one in names if _determines(column, one)]
        if not given:
            given = [one.name for one in facts if one is not column and _determines(column, one)]
            if len(given) < FACTS:
                continue
        told = " and ".join(f"'{name}'" for name in given[:FACTS])
        reason = f"each value stands for one {told} in several rows, as a number of a person does"
        found[column.name] = replace(
            reports[column.name], role="identifier", reason=reason, understood=True, key=True
        )
    keys = [one for one in columns if one.name in found or reports[one.name].key]
    return {
        # A bill of several lines has one customer, but a customer several bills: these count no people.
        one.name: replace(found[one.name], key=not any(_is_part_of(one, other) for other in keys))
        for one in keys
        if one.name in found
    }


def _is_part_of(column: Column, other: Column) -> bool:
    return _determines(column, other) and not _determines(other, column)


def _repeats(column: Column) -> bool:
    rows = len(column.codes)
    return column.values >= FEWEST_KEYS and rows >= ROWS_EACH * column.values and column.separation >= TELLING


def _determines(key: Column, other: Column) -> bool:
    """Whether rows that share a key nearly all have what is most frequent beside it."""
    values = int(other.codes.max()) + 1
    pairs, sizes = np.unique(key.codes.astype(np.int64) * values + other.codes, return_counts=True)
    most = np.zeros(int(key.codes.max()) + 1, np.int64)
    np.maximum.at(most, pairs // values, sizes)
    shared = np.bincount(key.codes)
    several = shared > 1
    return bool(most[several].sum() >= MOST_CODES * shared[several].sum())
