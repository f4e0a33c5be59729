"""The same job elsewhere: any request as a command line, as lines of Python and as a project file.

What a browser does can so be done again without one. What a form cannot say is refused in one sentence, and
never left out: the copy makes the equal request, or there is none. `decided` alone stays behind: whoever runs
a copy decides about the columns themselves, by flags or by a project file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Literal

from shoal.core.contract import Named
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell
from shoal.jobs.command_line import command_line
from shoal.jobs.config import toml_of
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.queries.is_query_call import about_query
from shoal.jobs.queries.question_requests import TOKEN
from shoal.jobs.request import Request, plain_settings

Form = Literal["command", "python", "toml"]
PROJECT = "shoal.toml"
WIDTH = 88
# The functions that make a request of their words, where they are not called like the verb.
_FUNCTIONS: dict[tuple[str, str], str] = {
    **{("table", verb): verb for verb in ("protect", "verify", "measure", "inspect", "compare", "attack")},
    **{("graph", verb): verb for verb in ("protect", "verify", "measure", "attack")},
    **{("table", verb): verb for verb in ("explore", "diff")},
    ("table", "mapping"): "map_values",
    ("graph", "ask"): "ask_graph",
    ("graph", "matrix"): "attack_matrix",
    ("query", "attack"): "attack",
    ("query", "epsilon"): "choose_epsilon",
}
# What such a function takes by its place, after the data.
_PLACED = {"attack": "attack", "ask_graph": "mechanism", "diff": "original"}
_ENVIRONMENT = f'os.environ["{TOKEN}"]'


@dataclass(frozen=True)
class Copy:
    """A job in one form; `text` is empty where the form cannot say it, and `refusal` tells why."""

    form: Form
    text: str
    refusal: str = ""


def copies_of(job: Any, folder: str | Path = ".") -> tuple[Copy, ...]:
    """A job in every form; paths in the project file are relative to its folder."""
    makers: dict[Form, Callable[[Any], str]] = {
        "command": command_line,
        "python": python_lines,
        "toml": partial(project_file, folder=folder),
    }
    found = []
    for form, make in makers.items():
        try:
            found.append(Copy(form, make(job)))
        except BadParameter as error:
            found.append(Copy(form, "", str(error)))
    return tuple(found)


def project_file(job: Any, folder: str | Path = ".") -> str:
    """The project file of a job; a comment at its head is the command that carries it out."""
    if (job.noun, job.verb) == ("query", "ask"):
        from shoal.jobs.queries.project_text import project_text

        return project_text(job, Path(folder), PROJECT)
    if not isinstance(job, Request) or not job.filed:
        raise BadParameter(
            f"a project file has no section for {job.noun} {job.verb}; copy the command line or Python"
        )
    given = plain_settings(job)
    command = [
        "shoal",
        *job.command(),
        "--config",
        PROJECT,
        *(["--yes"] if vars(job).get("yes") else []),
    ]
    text = toml_of(type(job), given, Path(folder))
    return f"# {' '.join(command)}\n\n{text}"


def python_lines(job: Any) -> str:
    """Lines of Python that make and carry out the equal request."""
    given = {
        one.name: getattr(job, one.name)
        for one in fields(job)
        if one.name not in ("data", "decided") and not _is_default(one, getattr(job, one.name))
    }
    data = vars(job).get("data")
    lines, token = [], given.pop("token", None)
    words = {name: _literal(value, name) for name, value in given.items()}
    if token is not None:  # a secret is named, never copied
        words["token"] = _ENVIRONMENT
        lines += ["import os", ""]
    function = _function_of(job, data, given)
    if function is None:
        module, cls = type(job).__module__, type(job).__name__
        named = ([] if data is None else [f"data={_literal(data, 'data')}"]) + _keywords(words)
        lines += _run_lines(job, module, cls, named)
        return "\n".join(lines) + "\n"
    placed = [_literal(data, "data")]
    if function == "choose_epsilon":
        placed = [words.pop("question", "None"), *placed]
    if function in _PLACED:
        placed.append(words.pop(_PLACED[function]))
    lines += ["import shoal", "", _call(f"result = shoal.{function}", [*placed, *_keywords(words)])]
    return "\n".join(lines) + "\n"


def _run_lines(job: Any, module: str, cls: str, named: list[str]) -> list[str]:
    """The request itself, for verbs that have no function of their own."""
    home, runner = ("shoal.jobs", "run")
    if job.verb == "report":
        home, runner = (
            ("shoal.report.owner_report", "make_owner_report")
            if job.noun == "query"
            else ("shoal.report.document", "make_report")
        )
    imports = sorted([f"from {home} import {runner}", f"from {module} import {cls}"])
    return [*imports, "", _call(f"job = {cls}", named), f"result = {runner}(job)"]


def _function_of(job: Any, data: Any, given: Mapping[str, Any]) -> str | None:
    """The function of `shoal` that makes this very request of these words, if there is one."""
    function = _FUNCTIONS.get((job.noun, job.verb))
    if function in ("protect", "verify", "measure", "attack") and not _is_found(job, data, given):
        return None
    return function


def _is_found(job: Any, data: Any, given: Mapping[str, Any]) -> bool:
    """Whether a function for several subjects would see which one is meant."""
    try:
        if job.verb == "attack" and about_query(job.attack):
            return bool(job.noun == "query")
        noun = "graph" if about_graph(data, given) else "table"
        return bool(job.noun == noun)
    except BadParameter:  # a part that nobody knows; carrying out the request will tell
        return False


def _is_default(one: Any, value: Any) -> bool:
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    # 1 and 1.0 are equal, and a table of settings must not tell them apart; True and 1 are not alike.
    return type(value) is type(default) and bool(value == default)


def _keywords(words: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in words.items()]


def _call(head: str, arguments: list[str]) -> str:
    line = f"{head}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{head}(", *(f"    {argument}," for argument in arguments), ")"])


def _literal(value: Any, name: str) -> str:
    """A value as Python reads it."""
    if isinstance(value, Named):  # a part of the catalog
        return repr(spell(value))
    if isinstance(value, Path):
        return repr(str(value))
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_literal(item, name)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        inside = ", ".join(_literal(item, name) for item in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    raise BadParameter(
        f"{'file' if name == 'data' else name.replace('_', '-')} is in memory only ({type(value).__name__}); "
        "write it to a file and name that"
    )
