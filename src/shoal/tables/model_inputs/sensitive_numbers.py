"""A sensitive column as numbers, for models that measure how far its values are apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label


def numbers(domain: Domain, model: str) -> NDArray[np.float64]:
    """The values of a domain as numbers; refused with the first that is none."""
    found = [_number(value) for value in domain.values]
    for value, number in zip(domain.values, found, strict=True):
        if not np.isfinite(number):
            what = "a missing value" if value is None else repr(value)
            raise BadParameter(
                f"{model} needs numbers, and '{domain.column}' has {what}; "
                "name a numeric sensitive column with column=…"
            )
    return np.array(found, np.float64)


def distinct(counts: ValueCounts, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Different numbers per class: 1 and 1.0 are one."""
    number = np.repeat(np.arange(len(counts.offsets) - 1), np.diff(counts.offsets))
    own = values[counts.values]
    own = own[np.lexsort((own, number))]
    new = np.append(True, own[1:] != own[:-1])
    new[counts.offsets[:-1]] = True
    return np.add.reduceat(new.astype(np.int64), counts.offsets[:-1])


def ranges(counts: ValueCounts, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Largest minus smallest number per class."""
    own, starts = values[counts.values], counts.offsets[:-1]
    return np.asarray(np.maximum.reduceat(own, starts) - np.minimum.reduceat(own, starts))


def _number(value: Label) -> float:
    try:
        return float(value) if value is not None else np.nan
    except ValueError:
        return np.nan
