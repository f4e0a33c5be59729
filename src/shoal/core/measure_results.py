"""Figures by the name of their measure, as `measure --only` tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shoal.core.contract import Measure
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Rows, Tables, number


def figure_json(value: Any) -> Json:
    """What a measure found, as JSON carries it."""
    if isinstance(value, Mapping):
        return {str(name): figure_json(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [figure_json(inner) for inner in value]
    if isinstance(value, float):
        return number(value)
    if isinstance(value, bool | int | str | None):
        return value
    told: Json = value.to_json()
    return told


@dataclass(frozen=True)
class Figures(Shown):
    """What `measure` returns where measures were named."""

    found: Mapping[str, Json]  # by the spelling of the measure
    words: Mapping[str, str]  # what each of them says
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Mapping[str, tuple[Measure[Any, Any], Any]], notes: tuple[str, ...] = ()) -> Figures:
        """What some measures found, by their spelling."""
        return cls(
            {spelling: figure_json(value) for spelling, (_, value) in found.items()},
            {spelling: ruler.says() for spelling, (ruler, _) in found.items()},
            notes,
        )

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal … measure --only … --json` prints."""
        return {"figures": dict(self.found), "notes": list(self.notes)}

    def to_tables(self) -> Tables:
        """One table per measure."""
        return {
            f"{spelling}: {self.words[spelling]}": figure_rows(value)
            for spelling, value in self.found.items()
        }


def figure_rows(value: Json) -> Rows:
    """A document as a table of two columns."""
    return [["figure", "value"], *_lines("", value)]


def _lines(name: str, value: Json) -> Iterator[list[str]]:
    """A document as lines of name and number; what is inside something carries its name."""
    if isinstance(value, Mapping):
        for inner, told in value.items():
            yield from _lines(f"{name} {inner}".strip().replace("_", " "), told)
    elif isinstance(value, list) and any(isinstance(inner, Mapping) for inner in value):
        for place, inner in enumerate(value, 1):
            yield from _lines(f"{name} {place}".strip(), inner)
    elif isinstance(value, list):
        yield [name or "values", ", ".join(map(str, value))]
    else:
        text = "–" if value is None else f"{value:,.6g}" if isinstance(value, float) else f"{value}"
        yield [name or "value", text]
