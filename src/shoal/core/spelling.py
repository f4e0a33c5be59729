"""A part of the catalog as a user writes it: `name(param=value,…)`."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from typing import Any

from shoal.core.errors import BadParameter

_CALL = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:\((.*)\)\s*)?", re.DOTALL)


def spell(part: Any) -> str:
    """The shortest spelling of a part: parameters that differ from their defaults."""
    given = []
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if value != field.default:
            given.append(f"{_written(field.name)}={_text(value)}")
    return f"{part.name}({','.join(given)})" if given else str(part.name)


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a spelling, still as text."""
    found = _CALL.fullmatch(text)
    if not found:
        raise BadParameter(f"cannot read '{text}'; write name(param=value,…), as in k-anonymity(k=5)")
    given: dict[str, str] = {}
    for piece in filter(str.strip, (found[2] or "").split(",")):
        key, sign, value = piece.partition("=")
        if not sign:
            raise BadParameter(f"'{piece.strip()}' in '{text}' is not param=value, as in k-anonymity(k=5)")
        given[key.strip()] = value.strip()
    return found[1], given


def build(cls: type[Any], given: dict[str, str]) -> Any:
    """A part from its class and parameters as text."""
    hints = typing.get_type_hints(cls)
    fields = {_written(field.name): field for field in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for key, text in given.items():
        field = fields.get(key.replace("_", "-")) or fields.get(key)
        if field is None:
            known = ", ".join(fields) or "none"
            raise BadParameter(f"{cls.name} has no parameter '{key}'; it has {known}")
        values[field.name] = _value(text, hints[field.name], f"{cls.name}({key}={text})")
    for key, field in fields.items():
        if field.name not in values and field.default is dataclasses.MISSING:
            raise BadParameter(f"{cls.name} needs {key}; write {cls.name}({key}=…)")
    return cls(**values)


def parameters(cls: type[Any]) -> str:
    """The signature of a part, for the catalog."""
    shown = []
    for field in dataclasses.fields(cls):
        needed = field.default is dataclasses.MISSING or field.default is None
        shown.append(_written(field.name) if needed else f"{_written(field.name)}={_text(field.default)}")
    return ", ".join(shown)


def _written(name: str) -> str:
    return name.replace("_", "-")


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "|".join(map(str, value))
    return (
        f"{value:g}"
        if isinstance(value, float) and f"{value:g}" == str(float(f"{value:g}")).removesuffix(".0")
        else str(value)
    )


def _value(text: str, hint: Any, where: str) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(text, next(option for option in inner if option is not type(None)), where)
    if origin is tuple:
        return tuple(_value(piece, inner[0], where) for piece in text.split("|"))
    if origin is typing.Literal or hint is str:
        return text
    try:
        return hint(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}.get(hint, "a value")
        raise BadParameter(f"{where}: '{text}' is not {kind}") from None
