"""Any request as the command line that makes the equal one, quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import join_columns
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.request import Kind, Request, known, plain_settings, texts_of

WIDTH = 88


def command_line(job: Request) -> str:
    """The command, in several lines where it is long."""
    words, flags = arguments_of(job)
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
    placed = [word for word in knows if knows[word].placed]
    if job.verb != "ask":  # what is asked of a graph comes after its file, whatever else is asked before it
        placed.sort(key="file".__eq__)
    words += [str(given.pop(word)) for word in placed if word in given]
    flags = [
        flag
        for word, value in given.items()
        for flag in _flags(word, value, knows[word].kind, knows[word].short)
    ]
    flags += _beyond_settings(job)
    if job.verb == "report" and not {"output", "pdf"} & set(given):
        flags.append(["--json"])
    return words, flags


def _refuse_unsayable(job: Any) -> None:
    """What a request holds and its command has no word for."""
    for word in job.flagless:
        if getattr(job, word):
            raise BadParameter(
                f"shoal {' '.join(job.command())} has no flag --{word.replace('_', '-')}; "
                "copy the Python lines or the project file"
            )
    if job.verb == "audit" and (not isinstance(job.subject, str) or job.neighbours or job.time_limit is None):
        raise BadParameter("an audit of a function of yours has no command line; copy the Python lines")
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
        if "file" not in known(type(job)):
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
