"""The answer to a question of one row of plain numbers, such as a count: most of it is worked out once.

The same noise and the same figures as by the long way (`noise.py`, `assemble_answer.py`). Questions that are
answered together draw their noise together, each number with noise of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlglot import exp

from shoal.queries.answering.assemble_answer import AnswerRows
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.group_thresholds import Noise
from shoal.queries.answering.mixed_noise import mixed_noise
from shoal.queries.answering.noise import noises_of
from shoal.queries.declaration.declaration import Value
from shoal.queries.mechanisms.laplace import MOST
from shoal.queries.query import Aggregate, Query


@dataclass(frozen=True, eq=False)
class SingleRow:
    """What all questions of one kind and one price have in common."""

    query: Query
    noises: tuple[Noise, ...]
    aggregates: tuple[Aggregate, ...]  # as they are shown
    widths: tuple[float, ...]
    error: dict[str, float | None]

    def exact(self, row: Sequence[int | None]) -> list[int]:
        """The numbers that get noise; beyond 62 bits they stay at their end."""
        return [
            max(-MOST, min(MOST, sum((row[place] or 0) * weight for place, weight in primitive.terms)))
            for primitive in self.query.primitives
        ]

    def answer(self, noisy: Sequence[int]) -> AnswerRows:
        """What may be shown of numbers with noise."""
        told = [
            float(number) * float(primitive.grid)
            for number, primitive in zip(noisy, self.query.primitives, strict=True)
        ]
        values: list[Value] = []
        cells = []
        for aggregate, width in zip(self.aggregates, self.widths, strict=True):
            middle = 0.0
            for index, weight in aggregate.of[0]:
                middle += told[index] * weight
            values.append(round(middle) if aggregate.whole else middle)
            cells.append((middle - width, middle + width))
        return AnswerRows((tuple(values),), self.error, (tuple(cells),))


def single_row(query: Query, shares: Shares) -> SingleRow | None:
    """How a question is answered that is one row of plain numbers; None for any other."""
    if query.keys or query.quantiles or query.having is not None or query.order or query.offset:
        return None
    if query.limit is not None or query.crowd is not None or query.people is not None:
        return None
    shown = []
    for output in query.outputs:
        if not isinstance(output.sql, exp.Column) or not output.sql.name.startswith("a"):
            return None
        aggregate = query.aggregates[int(output.sql.name[1:])]
        if aggregate.formula != "plain" or aggregate.shown is not None:
            return None
        shown.append(aggregate)
    noises = noises_of(query, shares)
    sizes = [mixed_noise(query, noises, aggregate.of[0]) for aggregate in shown]
    error: dict[str, float | None] = {
        output.name: size.error for output, size in zip(query.outputs, sizes, strict=True)
    }
    return SingleRow(query, noises, tuple(shown), tuple(size.width for size in sizes), error)


def answer_rows(questions: Sequence[tuple[SingleRow, Sequence[int | None]]]) -> list[AnswerRows]:
    """The answers to several questions, each from the row that the engine counted for it."""
    noisy: list[list[int]] = []
    waiting: dict[int, tuple[Noise, list[tuple[int, int, int]]]] = {}  # by noise: whose number, which, what
    for place, (kind, row) in enumerate(questions):
        exact = kind.exact(row)
        noisy.append([0] * len(exact))
        for index, (noise, number) in enumerate(zip(kind.noises, exact, strict=True)):
            waiting.setdefault(id(noise), (noise, []))[1].append((place, index, number))
    for noise, numbers in waiting.values():
        released = noise.release(np.array([number for _, _, number in numbers], np.int64)).tolist()
        for (place, index, _), number in zip(numbers, released, strict=True):
            noisy[place][index] = number
    return [kind.answer(numbers) for (kind, _), numbers in zip(questions, noisy, strict=True)]
