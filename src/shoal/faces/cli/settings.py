"""From flags and a project file to a request."""

from __future__ import annotations

import re
from typing import Any

from shoal.core.errors import BadParameter

# A column name that holds an equals sign stands in double quotes: "a=b"=mask().
_PAIR = re.compile(r'(?:"((?:[^"]|"")+)"|([^=]+))=(.+)', re.DOTALL)


def pairs_of(given: list[str] | None) -> dict[str, str] | None:
    """`COLUMN=SPEC` flags as a mapping."""
    if given is None:
        return None
    pairs: dict[str, str] = {}
    for text in given:
        found = _PAIR.fullmatch(text)
        if not found:
            raise BadParameter(f"--hierarchy takes COLUMN=FILE.csv or COLUMN=rule(…), not '{text}'")
        column = found[1].replace('""', '"') if found[1] else found[2]
        if column in pairs:
            raise BadParameter(f"--hierarchy names '{column}' twice, as {pairs[column]} and {found[3]}")
        pairs[column] = found[3]
    return pairs


def settings_of(
    verb: str, known: dict[str, str], config: str | None, flags: dict[str, Any], noun: str = "table"
) -> dict[str, Any]:
    """The project file's settings with the flags on top; hierarchies are merged column by column."""
    settings: dict[str, Any] = {}
    if config is not None:
        from shoal.jobs.config import load

        settings = load(config, noun, verb, known)
    for key, value in flags.items():
        if value is None:
            continue
        if key == "hierarchy":
            value = {**settings.get(key, {}), **value}
        if key in ("model", "k") and flags.get("model") is None:
            settings.pop("model", None)  # --k alone asks for that, not for the file's models as well
        if key == "model":
            settings.pop("k", None)
        settings[key] = value
    return settings


def from_file(settings: dict[str, Any], flags: dict[str, Any]) -> dict[str, str]:
    """The columns whose role the project file gave, and no flag."""
    from shoal.jobs.tables import columns_of

    roles = [role for role, given in flags.items() if given is None]
    return {column: "project file" for role in roles for column in columns_of(settings.get(role))}


def job_of(request: type[Any], settings: dict[str, Any]) -> Any:
    """The request that the settings make."""
    given = {key.replace("-", "_"): value for key, value in settings.items() if value is not None}
    given["data"] = given.pop("file", None)
    for key in {"model", "step", "other", "target"} & set(given):
        given[key] = (given[key],) if isinstance(given[key], str) else tuple(given[key])
    return request(**given)
