"""Keyword arguments that nobody knows get one sentence with the nearest name, as flags do."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar

from shoal.core.errors import BadParameter

Request = TypeVar("Request", bound=Any)
Function = TypeVar("Function", bound=Callable[..., Any])


def check_words(what: str, verb: str, known: Iterable[str], given: Iterable[str]) -> None:
    """Refuse a word that is not known, and say which one was perhaps meant and which ones there are."""
    known = list(known)
    for word in given:
        if word in known:
            continue
        near = get_close_matches(word.replace("-", "_"), known, 1)
        meant = f" (did you mean '{near[0]}'?)" if near else ""
        raise BadParameter(f"{what} knows no '{word}'{meant}; {verb} takes {', '.join(known)}")


def request_of(
    request: type[Request], data: Any, options: Mapping[str, Any], what: str = "a table"
) -> Request:
    """A request from the keyword arguments of a function."""
    known = [field.name for field in fields(request) if field.name != "data"]
    check_words(what, request.verb, known, options)
    made: Request = request(data=data, **options)
    return made


def worded(function: Function) -> Function:
    """The same function; a keyword argument that it does not have is told in one sentence."""
    takes = inspect.signature(function).parameters.values()
    known = [one.name for one in takes if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]

    @functools.wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        check_words(function.__name__, "it", known, options)
        return function(*given, **options)

    return called  # type: ignore[return-value]
