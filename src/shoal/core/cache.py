"""Work that is done once: who does much with the same data remembers what was worked out from them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

LARGEST = 64_000_000  # bytes of a result; a larger one is worked out again
MOST = 48  # results; the one that was asked for longest ago is forgotten

_Held = OrderedDict[Hashable, tuple[Any, Any]]
_HELD: ContextVar[_Held | None] = ContextVar("held", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """In here `remembered` functions give the first result again when they are given the very same things."""
    token = _HELD.set(OrderedDict())
    try:
        yield
    finally:
        _HELD.reset(token)


def remembered(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """A function whose results nobody changes, and that looks at nothing but what it is given.

    Texts, numbers and lists of them are the same when they are equal, anything else when it is one object.
    """

    @wraps(function)
    def called(*given: Given.args, **named: Given.kwargs) -> Result:
        held = _HELD.get()
        if held is None:
            return function(*given, **named)
        key = function, _key(given), _key(named)
        if key in held:
            held.move_to_end(key)
            known: Result = held[key][0]
            return known
        result = function(*given, **named)
        if _size(result) <= LARGEST:
            held[key] = result, (given, named)  # what was given stays alive, so that its number stays its own
            if len(held) > MOST:
                held.popitem(last=False)
        return result

    return called


def _key(thing: object) -> Hashable:
    if thing is None or isinstance(thing, str | int | float):
        return type(thing), thing
    if isinstance(thing, tuple | list):
        return tuple(map(_key, thing))
    if isinstance(thing, Mapping):
        return tuple((name, _key(value)) for name, value in thing.items())
    return id(thing)


def _size(result: object) -> int:
    """The bytes of the arrays and frames that a result is made of."""
    parts = [result, *vars(result).values()] if hasattr(result, "__dict__") else [result]
    return sum(
        part.estimated_size() if hasattr(part, "estimated_size") else getattr(part, "nbytes", 0)
        for part in parts
    )
