"""What an attacker knows beforehand about who has which sensitive value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.engines.files import read_frame
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.targets import Targets
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label, texts

Floats = NDArray[np.float64]
WEIGHT = "weight"


@dataclass(frozen=True)
class Hint:
    """One thing known: people like this are `weight` times as likely to have a value; 0 excludes it.

    `when` says for whom: columns and the label that must cover what the person has there; empty for everyone.
    """

    value: Label
    weight: float
    when: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Weights:
    """How likely each value of a domain is beforehand, for each kind of people: one line per opinion."""

    of_kind: Ints  # which line is about each kind
    table: Floats  # line by value


def hints_in(file: str, sensitive: Sequence[str], known: Sequence[str]) -> tuple[str, list[Hint]]:
    """The sensitive column that a file of hints is about, and its lines.

    Its columns are that one, `weight`, and any that are known of people; a blank there means anyone.
    """
    frame = read_frame(file)
    about = [column for column in sensitive if column in frame.columns]
    if WEIGHT not in frame.columns or len(about) != 1:
        raise BadParameter(
            f"{file} has {', '.join(frame.columns)}; it needs one sensitive column "
            f"({' or '.join(sensitive)}) and a column {WEIGHT}, where 0 excludes a value"
        )
    conditions = [column for column in frame.columns if column not in (about[0], WEIGHT)]
    for column in conditions:
        if column not in known:
            raise BadParameter(
                f"{file} speaks of '{column}', which the attacker does not know of anybody; "
                f"known is {', '.join(known)}"
            )
    weights = [_weight(text, file) for text in texts(frame[WEIGHT]).to_list()]
    lines = pl.DataFrame([texts(frame[column]) for column in (about[0], *conditions)]).iter_rows()
    return about[0], [
        Hint(value, weight, tuple((c, v) for c, v in zip(conditions, rest, strict=True) if v is not None))
        for (value, *rest), weight in zip(lines, weights, strict=True)
    ]


def combine_hints(
    hints: Sequence[Hint], domain: Domain, suspects: Targets, hierarchies: Mapping[str, Hierarchy]
) -> Weights:
    """What all hints say together; several about the same person and value are multiplied."""
    place = {value: code for code, value in enumerate(domain.values)}
    spoken = tuple(dict.fromkeys(column for hint in hints for column, _ in hint.when))
    # Few columns are spoken of, so that few kinds are told apart.
    looks = RowClasses.of(suspects.looks, spoken) if spoken else None
    of_kind = np.zeros(len(suspects), np.int64) if looks is None else looks.of_row.astype(np.int64)
    pairs = {
        column: _covering(looks.labels[column], hints, column, hierarchies.get(column))
        for column in spoken
        if looks is not None
    }
    # Looks of which the same hints hold share a line, split hint by hint.
    line, true = np.zeros(1 if looks is None else len(looks), np.int64), []
    for hint in hints:
        if hint.value not in place:
            continue
        holds = np.ones(len(line), np.bool_)
        for column, label in hint.when:
            assert looks is not None
            meant = pl.Series(pairs[column].get(label, []), dtype=pl.String)
            holds &= looks.labels[column].is_in(meant.implode(), nulls_equal=True).to_numpy()
        line = np.unique(line * 2 + holds, return_inverse=True)[1]
        true.append((hint, holds))
    table = np.ones((int(line.max(initial=0)) + 1, len(place)))
    for hint, holds in true:
        table[np.unique(line[holds]), place[hint.value]] *= hint.weight
    return Weights(line[of_kind], table)


def _covering(
    values: pl.Series, hints: Sequence[Hint], column: str, hierarchy: Hierarchy | None
) -> dict[str, list[Label]]:
    """What people may have in a column, by the labels of the hints that stand for it."""
    labels = pl.Series([label for hint in hints for name, label in hint.when if name == column])
    found: dict[str, list[Label]] = {}
    for value, label in covered_values(values, labels, hierarchy).iter_rows():
        found.setdefault(label, []).append(value)
    return found


def _weight(text: str | None, file: str) -> float:
    try:
        weight = float(text) if text is not None else np.nan
    except ValueError:
        weight = np.nan
    if not 0 <= weight < np.inf:
        raise BadParameter(
            f"{file} has the weight {text!r}; a weight is a number from 0 on: 0 excludes, 1 says nothing"
        )
    return weight
