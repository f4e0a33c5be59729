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
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.core.spelling import respelled
from shoal.engines.local import write_text
from shoal.jobs.tables import path_in

ROLES = ("identifier", "quasi", "sensitive", "insensitive")
PATHS = ("file", "output", "original", "population", "external", "control", "pdf", "mapping", "ledger")
COMPARED_ALIKE = ("suppress", "objective", "class-column", "time-limit", "seed")
VERBS = ("inspect", "protect", "compare", "verify", "measure", "attack", "report", "ask")


def load(path: str | Path, noun: str, verb: str, known: Mapping[str, str]) -> dict[str, Any]:
    """The settings of one command in a project file; a word that no flag knows is refused."""
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
        if key.replace("_", "-") not in known:
            raise BadParameter(f"{path}: [{noun}.{verb}] has no setting '{key}'; it has {', '.join(known)}")
    everywhere = {*known, *PATHS, *ROLES, "hierarchy"}
    for key in shared:
        if key.replace("_", "-") not in everywhere:
            raise BadParameter(f"{path}: [{noun}] has no setting '{key}'; it has {', '.join(known)}")
    settings = {key: value for key, value in found.items() if key in known}
    for key, value in settings.items():
        _check(path, key, value, known[key])
    return _resolved(settings, Path(path).parent)


def save(path: str | Path, noun: str, verb: str, settings: Mapping[str, Any]) -> None:
    """Write the settings of one command as a project file that `load` reads back."""
    folder = Path(path).resolve().parent

    def here(text: str) -> str:
        return _relative(text, folder)

    # Roles and hierarchies are the table's: verify and measure need them as well.
    shared, own, ladders = [f"[{noun}]"], [f"[{noun}.{verb}]"], []
    for key, value in settings.items():
        if value is None or value == () or value == {}:
            continue
        if isinstance(value, Mapping):
            ladders = [f"[{noun}.{key}]"]
            ladders += [f"{_toml(name)} = {_toml(_with_path(spec, here))}" for name, spec in value.items()]
            continue
        if key in ("join", "other"):
            value = [here(path) for path in ([value] if isinstance(value, str) else value)]
        if key == "step":
            several = [value] if isinstance(value, str) else value
            value = [_keyed(spelling, here) for spelling in several]
        if key in PATHS or (key == "kinds" and Path(value).is_file()):
            value = here(value)
        line = f"{key} = {_toml(value)}"
        (shared if key in ROLES else own).append(line)
    sections = [section for section in (shared, ladders, own) if len(section) > 1]
    lines = [line for section in sections for line in (*section, "")][:-1]
    write_text("\n".join(lines) + "\n", path)


def _section(path: str | Path, name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadParameter(f"{path}: [{name}] must be a section, not {value!r}")
    return value


def _check(path: str | Path, key: str, value: Any, kind: str) -> None:
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
    if not fits[kind]:
        raise BadParameter(f"{path}: {key} = {value!r} is not {wanted[kind]}")


def _resolved(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    def place(text: str) -> str:
        return text if text == "-" or "://" in text or Path(text).is_absolute() else str(folder / text)

    for key in PATHS:
        if key in settings:
            settings[key] = place(settings[key])
    if "kinds" in settings and (folder / settings["kinds"]).is_file():  # else it is an attribute of nodes
        settings["kinds"] = place(settings["kinds"])
    for key in {"join", "other"} & set(settings):
        several = [settings[key]] if isinstance(settings[key], str) else settings[key]
        settings[key] = [place(path) for path in several]
    if "step" in settings:
        several = [settings["step"]] if isinstance(settings["step"], str) else settings["step"]
        settings["step"] = [_keyed(spelling, place) for spelling in several]
    if "hierarchy" in settings:
        settings["hierarchy"] = {
            column: _with_path(spec, place) for column, spec in settings["hierarchy"].items()
        }
    return settings


def _with_path(spec: str, change: Callable[[str], str]) -> str:
    """A hierarchy's specification with the path in it changed."""
    path = path_in(spec)
    return spec if path is None else spec.replace(path, change(path))


def _keyed(step: str, change: Callable[[str], str]) -> str:
    """A step with the path of its key changed, unless it begins at somebody's home."""
    return respelled(step, "key", lambda path: path if path.startswith("~") else change(path))


def _relative(path: str, folder: Path) -> str:
    """A path as the project file should say it, so that the folder can move as a whole."""
    if path == "-" or Path(path).is_absolute():
        return path
    return os.path.relpath(Path(path).resolve(), folder)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    # A JSON string is a TOML basic string, but for one control character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
