"""Figures by the name of their measure."""

import json
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.core.measure_results import Figures, figure_json, figure_rows
from shoal.core.outcome import Json


@dataclass(frozen=True)
class Pair:
    low: float
    high: float

    def to_json(self) -> dict[str, Json]:
        return {"low": self.low, "high": self.high}


@dataclass(frozen=True)
class Ends(Measure[list[int], Pair]):
    """The smallest and the largest. Nobody 2020."""

    name: ClassVar[str] = "ends"

    def measure(self, numbers: list[int]) -> Pair:
        return Pair(min(numbers), max(numbers))


def test_whatever_a_measure_finds_becomes_json() -> None:
    found = figure_json({"a": Pair(1, 2), "b": [0.5, float("nan")], "c": None, "d": True})
    assert found == {"a": {"low": 1, "high": 2}, "b": [0.5, None], "c": None, "d": True}
    assert json.loads(json.dumps(found)) == found


def test_figures_are_told_by_the_spelling_of_their_measure() -> None:
    ruler = Ends()
    figures = Figures.of({"ends": (ruler, ruler.measure([3, 1, 2]))}, ("a note",))
    assert figures.to_json() == {"figures": {"ends": {"low": 1, "high": 3}}, "notes": ["a note"]}
    (title, rows), *more = figures.to_tables().items()
    assert title == "ends: The smallest and the largest. Nobody 2020." and not more
    assert rows == [["figure", "value"], ["low", "1"], ["high", "3"]]


def test_lists_of_documents_are_counted() -> None:
    assert figure_rows([{"a": 1}, {"a": 0.25}])[1:] == [["1 a", "1"], ["2 a", "0.25"]]
    assert figure_rows([1, 2])[1:] == [["values", "1, 2"]] and figure_rows(None)[1:] == [["value", "–"]]


def test_a_measure_says_what_it_looks_at() -> None:
    assert Ends.subject() is list or Ends.subject() == list[int]
