"""A column as numbers and back: what steps that calculate have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?\s*$"
_DIGITS = r"\.(\d*)\s*$"
_LARGEST = 2.0**63


def column_of(table: Table, column: str, step: str) -> pl.Series:
    """A column by its name, refused when the table does not have it."""
    if column not in table.columns:
        raise BadParameter(f"{step}: no column '{column}'; the table has {', '.join(table.columns)}")
    return table.frame[column]


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of a column: NaN where a value is missing, and how the column writes them."""

    series: pl.Series
    values: NDArray[np.float64]
    digits: int | None  # after the point; None for binary floats, which have no such thing

    @classmethod
    def of(cls, table: Table, column: str, step: str) -> Numbers:
        """A column of numbers, or of texts that all are numbers; anything else is refused."""
        series = column_of(table, column, step)
        if series.dtype.is_integer():
            digits: int | None = 0
        elif isinstance(series.dtype, pl.Decimal):
            digits = series.dtype.scale
        elif series.dtype.is_float():
            digits = None
        else:
            digits = _decimal_digits(series, column, step)
        number = texts(series).str.strip_chars() if series.dtype == pl.String else series
        values = number.cast(pl.Float64).to_numpy().astype(np.float64)
        wrong = ~np.isfinite(values) & series.is_not_null().to_numpy()
        if wrong.any():
            value = texts(series)[int(np.argmax(wrong))]
            raise BadParameter(f"{step}: '{column}' has the value '{value}', which is too large or no number")
        return cls(series, values, digits)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have a value."""
        return ~np.isnan(self.values)

    def written(self, values: NDArray[np.float64], digits: int | None = None) -> pl.Series:
        """Other numbers as this column writes its own: whole ones stay whole, texts stay texts.

        `digits` asks for another number of digits after the point.
        """
        digits = self.digits if digits is None else digits
        rounded = values if digits is None else np.round(values, digits) + 0.0  # no -0
        name, dtype = self.series.name, self.series.dtype
        if dtype == pl.String:
            written = [None if np.isnan(value) else f"{value:.{digits}f}" for value in rounded]
            return pl.Series(name, written, dtype=pl.String)
        found = pl.Series(name, rounded).fill_nan(None)
        if dtype.is_integer() and not digits:
            # The widest type: noise may leave the range of a small one.
            return found.clip(-_LARGEST, np.nextafter(_LARGEST, 0)).cast(pl.Int64)
        return found.cast(dtype) if isinstance(dtype, pl.Decimal) and digits == self.digits else found


def _decimal_digits(series: pl.Series, column: str, step: str) -> int:
    """How many digits after the point the texts of a column have at most; refuses what is no number."""
    if series.dtype not in (pl.String, pl.Null):
        raise BadParameter(f"{step} needs numbers, and '{column}' has the type {series.dtype}")
    text = series.cast(pl.String)
    wrong = text.filter(~text.str.contains(_NUMBER).fill_null(value=True))
    if len(wrong):
        raise BadParameter(f"{step} needs numbers, and '{column}' has the value '{wrong[0]}'")
    if text.str.contains("[eE]").any():
        return 6
    return min(max(text.str.extract(_DIGITS).str.len_chars().drop_nulls().to_list(), default=0), 12)
