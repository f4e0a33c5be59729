"""A question goes to tables, to a project file or to a service; what contradicts that is refused."""

from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.question_requests import AskQuery, AuditQuery, DeclaredTables, EpsilonQuery

SQL = "SELECT COUNT(*) AS n FROM visits"
SERVICE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("request_class", "words", "says"),
    [
        (AskQuery, {}, "no question given"),
        (AskQuery, {"sql": SQL, "service": SERVICE, "bounds": ["age=0:9"]}, "--bounds and --service"),
        (AskQuery, {"sql": SQL, "service": SERVICE, "ledger": "a.ledger"}, "--ledger and --service"),
        (AskQuery, {"sql": SQL, "service": SERVICE, "config": "shoal.toml"}, "--config and --service"),
        (AskQuery, {"sql": SQL, "config": "shoal.toml", "data": ["a=a.csv"]}, "--data and --config"),
        (AskQuery, {"sql": SQL, "config": "shoal.toml", "budget": "2"}, "--budget and --config"),
        (AskQuery, {"sql": SQL, "data": ["a=a.csv"], "dataset": "clinic"}, "--config or --service"),
        (AskQuery, {"sql": SQL, "separator": ";"}, "leave --separator out"),
        (AuditQuery, {}, "what should be audited"),
        (EpsilonQuery, {"within": 5, "question": SQL, "sensitivity": 1}, "ε for what"),
        (EpsilonQuery, {"within": 5, "sensitivity": 1, "unit": "who"}, "needs none of it"),
        (EpsilonQuery, {"within": 5, "error": 5, "sensitivity": 1}, "how far off"),
        (EpsilonQuery, {"within": 0, "sensitivity": 1}, "out of range"),
        (EpsilonQuery, {"within": 5, "question": SQL, "service": SERVICE, "ledger": "x"}, "--ledger"),
    ],
)
def test_what_contradicts_itself_is_refused(
    request_class: type[DeclaredTables], words: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadParameter, match=says):
        request_class(**words)


def test_all_that_is_declared_goes_along() -> None:
    asked = AskQuery(sql=SQL, data={"visits": "a.csv"}, unit="who", parent=("o=a:b.c:1",), encoding="utf-8")
    assert asked.given["parent"] == ["o=a:b.c:1"] and asked.given["encoding"] == "utf-8"
    assert "separator" not in asked.given
