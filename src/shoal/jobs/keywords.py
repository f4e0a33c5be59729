"""Keyword arguments that nobody knows get one sentence with the nearest name, as flags do."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any, TypeVar

from shoal.core.errors import BadParameter

Columns = str | Sequence[str]  # as a user may name them
Asked = TypeVar("Asked", bound=Any)
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


def request_of(request: type[Asked], data: Any, options: Mapping[str, Any], what: str = "") -> Asked:
    """A request from the keyword arguments of a function."""
    check_words(what or f"a {request.noun}", request.verb, _words(request), options)
    made: Asked = request(data=data, **options)
    return made


def requested(request: type[Asked], arguments: Mapping[str, Any]) -> Asked:
    """A request from all arguments of a function that names them."""
    named = {word: arguments[word] for word in ("data", *_words(request)) if word in arguments}
    made: Asked = request(**named)
    return made


def words_of(request: type[Any]) -> Callable[[Function], Function]:
    """The same function; a keyword argument that its request does not have is told in one sentence."""

    def decorate(function: Function) -> Function:
        own = inspect.signature(function).parameters

        @functools.wraps(function)
        def called(*given: Any, **options: Any) -> Any:
            unknown = [word for word in options if word not in own]
            check_words(f"a {request.noun}", request.verb, _words(request), unknown)
            return function(*given, **options)

        return called  # type: ignore[return-value]

    return decorate


def signed(*requests: type[Any]) -> Callable[[Function], Function]:
    """The same function; a notebook sees the words of the requests, which its overloads spell out."""

    def decorate(function: Function) -> Function:
        own = inspect.signature(function)
        named = {one.name: one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD}
        for one in (one for request in requests for one in fields(request)):
            default = None if one.default is MISSING else one.default
            word = inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default)
            named.setdefault(one.name, word)
        function.__signature__ = own.replace(parameters=list(named.values()))  # type: ignore[attr-defined]
        return function

    return decorate


def worded(function: Function) -> Function:
    """The same function; a keyword argument that it does not have is told in one sentence."""
    takes = inspect.signature(function).parameters.values()
    known = [one.name for one in takes if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]

    @functools.wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        check_words(function.__name__, "it", known, options)
        return function(*given, **options)

    return called  # type: ignore[return-value]


def _words(request: type[Any]) -> list[str]:
    return [field.name for field in fields(request) if field.name != "data"]
