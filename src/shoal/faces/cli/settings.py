"""From flags and a project file to a request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.parsing import columns_of
from shoal.jobs.setting import SEVERAL, Request, known, name_of

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


@dataclass(frozen=True)
class Typed:
    """What somebody typed: the flags of a request, and perhaps the project file that they stand above."""

    request: type[Request]
    flags: dict[str, Any]
    config: str | None = None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Flags and project file together, by their words."""
        return settings_of(self.request, self.config, self.flags)

    def job(self) -> Any:
        """The request that they make."""
        return job_of(self.request, self.settings)


def settings_of(request: type[Request], config: str | None, flags: dict[str, Any]) -> dict[str, Any]:
    """The project file's settings with the flags on top; hierarchies are merged column by column."""
    settings: dict[str, Any] = {}
    if config is not None:
        from shoal.jobs.config import load

        settings = load(config, request)
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
    roles = [role for role, given in flags.items() if given is None]
    return {column: "project file" for role in roles for column in columns_of(settings.get(role))}


def job_of(request: type[Request], settings: dict[str, Any]) -> Any:
    """The request that the settings make."""
    given = {word: value for word, value in settings.items() if value is not None}
    for word in {word for word, setting in known(request).items() if setting.kind in SEVERAL} & set(given):
        given[word] = (given[word],) if isinstance(given[word], str) else tuple(given[word])
    return request(**{name_of(word): value for word, value in given.items()})
