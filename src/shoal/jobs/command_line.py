"""Any request as the command line that makes the equal one, quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import join_columns
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.request import Kind, Request, known, plain_settings

TOKEN = "SHOAL_TOKEN"
WIDTH = 88


def command_line(job: Any) -> str:
    """The command, in several lines where it is long."""
    words, flags = arguments_of(job) if isinstance(job, Request) else _QUERIES[job.verb](job)
    for piece in (*words, *(piece for flag in flags for piece in flag)):
        if "\0" in piece:
            raise BadParameter("a command line cannot hold a zero character; copy the Python lines")
    loose = [word for word in words if word.startswith("-") and word != "-"]
    if loose:  # what begins like a flag comes after all flags
        plain = words[: words.index(loose[0])]
        flags = [*flags, ["--", *words[len(plain) :]]]
        words = plain
    groups = [shlex.join(words), *(shlex.join(flag) for flag in flags)]
    line = " ".join(groups)
    return line if len(line) <= WIDTH else " \\\n  ".join(groups)


Line = tuple[list[str], list[list[str]]]  # what is known by its place, and the flags with their values


def arguments_of(job: Request) -> Line:
    """What is typed for a request."""
    _refuse_unsayable(job)
    given, knows = plain_settings(job), known(type(job))
    words = ["shoal", *job.command()]
    # By place: what is asked for an attack or ε comes before the file, what is asked of a graph after it.
    order = ("file", "mechanism") if "mechanism" in knows else ("attack", "question", "file")
    words += [str(given.pop(word)) for word in order if word in given and knows[word].placed]
    flags = [
        flag
        for word, value in given.items()
        for flag in _flags(word, value, knows[word].kind, knows[word].short)
    ]
    flags += _beyond_settings(job)
    if job.verb == "report" and not {"output", "pdf"} & set(given):
        flags.append(["--json"])
    return words, flags


def _refuse_unsayable(job: Request) -> None:
    """What a request holds and its command has no word for."""
    for word in job.flagless:
        if getattr(job, word):
            raise BadParameter(
                f"shoal {' '.join(job.command())} has no flag --{word.replace('_', '-')}; "
                "copy the Python lines or the project file"
            )
    if job.verb == "protect" and vars(job).get("output") is None:
        raise BadParameter(
            "a release in memory has no command line; name an output, or copy the Python lines"
        )
    if vars(job).get("made") is not None:
        raise BadParameter(
            "the command line dates a report today; leave `made` out, or copy the Python lines"
        )
    if job.verb == "report" and job.noun != "query":
        given = {word.replace("-", "_"): value for word, value in plain_settings(job).items()}
        if about_graph(job.data, given) != (job.noun == "graph"):
            raise BadParameter(
                f"the command line would not take '{job.data}' for a {job.noun}; copy the Python lines"
            )


def _beyond_settings(job: Any) -> list[list[str]]:
    """Flags that are no settings of a project file."""
    found = [["--yes"]] if vars(job).get("yes") else []
    if job.noun == "query":
        found += [_flag("--data", text) for text in texts_of(vars(job).get("data"), "data")]
        if vars(job).get("config") is not None:
            found.append(_flag("--config", str(job.config)))
    return found


def _flags(word: str, value: Any, kind: Kind, short: str | None = None) -> Iterable[list[str]]:
    """One setting as flags."""
    name = f"--{word}"
    if kind == "flag":
        if not value:
            raise BadParameter(f"the command line cannot say {word} = false; copy the project file")
        return [[name]]
    if kind == "mapping":
        return [_flag(name, f"{_pair_name(column)}={spec}") for column, spec in value.items()]
    if kind in ("texts", "paths"):
        return [_flag(name, text) for text in texts_of(value, word)]
    if kind == "columns":
        return [_flag(name, join_columns(value))]
    if kind == "numbers":
        return [_flag(name, ",".join(map(repr, value)))]
    return [_flag(name, str(value), short)]


def _flag(name: str, value: str, short: str | None = None) -> list[str]:
    return [f"{name}={value}"] if value.startswith("-") and value != "-" else [short or name, value]


def _pair_name(column: str) -> str:
    """A column before an equals sign: in double quotes where it holds one, or begins like quotes."""
    if "=" in column or column.startswith('"'):
        return '"' + column.replace('"', '""') + '"'
    return column


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


def _declared(given: Mapping[str, Any]) -> list[list[str]]:
    """What is declared about data that are asked."""
    found: list[list[str]] = []
    for word, value in given.items():
        if value is None:
            continue
        if word in ("data", "public", "bounds", "keys", "kind", "parent"):
            found += [_flag(f"--{word}", text) for text in texts_of(value, word)]
        else:
            found.append(_flag(f"--{word}", str(value)))
    return found


def _ask(job: Any) -> Line:
    flags = _declared(job.given)
    for word in ("epsilon", "delta", "budget", "ledger", "chart", "config", "dataset", "service"):
        if getattr(job, word) is not None:
            flags.append(_flag(f"--{word}", str(getattr(job, word))))
    return ["shoal", "query", "ask", job.sql], [*flags, *([["--estimate"]] if job.estimate else [])]


def _audit(job: Any) -> Line:
    if not isinstance(job.subject, str) or job.neighbours is not None or job.time_limit is None:
        raise BadParameter("an audit of a function of yours has no command line; copy the Python lines")
    flags = _declared(job.given)
    for word in ("epsilon", "delta", "without", "samples", "confidence", "time_limit"):
        if getattr(job, word) is not None:
            flags.append(_flag(f"--{word.replace('_', '-')}", str(getattr(job, word))))
    return ["shoal", "query", "audit", job.subject], flags


def _learn(job: Any) -> Line:
    flags = [_flag("--bounds", text) for text in texts_of(job.bounds, "bounds")]
    for word in ("label", "budget", "ledger"):
        if getattr(job, word) is not None:
            flags.append(_flag(f"--{word}", str(getattr(job, word))))
    return ["shoal", "query", "learn", str(job.mechanism), str(job.data)], flags


_QUERIES: dict[str, Callable[[Any], Line]] = {"ask": _ask, "audit": _audit, "learn": _learn}
