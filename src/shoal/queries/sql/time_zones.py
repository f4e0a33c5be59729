"""Moments with a time zone: all are in UTC here, on every engine, whatever it is set to."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlglot import exp

_ZONED = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ)
_UTC = ("utc", "etc/utc", "gmt", "etc/gmt", "z", "zulu", "universal", "+00", "+00:00", "00:00")
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    r" ?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)",
    re.ASCII | re.IGNORECASE,
)


def in_universal_time(node: exp.Expr) -> exp.Expr | None:
    """A cast to a moment with a zone, or AT TIME ZONE 'UTC', as what has none; None for all else."""
    if isinstance(node, exp.AtTimeZone):
        zone = node.args.get("zone")
        known = isinstance(zone, exp.Literal) and zone.is_string and zone.name.lower() in _UTC
        return exp.Paren(this=node.this.copy()) if known else None
    target = node.args.get("to")
    if not isinstance(target, exp.DataType) or target.this not in _ZONED or target.expressions:
        return None
    inner = node.this.copy()
    if isinstance(inner, exp.Literal) and inner.is_string:
        inner = exp.Literal.string(_read(inner.name))
    made = exp.TryCast if isinstance(node, exp.TryCast) else exp.Cast
    return made(this=inner, to=exp.DataType.build(exp.DType.TIMESTAMP))


def _read(written: str) -> str:
    """A moment with its zone as the same in UTC; what is none stays as it is, and is refused by name."""
    found = _MOMENT.fullmatch(written.strip())
    if found is None:
        return written
    day, clock, zone = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day} {clock}{zone.upper()}").astimezone(UTC)
    except (ValueError, OverflowError):
        return written
    return moment.replace(tzinfo=None).isoformat(sep=" ")
