"""Exact answers."""

from queries.attacked import people
from shoal.queries.alternatives.plain import Plain
from shoal.queries.endpoints.question import Question


def test_whoever_is_let_in_gets_exact_answers_and_nothing_is_promised() -> None:
    some = people()
    endpoint = Plain().open(some)
    assert endpoint.ask(Question("id = 'P003'", "sum", "income"), None) == some.frame["income"][3]
    assert Plain().loss is None and Plain().within(1) is not None  # type: ignore[arg-type]
    endpoint.close()
