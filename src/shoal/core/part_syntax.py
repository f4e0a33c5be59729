"""What users write: a part of the catalog as `name(param=value,…)`, columns as `a,b`.

A text that holds a comma or another sign of this grammar stands in double quotes: `column="a,b"`.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from shoal.core.errors import BadParameter

_CALL = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_PIECE = re.compile(r'(?:(?<=[=|])"(?:[^"]|"")*"|[^,])+')
_ITEM = re.compile(r'(?:^|\|)((?:"(?:[^"]|"")*"|[^|])*)')
_SPECIAL = re.compile(r'[,"|]|^\s|\s$|^$')


def spell(part: Any) -> str:
    """The shortest spelling of a part: parameters that differ from their defaults."""
    given = []
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if value != field.default:
            given.append(f"{_quote_if_needed(field.name)}={_text(value)}")
    return f"{part.name}({','.join(given)})" if given else str(part.name)


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a spelling, still as text."""
    found = _CALL.fullmatch(text)
    if not found:
        raise BadParameter(f"cannot read '{text}'; write name(param=value,…), as in k-anonymity(k=5)")
    given: dict[str, str] = {}
    for piece in filter(str.strip, _PIECE.findall(found[2] or "")):
        key, sign, value = (word.strip() for word in piece.partition("="))
        if not sign:
            raise BadParameter(f"'{piece.strip()}' in '{text}' is not param=value, as in k-anonymity(k=5)")
        if key in given:
            raise BadParameter(f"'{text}' names {key} twice, as {given[key]} and {value}; keep one")
        given[key] = value
    return found[1], given


def build(cls: type[Any], given: dict[str, str]) -> Any:
    """A part from its class and parameters as text."""
    hints = _types(cls)  # type: ignore[arg-type]  # mypy takes no class for hashable
    fields = {_quote_if_needed(field.name): field for field in dataclasses.fields(cls)}
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


@functools.cache
def _types(cls: type[Any]) -> dict[str, Any]:
    """The type of each parameter; reading them from their texts takes longer than all else here."""
    return typing.get_type_hints(cls)


def replace_parameter(text: str, key: str, change: Callable[[str], str]) -> str:
    """The same spelling with one parameter's text changed, where it is given."""
    name, given = split(text)
    if key not in given:
        return text
    given[key] = _text(change(_unquote(given[key])))
    return f"{name}({','.join(f'{word}={value}' for word, value in given.items())})"


def parameters(cls: type[Any]) -> str:
    """The signature of a part, for the catalog."""
    shown = []
    for field in dataclasses.fields(cls):
        needed = field.default is dataclasses.MISSING or field.default is None
        shown.append(
            _quote_if_needed(field.name)
            if needed
            else f"{_quote_if_needed(field.name)}={_text(field.default)}"
        )
    return ", ".join(shown)


def _quote_if_needed(name: str) -> str:
    return name.replace("_", "-")


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "|".join(map(_text, value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    text = str(value)
    return _in_quotes(text) if _SPECIAL.search(text) else text


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _unquote(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if quoted else text


def _value(text: str, hint: Any, where: str) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(text, next(option for option in inner if option is not type(None)), where)
    if origin is tuple:
        return tuple(_value(item, inner[0], where) for item in _ITEM.findall(text) if text)
    if origin is typing.Literal or hint is str:
        return _unquote(text)
    if hint is bool:
        if text.lower() not in ("true", "false"):
            raise BadParameter(f"{where}: '{text}' is neither true nor false")
        return text.lower() == "true"
    if hint in (float, Fraction) and text.endswith("%"):
        return _value(text[:-1].strip(), hint, where) / 100
    try:
        return hint(text)
    except (ValueError, ZeroDivisionError):
        kind = {int: "a whole number", float: "a number", Fraction: "a number"}.get(hint, "a value")
        raise BadParameter(f"{where}: '{text}' is not {kind}") from None


# A name with a comma, or with a space at an end, stands in double quotes: zip,"city, state".
_LISTED = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)')


def columns_of(value: object) -> tuple[str, ...]:
    """Column names from `a,b`, a list, or nothing."""
    if value is None:
        return ()
    if isinstance(value, str):
        pieces = _LISTED.finditer(value)
        found = (piece[2] if piece[1] is None else piece[1].replace('""', '"') for piece in pieces)
        return tuple(name for name in found if name)
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise BadParameter(f"column names are text such as zip,age, not {value!r}")


def join_columns(columns: Iterable[str]) -> str:
    """Column names as `columns_of` reads them."""
    plain = re.compile(r'[^\s",]([^",]*[^\s",])?')
    return ",".join(name if plain.fullmatch(name) else _in_quotes(name) for name in columns)
