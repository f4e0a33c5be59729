"""Requests in odd forms: no bytes of one become another, and every one shows a token of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from queries.service.houses import COUNT, Address, House, furnish, served

BODY = json.dumps({"dataset": "clinic", "sql": COUNT, "epsilon": 0.01}).encode()
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Address]]:
    made = furnish(Path(tmp_path_factory.mktemp("odd")), epsilon=1000)
    try:
        with served(made.service) as address:
            yield made, address
    finally:
        made.service.close()


def request(
    token: str | None, *lines: str, method: str = "POST", path: str = "/query", version: str = "1.1"
) -> bytes:
    shown = [f"Authorization: Bearer {token}"] if token else []
    kind = "Content-Type: application/json"
    head = (f"{method} {path} HTTP/{version}", "Host: x", *shown, kind, *lines)
    return ("\r\n".join(head) + "\r\n\r\n").encode()


def statuses(address: Address, content: bytes) -> list[int]:
    return [int(found) for found in re.findall(rb"HTTP/1\.[01] (\d+)", address.raw(content, 20.0))]


def last(token: str) -> bytes:
    """A request after which the server hangs up."""
    return request(token, "Connection: close", method="GET", path="/budget?dataset=clinic")


def length(number: int = len(BODY)) -> str:
    return f"Content-Length: {number}"


def test_a_second_request_on_a_connection_shows_a_token_of_its_own(house: tuple[House, Address]) -> None:
    made, address = house
    first = request(made.ada, length()) + BODY
    end = last(made.bob)
    assert statuses(address, first + request(None, length()) + BODY + end) == [200, 401, 200]
    assert statuses(address, first + request(None, method="GET", path="/analysts") + end) == [200, 401, 200]
    assert statuses(address, first + request(made.ada, method="GET", path="/analysts") + end) == [
        200,
        403,
        200,
    ]


def test_a_body_that_nobody_read_is_no_request(house: tuple[House, Address]) -> None:
    made, address = house
    inner = request(made.owner, method="GET", path="/analysts")
    outer = [
        request(None, length(len(inner))),
        request(made.bob, length(len(inner)), path="/datasets"),
        request(made.ada, length(len(inner)), method="GET", path="/budget?dataset=clinic"),
        request(None, length(len(inner)), method="HEAD", path="/health"),
    ]
    for head in outer:
        found = statuses(address, head + inner + last(made.bob))
        assert len(found) == 2 and found[1] == 200


@pytest.mark.parametrize(
    "lines",
    [
        ("Transfer-Encoding: chunked", length()),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
        ("Transfer-Encoding : chunked",),
        (length(), length(5)),
        (f"Content-Length: +{len(BODY)}",),
    ],
)
def test_a_length_that_can_be_read_in_two_ways_is_refused(
    house: tuple[House, Address], lines: tuple[str, ...]
) -> None:
    made, address = house
    body = CHUNKED if "Transfer" in lines[0] else BODY
    assert statuses(address, request(made.ada, *lines) + body) == [400]


def test_a_connection_ends_after_a_request_of_the_old_kind(house: tuple[House, Address]) -> None:
    made, address = house
    old = request(made.ada, length(), "Connection: keep-alive", version="1.0") + BODY
    assert statuses(address, old + request(made.ada, length()) + BODY) == [200]
    chunked = request(made.ada, "Transfer-Encoding: chunked", version="1.0") + CHUNKED
    assert statuses(address, chunked + last(made.ada)) == [200]


@pytest.mark.parametrize(
    "path",
    ["/health/../analysts", "/analysts;/health", "/analysts?/health", "/%2fhealth", "//health", "/HEALTH"],
)
def test_no_spelling_of_an_address_passes_the_door(house: tuple[House, Address], path: str) -> None:
    assert statuses(house[1], request(None, "Connection: close", method="GET", path=path)) == [401]


def test_two_tokens_are_none(house: tuple[House, Address]) -> None:
    made, address = house
    ends = "Connection: close"
    other = f"Authorization: Bearer {made.owner}"
    assert statuses(address, request(made.ada, other, length(), ends) + BODY) == [401]
    assert statuses(address, request(f"{made.ada}, Bearer {made.owner}", length(), ends) + BODY) == [401]
