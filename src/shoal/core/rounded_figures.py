"""Figures as they may go out: three digits, as more could confirm a guess; shares in per cent."""

from __future__ import annotations

import math
from collections.abc import Mapping

from shoal.core.outcome import Json

DIGITS = 3
THIN = "\u202f"  # a narrow space that does not break


def round_figure(value: float) -> float:
    """A number to three significant digits; a whole number stays one."""
    if not value or not math.isfinite(value):
        return value
    # By way of decimal text: a product of powers of ten would show digits of its own.
    found = float(f"{value:.{DIGITS - 1}e}")
    return int(found) if isinstance(value, int) else found


def round_figures(document: Json) -> Json:
    """A JSON document with every number in it to three significant digits."""
    if isinstance(document, bool | str) or document is None:
        return document
    if isinstance(document, int | float):
        return round_figure(document)
    if isinstance(document, Mapping):
        return {name: round_figures(inner) for name, inner in document.items()}
    return [round_figures(inner) for inner in document]


def per_cent(value: float) -> str:
    """A share in per cent; something is never rounded to nothing, nor nearly all to all."""
    if 0 < value < 0.0005:
        return f"<{THIN}0.1{THIN}%"
    if 0.9995 < value < 1:
        return f">{THIN}99.9{THIN}%"
    digits = 0 if value in (0, 1) else 1
    return f"{100 * value:.{digits}f}{THIN}%"
