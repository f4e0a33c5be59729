"""One part of the catalog in full, or the parts of a kind and a pillar."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from typing import Any, cast

from shoal.catalog import KINDS, Catalog, Kind, Part
from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.jobs.request import check_words

PILLARS = ("table", "graph", "query")


@dataclass(frozen=True)
class Entry:
    """One part in full."""

    part: Part

    @property
    def parameters(self) -> list[dict[str, Json]]:
        """Every parameter with its default; one that is needed has none."""
        found: list[dict[str, Json]] = []
        for one in dataclasses.fields(self.part.cls):
            needed = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
            default = None if needed or one.default is dataclasses.MISSING else one.default
            told = (
                default
                if default is None or isinstance(default, bool | int | float)
                else _default_text(default)
            )
            found.append({"name": one.name.replace("_", "-"), "needed": needed, "default": told})
        return found

    @property
    def stops(self) -> list[str]:
        """The kinds of attack that a model stops."""
        return list(self.part.cls.stops) if self.part.kind == "model" else []

    @property
    def page(self) -> str:
        """Where the documentation speaks of it."""
        own = self.part.cls.__module__.startswith("shoal.")
        if self.part.kind == "method" and own:
            return f"docs/methods/{self.part.name}.md"
        return f"docs/reference.md#{self.part.name}" if own else ""

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.part.kind,
            "name": self.part.name,
            "of": self.part.noun,
            "promise": self.part.promise,
            "explained": inspect.cleandoc(self.part.cls.__doc__ or ""),
            "parameters": self.parameters,
            "stops": self.stops,
            "paper": self.part.paper,
            "page": self.page,
        }


@dataclass(frozen=True)
class Entries(Shown):
    """Every part of one name; there may be a method and a measure that share one."""

    entries: tuple[Entry, ...]

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal catalog NAME --json` prints."""
        return {"entries": [entry.to_json() for entry in self.entries]}

    def to_tables(self) -> Tables:
        return {f"{entry.part.kind} {entry.part.name}": _rows(entry) for entry in self.entries}


def entries_of(name: str | None = None, kind: str | None = None, pillar: str | None = None) -> Any:
    """The catalog, or as much of it as was asked for."""
    if kind is not None:
        check_words("the catalog", "--kind", KINDS, [kind])
    if pillar is not None:
        check_words("the catalog", "--pillar", PILLARS, [pillar])
    whole = Catalog.whole()
    parts = tuple(
        part
        for part in whole.parts
        if (kind is None or part.kind == cast(Kind, kind)) and (pillar is None or part.noun == pillar)
    )
    if name is None:
        return dataclasses.replace(whole, parts=parts)
    found = tuple(Entry(part) for part in parts if part.name == name)
    if not found:
        check_words("the catalog", "it", dict.fromkeys(part.name for part in parts), [name])
        raise BadParameter(f"the catalog knows no '{name}'; see `shoal catalog`")
    return Entries(found)


def _rows(entry: Entry) -> list[list[str]]:
    told = entry.to_json()
    rows = [["", ""], ["what it does", str(told["promise"])], ["of", str(told["of"])]]
    for one in entry.parameters:
        value = "needed" if one["needed"] else "nothing" if one["default"] is None else str(one["default"])
        rows.append([f"parameter {one['name']}", value if one["needed"] else f"default: {value}"])
    if entry.stops:
        rows.append(["stops", ", ".join(entry.stops)])
    middle = str(told["explained"]).split("\n\n")[1:-1]
    rows += [["more", " ".join(paragraph.split())] for paragraph in middle]
    return [*rows, ["paper", str(told["paper"]) or "–"], ["page", str(told["page"]) or "–"]]


def _default_text(value: Any) -> str:
    return "|".join(map(str, value)) if isinstance(value, tuple) else str(value)
