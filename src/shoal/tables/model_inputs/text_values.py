"""How Shoal compares values: as text, the missing value as a value of its own."""

import polars as pl

Label = str | None  # None is the missing value


def texts(column: pl.Series) -> pl.Series:
    """A column as Shoal compares it: every value as its text, a missing value as null."""
    return column if column.dtype == pl.String else column.cast(pl.String)
