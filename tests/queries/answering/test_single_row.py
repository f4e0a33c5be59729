"""The short way from counts to an answer gives what the long way gives."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from queries.clinic import dataset, usual
from shoal.queries.answering import noise as long_way
from shoal.queries.answering import single_row as short_way
from shoal.queries.answering.assemble_answer import make_answer
from shoal.queries.answering.budget_split import Shares, divide
from shoal.queries.query import Query, one_row
from shoal.queries.sql.questions import plan_question

DATASET = dataset()
STORE = usual(DATASET)
SHOWN = (
    "COUNT(*)",
    "COUNT(*) AS n, SUM(age) AS years",
    "SUM(income)",
    "SUM(income), COUNT(income), SUM(age)",
    "COUNT(DISTINCT id)",
)


@dataclass(frozen=True)
class Known:
    """Noise that can be told beforehand."""

    shift: int
    error: float = 2.5

    def interval(self, confidence: float = 0.95) -> float:
        return 7.25

    def release(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return values + self.shift

    def draws(self, shape: int, generator: np.random.Generator) -> NDArray[np.float64]:
        return generator.normal(size=shape)


def leaf(shown: str) -> tuple[Query, Shares]:
    plan = plan_question(f"SELECT {shown} FROM people WHERE age > 5", DATASET, STORE)
    (shares,) = divide("approximate", Fraction(1), Fraction(0), plan.leaves)
    return plan.leaves[0], shares


@given(
    st.sampled_from(SHOWN),
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=6, max_size=6),
    st.integers(-1000, 1000),
)
@example("COUNT(*)", [-(2**63)] + [None] * 5, 0)  # has no absolute value of 64 bits
def test_both_ways_give_the_same_answer(shown: str, numbers: list[int | None], shift: int) -> None:
    query, shares = leaf(shown)
    row = numbers[: max(1, len(query.columns))]
    noises = tuple(Known(shift + place) for place, _ in enumerate(query.primitives))
    with pytest.MonkeyPatch.context() as patch:
        for place in (long_way, short_way):
            patch.setattr(place, "noises_of", lambda *_: noises)
        frame = one_row([f"x{index}" for index in range(len(row))], row)
        long = make_answer(query, long_way.add_noise(query, [frame], shares))
        kind = short_way.single_row(query, shares)
        assert kind is not None
        (short,) = short_way.answer_rows([(kind, row)])
    assert short == long


def test_whoever_asks_together_gets_noise_of_their_own_on_their_own_numbers() -> None:
    query, shares = leaf("COUNT(*)")
    kind = short_way.single_row(query, shares)
    assert kind is not None
    exact = [0, 10**9, 5 * 10**9, 10**9, 10**9]
    told = [answer.rows[0][0] for answer in short_way.answer_rows([(kind, (value,)) for value in exact])]
    assert all(abs(float(str(value)) - true) < 1000 for value, true in zip(told, exact, strict=True))
    many = [answer.rows[0][0] for answer in short_way.answer_rows([(kind, (0,))] * 200)]
    assert len(set(many)) > 3  # one draw for all of them would be a single number


@pytest.mark.parametrize(
    "question",
    [
        "SELECT AVG(age) FROM people WHERE age > 5",
        "SELECT COUNT(*) + 1 FROM people WHERE age > 5",
        "SELECT sex, COUNT(*) FROM people GROUP BY sex",
        "SELECT MEDIAN(age) FROM people",
        "SELECT COUNT(*) FROM people HAVING COUNT(*) > 3",
        "SELECT COUNT(*) FROM people LIMIT 0",
    ],
)
def test_anything_else_goes_the_long_way(question: str) -> None:
    plan = plan_question(question, DATASET, STORE)
    (shares,) = divide("approximate", Fraction(1), Fraction(0), plan.leaves)
    assert short_way.single_row(plan.leaves[0], shares) is None
