"""A conversation keeps what it has heard, however it ends."""

from fractions import Fraction

import pytest

from queries.attacked import people
from shoal.core.errors import ShoalError
from shoal.queries.alternatives.private import Private
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.endpoints.function import FunctionEndpoint
from shoal.queries.endpoints.question import Question


def test_an_endpoint_that_stops_is_not_asked_again_and_what_it_said_stays() -> None:
    answers = iter([3, 4])

    def answer(_: str) -> int:
        return next(answers)  # StopIteration in the end

    talk = Conversation(FunctionEndpoint(answer, "t"))
    assert [talk.ask(Question()) for _ in range(4)] == [3, 4, None, None]
    assert (talk.asked, talk.answered) == (3, 2)
    assert talk.stopped and "StopIteration" in talk.stopped and talk.to_json()["stopped"] == talk.stopped


def test_one_that_never_answers_is_an_error() -> None:
    def broken(_: str) -> int:
        raise OSError("gone")

    with pytest.raises(ShoalError, match="gone"):
        Conversation(FunctionEndpoint(broken, "t")).ask(Question())


def test_refusals_are_counted_and_the_first_is_told() -> None:
    talk = Conversation(FunctionEndpoint(lambda _: None, "t"))
    assert talk.ask(Question()) is None and talk.ask(Question()) is None
    told = talk.to_json()
    assert (told["questions"], told["answered"], told["refused"]) == (2, 0, 2) and told["first_refusal"]


def test_a_budget_is_divided_and_its_end_is_told() -> None:
    talk = Conversation(Private(Fraction(1)).open(people()))
    talk.plan(4)
    assert all(talk.ask(Question(f"age > {turn}")) is not None for turn in range(4))
    assert talk.ask(Question("age > 50")) is None and talk.exhausted
    assert talk.ask(Question("age > 51")) is None and talk.asked == 5
    assert talk.to_json()["spent"] == {"epsilon": 1.0} and talk.to_json()["budget_exhausted"] is True
    talk.close()


def test_a_price_that_was_given_is_kept() -> None:
    talk = Conversation(Private(Fraction(1)).open(people()), Fraction(1, 2))
    talk.plan(100)
    talk.ask(Question())
    assert talk.to_json()["spent"] == {"epsilon": 0.5}
    talk.close()
