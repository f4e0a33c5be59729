"""Texts that a spreadsheet would run as formulas, written so that it shows them: `=1+1` as `'=1+1`.

A text is escaped if it begins with one of = + - @, a tab or a line end (or the wide form of the first four),
and is no number; so is one that already has quotes before such a sign. That makes it possible to undo.
"""

from __future__ import annotations

import polars as pl

MARK = "'"
_FORMULA = "^'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_ESCAPED = f"^{MARK}{_FORMULA.removeprefix('^')}"
_NUMBER = r"^[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?$"


def escape_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of texts with a quote before each that could be a formula, names of columns too."""
    texts = [_escape_texts(column) for column in frame]
    return pl.DataFrame(
        dict(zip(_escape_texts(pl.Series(frame.columns, dtype=pl.String)), texts, strict=True))
    )


def unescape_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame that was escaped."""
    texts = [_unescape_texts(column) for column in frame]
    return pl.DataFrame(
        dict(zip(_unescape_texts(pl.Series(frame.columns, dtype=pl.String)), texts, strict=True))
    )


def _escape_texts(texts: pl.Series) -> pl.Series:
    value = pl.col("")
    formula = value.str.contains(_FORMULA) & ~value.str.contains(_NUMBER)
    return _each(texts, pl.when(formula).then(pl.lit(MARK) + value).otherwise(value))


def _unescape_texts(texts: pl.Series) -> pl.Series:
    value = pl.col("")
    return _each(
        texts, pl.when(value.str.contains(_ESCAPED)).then(value.str.slice(len(MARK))).otherwise(value)
    )


def _each(texts: pl.Series, change: pl.Expr) -> pl.Series:
    return pl.DataFrame({"": texts}).select(change.alias("")).to_series()
