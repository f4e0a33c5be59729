"""The project file `shoal.toml`: everything a command line can say, so that a release can be made again.

`[table]` holds what all table commands share (the file, roles, hierarchies), `[table.protect]` and so on what
one of them needs; `[graph]` and `[graph.protect]` likewise. Flags override both. Paths are relative to the
project file.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import replace_parameter
from shoal.engines.address import without_password
from shoal.engines.files import write_text
from shoal.jobs.request import (
    SEVERAL,
    Kind,
    Request,
    known,
)
from shoal.tables.column_decisions import ROLES
from shoal.tables.hierarchies.spec import path_in

# What one command has no use for may stand in the section that all share.
PATHS = (
    *("file", "output", "original", "population", "external", "control", "pdf", "mapping", "ledger"),
    *("auxiliary", "seeds", "truth"),
)
COMPARED_ALIKE = ("suppress", "objective", "class-column", "time-limit", "seed", "weight")
# What a command line tells apart and a project file does not.
_FORMS: dict[Kind, Kind] = {"path": "text", "paths": "texts", "columns": "texts", "exact": "number"}
VERBS = (
    *("inspect", "protect", "compare", "verify", "measure", "attack", "matrix", "report", "ask"),
    *("explore", "diff", "mapping"),
)


def load(path: str | Path, request: type[Request]) -> dict[str, Any]:
    """The settings of one request in a project file; a word that it does not know is refused."""
    noun, verb, knows = request.noun, request.verb, known(request)
    try:
        document = tomllib.loads(Path(path).read_text("utf-8-sig"))
    except FileNotFoundError:
        raise BadParameter(f"no project file {path}; check the path given to --config") from None
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        raise BadParameter(f"cannot read {path} as TOML: {str(error).splitlines()[0]}") from error
    if noun not in document:
        raise BadParameter(f"{path} has no section [{noun}]; it has {', '.join(document) or 'nothing'}")
    section = _section(path, noun, document[noun])
    shared = {key: value for key, value in section.items() if key not in VERBS}
    own = _section(path, f"{noun}.{verb}", section.get(verb, {}))
    usual = _section(path, f"{noun}.protect", section.get("protect", {})) if verb == "compare" else {}
    # What a release was asked for holds for its comparison too, but for what is compared.
    usual = {key: value for key, value in usual.items() if key.replace("_", "-") in COMPARED_ALIKE}
    found = {key.replace("_", "-"): value for key, value in {**shared, **usual, **own}.items()}
    for key in own:
        if key.replace("_", "-") not in knows:
            raise BadParameter(f"{path}: [{noun}.{verb}] has no setting '{key}'; it has {', '.join(knows)}")
    everywhere = {*knows, *PATHS, *ROLES, "hierarchy"}
    for key in shared:
        if key.replace("_", "-") not in everywhere:
            raise BadParameter(f"{path}: [{noun}] has no setting '{key}'; it has {', '.join(knows)}")
    used = {key: value for key, value in found.items() if key in knows}
    for key, value in used.items():
        _check(path, key, value, knows[key].kind)
    folder = Path(path).parent

    def there(text: str) -> str:
        if text == "-" or "://" in text or Path(text).is_absolute():
            return text
        return f"{folder / text}{'/' * text.endswith('/')}"  # which makes it a folder

    return {key: _with_paths(key, value, knows[key].kind, there, folder) for key, value in used.items()}


def has_section(path: str | Path, noun: str) -> bool:
    """Whether a project file speaks of a subject, as far as it can be read."""
    try:
        return noun in tomllib.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError):
        return False


def save(path: str | Path, request: type[Request], given: Mapping[str, Any]) -> None:
    """Write the settings of one request as a project file that `load` reads back."""
    write_text(toml_of(request, given, Path(path).parent), path)


def toml_of(request: type[Request], given: Mapping[str, Any], folder: Path) -> str:
    """The settings of one request as the text of a project file in a folder."""
    noun, knows, folder = request.noun, known(request), folder.resolve()

    def here(text: str) -> str:
        return _relative(text, folder)

    # Roles and hierarchies are the table's: verify and measure need them as well.
    shared, own, hierarchies = [f"[{noun}]"], [f"[{noun}.{request.verb}]"], []
    for key, value in given.items():
        if value is None or value == () or value == {}:
            continue
        value = _with_paths(
            key, _as_number(value) if knows[key].kind == "exact" else value, knows[key].kind, here, Path()
        )
        if isinstance(value, Mapping):
            hierarchies = [
                f"[{noun}.{key}]",
                *(f"{toml_value(name)} = {toml_value(spec)}" for name, spec in value.items()),
            ]
            continue
        line = f"{key} = {toml_value(value)}"
        (shared if key in ROLES else own).append(line)
    sections = [section for section in (shared, hierarchies, own) if len(section) > 1]
    lines = [line for section in sections for line in (*section, "")][:-1]
    return "\n".join(lines) + "\n"


def _section(path: str | Path, name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadParameter(f"{path}: [{name}] must be a section, not {value!r}")
    return value


def _check(path: str | Path, key: str, value: Any, kind: Kind) -> None:
    form = _FORMS.get(kind, kind)
    fits = {
        "text": isinstance(value, str),
        "whole": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "numbers": all(
            isinstance(item, int | float | str) and not isinstance(item, bool)
            for item in (value if isinstance(value, list) else [value])
        ),
        "flag": isinstance(value, bool),
        "texts": isinstance(value, str)
        or (isinstance(value, list) and all(isinstance(item, str) for item in value)),
        "mapping": isinstance(value, dict) and all(isinstance(item, str) for item in value.values()),
    }
    wanted = {
        "text": "a text in quotes",
        "whole": "a whole number",
        "number": "a number",
        "flag": "true or false",
        "numbers": "a list such as [2, 5, 10]",
        "texts": 'a list such as ["zip", "age"]',
        "mapping": 'a section of column = "FILE.csv"',
    }
    if not fits[form]:
        raise BadParameter(f"{path}: {key} = {value!r} is not {wanted[form]}")
    if kind in ("path", "paths") and "\0" in "".join(value):
        raise BadParameter(
            f"{path}: {key} has a zero character in it, which no file has in its name; leave it out"
        )


def _with_paths(key: str, value: Any, kind: Kind, change: Callable[[str], str], folder: Path) -> Any:
    """A setting with the paths in it changed; one that may be repeated is a list."""
    several = [value] if kind in SEVERAL and isinstance(value, str) else value
    if kind == "path" or (key == "kinds" and (folder / value).is_file()):  # else it is an attribute of nodes
        return change(value)
    if kind == "paths":
        return [change(path) for path in several]
    if key == "objective" and "(" in value:
        from shoal.tables.appraisal.losses import with_objective_file  # it loads what help does not need

        return with_objective_file(value, change)
    if kind == "mapping":
        return {column: _with_path(spec, change) for column, spec in value.items()}
    return [_with_key_path(spelling, change) for spelling in several] if key == "step" else several


def _with_path(spec: str, change: Callable[[str], str]) -> str:
    """A hierarchy's specification with the path in it changed."""
    path = path_in(spec)
    return spec if path is None else spec.replace(path, change(path))


def _with_key_path(step: str, change: Callable[[str], str]) -> str:
    """A step with the path of its key changed, unless it begins at somebody's home."""
    return replace_parameter(step, "key", lambda path: path if path.startswith("~") else change(path))


def _as_number(value: Any) -> int | float:
    """What is read to its last digit, as a number of TOML, which must keep all of them."""
    exact = Fraction(str(value))
    number = int(exact) if exact.denominator == 1 else float(exact)
    if Fraction(repr(number)) != exact:
        raise BadParameter(f"a project file cannot hold {value} to its last digit; give it as a flag")
    return number


def _relative(path: str, folder: Path) -> str:
    """A path as the project file should say it, so that the folder can move as a whole."""
    if "://" in path:
        return without_password(path)
    if path == "-" or Path(path).is_absolute():
        return path
    return os.path.relpath(Path(path).resolve(), folder) + "/" * path.endswith("/")


def toml_value(value: Any) -> str:
    """A value as TOML says it; a mapping in one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_value(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    # A JSON string is a TOML basic string, but for one control character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
