"""Any function that answers."""

import pytest

from shoal.core.errors import NotAllowed, ShoalError
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.function import FunctionEndpoint
from shoal.queries.endpoints.question import Question


def test_a_function_gets_sql_and_gives_a_number() -> None:
    heard: list[str] = []
    endpoint = FunctionEndpoint(lambda sql: heard.append(sql) or 7, "t")  # type: ignore[func-returns-value]
    assert endpoint.ask(Question("a = 1"), None) == 7.0
    assert heard == ["SELECT COUNT(*) AS answer FROM t WHERE (a = 1)"]
    assert endpoint.price(3) is None and endpoint.spent == {}
    endpoint.close()


def test_none_and_our_errors_are_refusals_and_others_end_it_in_one_sentence() -> None:
    def refuses(_: str) -> None:
        raise NotAllowed("not that")

    for function in (lambda _: None, refuses):
        with pytest.raises(Refused):
            FunctionEndpoint(function, "t").ask(Question(), None)
    for broken in (lambda _: 1 / 0, lambda _: "many"):
        with pytest.raises(ShoalError) as stopped:
            FunctionEndpoint(broken, "t").ask(Question(), None)
        assert not isinstance(stopped.value, Refused) and "SELECT" in str(stopped.value)
