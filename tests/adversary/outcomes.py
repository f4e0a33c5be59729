"""What one question gives, as far as it must be the same for neighbouring databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from sqlglot import exp

from shoal.queries.answering.assemble_answer import make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.answering.outer_answers import FAILED
from shoal.queries.query import Plan, Query
from shoal.queries.results import Answer
from shoal.queries.session import Session

Exact = dict[str, dict[tuple[Any, ...], int]]
# Noise moves these; of the rows and errors what it cannot move is compared by itself.
NOISY = ("rows", "interval", "error", "id")


@dataclass(frozen=True)
class Outcome:
    """Everything about an answer or a refusal but noise, and what was counted before the noise."""

    told: Mapping[str, Any]
    exact: list[Exact] | None = None
    failed: str | None = None  # what an engine said that must not fail
    frames: Sequence[pl.DataFrame] = ()  # what the engine gave, where the question has groups

    def difference(self, other: Outcome) -> str | None:
        """The first part in which two differ."""
        for name in {**self.told, **other.told}:
            if self.told.get(name) != other.told.get(name):
                return f"{name}: {self.told.get(name)!r} and {other.told.get(name)!r}"
        return None


def refused(error: BaseException) -> Outcome:
    return Outcome({"raised": type(error).__name__, "text": str(error)})


def told(document: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    """Of an answer what no noise can move: also of fields that come to be one day."""
    found = {name: value for name, value in document.items() if name not in NOISY}
    query = plan.leaves[0]
    if (
        plan.outer is not None
    ):  # what is done with noisy numbers follows from these, also whether it fails on them
        return {**found, "notes": [note for note in found["notes"] if note != FAILED]}
    plain = [output.name for output in query.outputs if isinstance(output.sql, exp.Column)]
    direct = [name for name in plain if _direct(query, name)]
    found["error"] = {name: document["error"][name] for name in direct}
    if query.discovered or query.having is not None:
        return found
    found["number of rows"] = len(document["rows"])
    if query.limit is None and not query.offset:
        found["cells"] = {
            name: Counter(
                (type(row[place]).__name__, cell[place] is None)
                for row, cell in zip(document["rows"], document["interval"], strict=True)
            )
            for place, name in enumerate(document["columns"])
            if name in plain
        }
    return found


def _direct(query: Query, name: str) -> bool:
    """Whether a column is a key or one noisy number, whose error is known beforehand."""
    place = next(output.sql.name for output in query.outputs if output.name == name)
    return place.startswith("k") or query.aggregates[int(place[1:])].formula == "plain"


def exact(query: Query, frames: Sequence[pl.DataFrame]) -> Exact:
    """Every primitive per group, and per group and step how many rows a quantile is chosen from."""
    frame, *steps = frames
    wide = len(query.keys)
    places = {name: place for place, name in enumerate(frame.columns)}
    rows = frame.rows()
    found: Exact = {}
    for index, primitive in enumerate(query.primitives):
        terms = [(places[f"x{column}"], weight) for column, weight in primitive.terms]
        found[f"primitive {index}"] = {
            row[:wide]: sum(weight * (row[place] or 0) for place, weight in terms) for row in rows
        }
    if query.people is not None:
        found["people"] = {row[:wide]: row[places[f"x{query.people}"]] for row in rows}
    for index, counts in enumerate(steps):
        # Rows without a value have no step, and are in no choice.
        found[f"quantile {index}"] = {row[:-1]: row[-1] for row in counts.rows() if row[-2] is not None}
    return found


def counted_of(plan: Plan, frames: Sequence[pl.DataFrame]) -> Sequence[pl.DataFrame]:
    """What the engine counted for the leaves, without the public facts and tables behind it."""
    return frames[: sum(1 + len(query.quantiles) for query in plan.leaves)]


def exact_leaves(plan: Plan, frames: Sequence[pl.DataFrame]) -> list[Exact]:
    """The numbers of every leaf."""
    found, start = [], 0
    for query in plan.every:
        end = start + 1 + len(query.quantiles)
        found.append(exact(query, frames[start:end]))
        start = end
    return found


def moved_leaves(plan: Plan, one: Sequence[Exact], other: Sequence[Exact], times: int = 1) -> str | None:
    """Whether a number of some leaf moved too far."""
    parts = zip(plan.every, one, other, strict=True)
    return next((text for part in parts if (text := moved(*part, times)) is not None), None)


def _apart(first: Mapping[tuple[Any, ...], int], second: Mapping[tuple[Any, ...], int]) -> int:
    if first == second:
        return 0
    return sum(abs(first.get(group, 0) - second.get(group, 0)) for group in {*first, *second})


def moved(query: Query, one: Exact, other: Exact, times: int = 1) -> str | None:
    """Whether one person who comes or goes moved a number too far for its noise; twice for another."""
    reaches = {f"quantile {index}": part.reach for index, part in enumerate(query.quantiles)}
    if query.people is not None:
        reaches["people"] = query.groups
    for place in {primitive.part for primitive in query.primitives}:
        # Numbers of one part share one reach: all of them together may move no farther.
        names = [f"primitive {index}" for index, known in enumerate(query.primitives) if known.part == place]
        far = sum(_apart(one[name], other[name]) for name in names)
        reach = min(known.reach for known in query.primitives if known.part == place)
        if far > times * reach:
            return f"{' and '.join(names)} moved by {far} although their reach is {reach}"
    if (text := _squared(query, one, other) or _grown(query, one, other)) is not None and times == 1:
        return text
    for name, reach in reaches.items():
        far = _apart(one[name], other[name])
        if far > times * reach:
            return f"{name} moved by {far} although its reach is {reach}"
    for index, quantile in enumerate(query.quantiles):
        for group in one[f"quantile {index}"]:
            if not -1 <= group[-1] <= quantile.steps:  # on the border it is put back
                return f"quantile {index} has a row in step {group[-1]} of {quantile.steps}"
    return None


def _squared(query: Query, one: Exact, other: Exact) -> str | None:
    """Whether a number moved too far in the Euclidean sense, which Gaussian noise is made for."""
    for index, primitive in enumerate(query.primitives):
        first, second = one[f"primitive {index}"], other[f"primitive {index}"]
        far = sum((first.get(group, 0) - second.get(group, 0)) ** 2 for group in {*first, *second})
        if primitive.squared is not None and far > primitive.squared:
            return f"primitive {index} moved by √{far} although its reach is √{primitive.squared}"
    return None


def _grown(query: Query, one: Exact, other: Exact) -> str | None:
    """Whether groups that one person alone is in are more, or larger, than their threshold is made for."""
    if not query.discovered:
        return None
    crowd = ("people",) if query.crowd is None else tuple(f"primitive {n}" for n in query.crowd.primitives)
    width, most = (1, 1) if query.crowd is None else (query.crowd.width, query.crowd.most)
    new = {*other[crowd[0]]} - {*one[crowd[0]]}
    sizes = [sum(other[name].get(group, 0) for name in crowd) for group in new]
    if len(new) > query.groups:
        return f"one person is alone in {len(new)} groups although {query.groups} are the most"
    if max(sizes, default=0) > most * width or (most > 1 and sum(sizes) > most * width):
        return f"groups of one person have {sizes} steps although {most} times {width} are the most"
    return None


class _Silence:
    """Noise that hides everything: what still differs behind it was never hidden by noise."""

    error = 0.0
    value = low = high = 0

    def interval(self, *_: Any) -> float:
        return 1.0

    def release(self, values: Any) -> Any:
        return np.full(values.shape, 3, np.int64)

    def draws(self, shape: Any, _: Any) -> Any:
        return np.zeros(shape)


class _Choice(_Silence):
    def release(self, _: Any) -> Any:
        return self


class Silent(Shares):
    """A question that gets such noise."""

    def noise(self, _: Any, squared: int | None = None) -> Any:
        return _Silence()

    def quantile(self, _: Any) -> Any:
        return _Choice()

    def kept(self, people: Any, groups: int) -> Any:
        return np.ones(people.shape, np.bool_)

    def threshold(self, _: Query) -> int:
        return 0


def behind_noise(query: Query, frames: Sequence[pl.DataFrame], other: Sequence[pl.DataFrame]) -> str:
    """All of an answer that would be left if noise hid every number, of groups that both have."""
    names = [f"k{index}" for index in range(len(query.keys))]
    both = other[0].select(names)
    shared = [frame.join(both, on=names, how="semi", nulls_equal=True) for frame in frames]
    silent = Silent("pure", Fraction(1), Fraction(0), query.parts)
    return repr(make_answer(query, add_noise(query, shared, silent)))


def asked(
    session: Session, sql: str, plan: Plan | None, epsilon: Fraction, delta: Fraction | None, analyst: str
) -> Outcome:
    """One question through a session."""
    try:
        return outcome_of(session.ask(sql, epsilon, delta, analyst), plan)
    except Exception as error:
        return refused(error)


def outcome_of(answer: Answer | Exception, plan: Plan | None) -> Outcome:
    """What came of a question that was asked, by itself or with others."""
    if isinstance(answer, Exception):
        return refused(answer)
    assert plan is not None, f"answered although it cannot be planned: {answer.query}"
    trouble = None if answer.trouble is None else repr(answer.trouble)
    return Outcome(told(answer.to_json(), plan), failed=trouble)
