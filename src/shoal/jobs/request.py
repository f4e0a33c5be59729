"""Requests: a field is written once, and is keyword argument, flag and word of the project file.

A field without `setting` is for Python alone. Keyword arguments that nobody knows get one sentence with the
nearest name, as flags do.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell

Kind = Literal[
    "text",
    "texts",  # repeatable on a command line
    "columns",  # a,b,c there, and a list in a project file
    "path",  # relative to the project file
    "paths",
    "mapping",  # COLUMN=SPEC there, repeatable
    "whole",
    "number",
    "numbers",  # 2,5,10 there
    "exact",  # a number that is read to its last digit
    "flag",
]
SEVERAL: tuple[Kind, ...] = ("texts", "paths")


@dataclass(frozen=True)
class Setting:
    """How a command line asks for a field, and what a project file may say in its place."""

    kind: Kind
    help: str
    metavar: str | None = None
    short: str | None = None
    placed: bool = False  # known by its place on the command line, not by a flag
    last: bool = False  # shown after the others: how to read, not what to do


def setting(
    default: Any,
    kind: Kind,
    help: str,
    *,
    metavar: str | None = None,
    short: str | None = None,
    placed: bool = False,
    last: bool = False,
) -> Any:
    """A field that is a flag and a word of the project file too; a function makes its default."""
    told = {"setting": Setting(kind, help, metavar, short, placed, last)}
    if callable(default):
        return field(default_factory=default, metadata=told)
    return field(default=default, metadata=told)


def known(request: type[Request]) -> dict[str, Setting]:
    """The settings of a request by their words in flags and project files, as in `time-limit`."""
    words = {"file" if one.name == "data" else one.name.replace("_", "-"): one for one in fields(request)}
    return {word: one.metadata["setting"] for word, one in words.items() if one.metadata}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What every request has: where the data are, and how to read them."""

    noun: ClassVar[str]
    verb: ClassVar[str]
    flagless: ClassVar[tuple[str, ...]] = ()  # settings that its command has no use for, and no flag
    filed: ClassVar[bool] = True  # whether a project file has a section for it

    data: Any = None
    separator: str | None = setting(
        None, "text", "The separator of text files, when detection is wrong.", last=True
    )
    encoding: str | None = setting(
        None, "text", "The encoding of text files, when detection is wrong.", last=True
    )

    @classmethod
    def command(cls) -> tuple[str, ...]:
        """The words of its command, after `shoal`."""
        return (cls.noun, cls.verb)

    def _several(self, *names: str) -> None:
        """One value is a list of one."""
        for name in names:
            value = getattr(self, name)
            object.__setattr__(self, name, tuple(value) if isinstance(value, list | tuple) else (value,))


def plain_settings(job: Request) -> dict[str, Any]:
    """The settings of a request that differ from the defaults, by their words, as a project file has them."""
    found: dict[str, Any] = {}
    for one in fields(job):
        value = getattr(job, one.name)
        usual = one.default_factory() if one.default_factory is not MISSING else one.default
        if "setting" not in one.metadata or (type(value) is type(usual) and value == usual):
            continue
        word = "file" if one.name == "data" else one.name.replace("_", "-")
        found[word] = _plain(value, word, one.metadata["setting"].kind)
    return found


def _plain(value: Any, word: str, kind: Kind) -> Any:
    """A setting as text and numbers; what is in memory only is refused."""
    if isinstance(value, Mapping):
        pairs = {str(name): _plain(one, f"{word} of {name}", "text") for name, one in value.items()}
        return pairs if kind == "mapping" else texts_of(pairs, word)
    if isinstance(value, list | tuple):
        return [_plain(one, word, kind) for one in value]
    from shoal.core.contract import Named  # it loads NumPy, which help does not need

    if isinstance(value, Named):
        return spell(value)
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, PathLike):
        return str(value)
    if kind == "exact":
        return str(value)
    raise BadParameter(f"{word} is in memory only ({type(value).__name__}); write it to a file and name that")


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


def request_from_arguments(request: type[Asked], arguments: Mapping[str, Any]) -> Asked:
    """A request from all arguments of a function that names them."""
    named = {word: arguments[word] for word in ("data", *_words(request)) if word in arguments}
    made: Asked = request(**named)
    return made


def check_keywords(function: Function, request: type[Any] | None = None) -> Function:
    """The same function; a keyword argument that it does not have is told in one sentence."""
    own = inspect.signature(function).parameters
    what, verb, known = function.__name__, "it", list(own)
    if request is not None:
        what, verb, known = f"a {request.noun}", request.verb, _words(request)

    @functools.wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        check_words(what, verb, known, [word for word in options if word not in own])
        return function(*given, **options)

    return called  # type: ignore[return-value]


def words_of(request: type[Any]) -> Callable[[Function], Function]:
    """The same for a function that takes the words of a request."""
    return functools.partial(check_keywords, request=request)


def with_signatures_of(*requests: type[Any]) -> Callable[[Function], Function]:
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


def _words(request: type[Any]) -> list[str]:
    return [field.name for field in fields(request) if field.name != "data"]


def numbers_in(value: object, name: str, kind: type[int] | type[float]) -> tuple[Any, ...]:
    """Numbers to try, from `2,5,10`, one number, or a list; each only once."""
    if value is None:
        return ()
    pieces = value.split(",") if isinstance(value, str) else value
    several = pieces if isinstance(pieces, list | tuple) else [pieces]
    found = []
    for piece in several:
        try:
            whole = kind is int and isinstance(piece, float)
            if isinstance(piece, bool) or whole or not isinstance(piece, str | int | float):
                raise ValueError
            found.append(kind(piece))
        except ValueError:
            wanted = "whole numbers such as 2,5,10" if kind is int else "shares such as 0,0.05"
            raise BadParameter(f"--{name} takes {wanted}, not {piece!r}") from None
    return tuple(dict.fromkeys(found))


def weights_in(value: object) -> dict[str, float]:
    """Weights of columns from a mapping, or from texts such as `age=2`."""
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple):
        split = [str(text).rpartition("=") for text in given]
        given = {name.strip().strip('"'): weight for name, _, weight in split}
    if not isinstance(given, Mapping):
        raise BadParameter(f"--weight takes COLUMN=NUMBER, as in age=2, not {value!r}")
    found = {}
    for column, weight in given.items():
        try:
            found[str(column)] = float(weight)
            if not column or not 0 <= float(weight) < math.inf:
                raise ValueError
        except (TypeError, ValueError):
            said = f"{column}={weight}" if column else f"{weight}"
            raise BadParameter(f"--weight takes COLUMN=NUMBER from 0 on, as in age=2, not {said!r}") from None
    return found


@dataclass(frozen=True, kw_only=True)
class ReportRequest(Request):
    """Tell all there is to tell about one release, for somebody who decides and signs."""

    verb: ClassVar[str] = "report"

    data: Any = setting(
        None, "path", "The release, with its manifest beside it.", metavar="RELEASE", placed=True
    )
    output: str | Path | None = setting(None, "path", "Where to write it: .html, or .pdf.", short="-o")
    pdf: str | Path | None = setting(None, "path", "Write it as PDF too.")
    title: str | None = setting(None, "text", "The title, in place of the file's name.")
    original: Any = setting(
        None, "path", "What the release was made from: attacks before, and what was lost."
    )
    attack: tuple[str, ...] = setting((), "texts", "Try only this attack of `shoal catalog`. Repeatable.")
    time_limit: float = setting(
        300.0, "number", "Seconds after which attacks end; what was not finished is named. Default: 300."
    )
    made: str | None = None  # the day of the report, today if not given

    @classmethod
    def command(cls) -> tuple[str, ...]:
        return (cls.verb,)

    def _check_report(self) -> None:
        self._several("attack")
        if not isinstance(self.data, str | Path) or str(self.data) == "-":
            raise BadParameter("a report is about a file with a fingerprint; name the release, not -")
        if not isinstance(self.time_limit, int | float) or not self.time_limit > 0:
            raise BadParameter(f"--time-limit is a number of seconds above 0, not {self.time_limit}")


def texts_of(value: Any, word: str) -> list[str]:
    """What is said by name, as in `age=0:120`, from texts or from a mapping."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [f"{name}={_pair_value(one, word)}" for name, one in value.items()]
    return [str(one) for one in (value if isinstance(value, list | tuple) else [value])]


def _pair_value(value: Any, word: str) -> str:
    if isinstance(value, list | tuple):
        return (":" if word == "bounds" else ",").join(map(str, value))
    if not isinstance(value, str | int | float) and not isinstance(value, PathLike):
        raise BadParameter(
            f"'{word}' is in memory only ({type(value).__name__}); write it to a file and name that"
        )
    return str(value)
