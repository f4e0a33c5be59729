"""The OpenAPI document is true: requests made from it find nothing that it does not tell."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from queries.service.houses import COUNT, House, furnish, served
from shoal.core.errors import ShoalError, Unanswered
from shoal.queries.ledger.backend import Unwritten
from shoal.queries.service.app import application, document
from shoal.queries.stores.store import Unstored

EXAMPLES = 25  # of every operation and role


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()


def test_the_document_names_what_there_is_and_needs_a_token_for_it(house: House) -> None:
    with served(house.service) as at:
        told = at.call("GET", "/openapi.json").json
        assert {"/query", "/estimate", "/budget", "/log", "/datasets", "/analysts"} <= set(told["paths"])
        for path, methods in told["paths"].items():
            for method, operation in methods.items():
                assert operation["security"], (path, method)
                assert {"401", "429", "503"} <= set(operation["responses"])
                assert operation["description"]
        assert "ValidationError" not in json.dumps(told)
        page = at.call("GET", "/docs").body
        assert b"POST" in page and b"/query" in page
        assert b"http://" not in page and b"https://" not in page
        assert b"Shoal" in at.call("GET", "/").body
        assert at.call("GET", "/health").json == {"status": "up"}


def test_the_document_is_made_once(house: House) -> None:
    door = application(house.service)
    assert document(door._inner._inner) is document(door._inner._inner)  # type: ignore[attr-defined]


def test_what_nobody_expected_is_told_as_a_failure_and_nothing_more(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError(" ".join(["Patient", "00001"]))  # a value, not a part of the source

    monkeypatch.setattr(house.service, "ask", broken)
    with served(house.service) as at:
        got = at.ask(house.ada)
    assert got.status == 500
    assert got.json["error"] == "failed"
    assert "Patient 00001" not in got.body.decode() + caplog.text
    assert got.headers["x-request-id"] in caplog.text  # the operator can find it
    assert "ValueError" in caplog.text


@pytest.mark.parametrize("error", [Unanswered, Unstored, Unwritten])
def test_a_failure_of_ours_is_in_the_operators_log_too(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[ShoalError],
) -> None:
    def broken(*_: object) -> None:
        raise error("some sentence")

    monkeypatch.setattr(house.service, "ask", broken)
    with served(house.service) as at:
        got = at.ask(house.ada)
    assert got.status == 500
    assert caplog.text.count(got.headers["x-request-id"]) == 1
    assert error.__name__ in caplog.text


def aimed(case: Case[Any]) -> None:
    """Names that exist in the place of made-up ones, so that a request gets behind the first refusal."""
    names = {"dataset": "clinic", "table": "visits", "sql": COUNT, "name": "bob"}
    if "/datasets/" in case.operation.path:
        names["name"] = "clinic"
    for part in (case.path_parameters, case.query, case.body):
        if isinstance(part, dict):
            part |= {name: value for name, value in names.items() if name in part}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["owner", "ada"])
@pytest.mark.parametrize("kind", ["right", "aimed", "wrong"])
def test_requests_made_from_the_document_find_no_failure(tmp_path: Path, role: str, kind: str) -> None:
    house = furnish(tmp_path / "house", epsilon=1000)
    schema = schemathesis.openapi.from_asgi("/openapi.json", application(house.service))
    mode = GenerationMode.NEGATIVE if kind == "wrong" else GenerationMode.POSITIVE
    token, seen = getattr(house, role), set[int]()
    for result in schema.get_all_operations():
        operation = result.ok()  # type: ignore[union-attr]
        if kind == "aimed" and "/analysts/{name}" in operation.path and "grants" not in operation.path:
            continue  # it would let out whom the others need
        if kind == "aimed" and (operation.method.upper(), operation.path) == ("DELETE", "/datasets/{name}"):
            continue  # there would be nothing to ask about

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def probe(case: Case[Any]) -> None:
            if kind == "aimed":
                aimed(case)
            response = case.call(headers={"Authorization": f"Bearer {token}"})
            seen.add(response.status_code)
            assert response.status_code < 500
            # That a valid form gets an answer is not promised: SQL has rules that no schema tells.
            case.validate_response(response, excluded_checks=[positive_data_acceptance])

        try:
            probe()
        except Unsatisfiable:  # nothing to get wrong
            assert mode is GenerationMode.NEGATIVE
    wanted = {
        ("owner", "right"): {200, 400, 404},
        ("owner", "aimed"): {200, 400, 409},
        ("owner", "wrong"): {400, 422},
        ("ada", "right"): {200, 403, 404},
        ("ada", "aimed"): {200, 403},
        ("ada", "wrong"): {403, 422},
    }
    assert seen >= wanted[role, kind], seen
    house.service.close()
