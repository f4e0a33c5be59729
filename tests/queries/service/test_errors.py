"""Errors have one form and tell nothing that was not told already."""

import json
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from shoal.core.errors import BadHierarchy, BadParameter, BadTable, NotAllowed, ShoalError, Spent, Unanswered
from shoal.queries.service import errors as refusals
from shoal.queries.service.admission import Exists, NoDataset, NoPerson
from shoal.queries.service.worker_threads import Busy


@pytest.mark.parametrize(
    ("error", "status", "code", "told"),
    [
        (Spent("ε=0.1 is left"), 403, "spent", True),
        (NotAllowed("no DELETE"), 400, "not-allowed", True),
        (BadParameter("no column 'x'"), 400, "bad-parameter", True),
        (Exists("taken"), 409, "exists", True),
        (Unanswered("it failed"), 500, "unanswered", True),
        (NoDataset("clinic"), 404, "no-dataset", False),
        (NoPerson("ada"), 404, "no-person", False),
        (BadTable("line 3: Mrs Smith"), 400, "bad-rows", False),
        (BadHierarchy("/data/secret.csv"), 400, "bad-request", False),
        (ShoalError("/data/secret.csv"), 500, "failed", False),
        (Busy("x"), 503, "busy", False),
        (ValueError("Mrs Smith, 43"), 500, "failed", False),
        (HTTPException(404, "who knows"), 404, "not-found", False),
        (HTTPException(418, "who knows"), 418, "bad-request", False),
    ],
)
def test_every_error_has_a_status_a_code_and_a_sentence(
    error: Exception, status: int, code: str, told: bool
) -> None:
    refusal = refusals.of(error)
    body = json.loads(bytes(refusal.response().body))
    assert (refusal.status_code, body["error"]) == (status, code)
    assert set(body) == {"error", "detail"}
    text = error.detail if isinstance(error, HTTPException) else str(error)
    assert (text in body["detail"]) is told


def test_a_wrong_form_is_told_by_the_names_of_known_fields_only() -> None:
    errors: list[dict[str, Any]] = [
        {"type": "extra_forbidden", "loc": ("body", "sk-SECRET"), "msg": "SECRET", "input": "SECRET"},
        {"type": "value_error", "loc": ("body", "epsilon"), "ctx": {"error": ValueError("is not finite")}},
        {"type": "never_heard_of", "loc": ("query", "dataset"), "msg": "SECRET", "input": "SECRET"},
    ]  # fmt: skip
    detail = refusals.invalid(errors, ["epsilon", "dataset"]).detail
    assert detail == (
        "body has a field that nobody knows; epsilon is not finite; "
        "dataset is not of the form that /docs tells"
    )


def test_words_that_are_taken_are_told() -> None:
    error = {
        "type": "literal_error", "loc": ("renews",), "ctx": {"expected": "'day' or 'week'"},
    }  # fmt: skip
    assert refusals.invalid([error], ["renews"]).detail == "renews is not one of 'day' or 'week'"


def test_waiting_is_told_in_whole_seconds_and_never_as_none() -> None:
    assert refusals.later(429, 0.01).headers == {"Retry-After": "1"}
    assert refusals.later(503, 1.2).headers == {"Retry-After": "2"}


def test_who_has_no_token_learns_how_to_send_one() -> None:
    assert (refusals.plain(401).headers or {})["WWW-Authenticate"] == "Bearer"
