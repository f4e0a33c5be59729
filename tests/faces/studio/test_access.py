"""Nobody comes in without the token, from another host or from another page."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx
import pytest

from faces.studio.browser import Served
from shoal.faces.studio.access import Access, Message, Receive, Scope, Send, make_token

PORT, TOKEN = 8765, "a-token-of-this-test"
OWN = "127.0.0.1:8765"
ORIGIN = f"http://{OWN}"
ROOM = 10**6
COOKIE = f"shoal-studio-{PORT}={TOKEN}"


async def inside(scope: Scope, _: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def answers(
    kind: str = "http", path: str = "/", query: str = "", method: str = "GET", **headers: str
) -> list[Message]:
    """All that is sent to somebody who comes with these headers."""
    sent: list[Message] = []

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    told = [(name.encode(), value.encode()) for name, value in {"host": OWN, **headers}.items()]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "method": method, "headers": told}
    # Driven by hand: Playwright has an event loop in this thread, and nothing here waits.
    called = Access(inside, TOKEN, PORT, lambda: ROOM)(scope, receive, send)
    with suppress(StopIteration):
        called.send(None)
    return sent


def status(**more: str) -> int:
    return int(answers(**more)[0]["status"])


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address() -> None:
    first = answers(path="/table/a/data", query=f"token={TOKEN}")[0]
    headers = dict(first["headers"])
    assert first["status"] == 303
    assert headers[b"location"] == b"/table/a/data"
    assert headers[b"set-cookie"].startswith(COOKIE.encode())
    assert b"HttpOnly" in headers[b"set-cookie"]
    assert status(cookie=COOKIE) == 200


@pytest.mark.parametrize("path", ["/", "/_nicegui/static/nicegui.js", "/table/a/data"])
@pytest.mark.parametrize("cookie", ["", "shoal-studio-8765=wrong", f"shoal-studio-1={TOKEN}", "\x01=;;"])
def test_without_the_token_nothing_is_served(path: str, cookie: str) -> None:
    assert status(path=path, cookie=cookie) == 403
    assert status(path=path, cookie=cookie, query="token=wrong") == 403
    assert status(path=path, cookie=cookie, query=f"token=wrong&token={TOKEN}") == 403


def test_an_address_that_leads_elsewhere_is_not_followed() -> None:
    assert status(path="//elsewhere.example/", query=f"token={TOKEN}") == 403


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1:1", "127.0.0.1", ""])
def test_another_host_is_refused_though_the_token_is_right(host: str) -> None:
    assert status(host=host, cookie=COOKIE) == 403
    assert status(host=host, query=f"token={TOKEN}") == 403


def test_a_page_of_another_origin_changes_nothing() -> None:
    length = {"content-length": "12"}
    assert status(cookie=COOKIE, method="POST", origin=ORIGIN, **length) == 200
    assert status(cookie=COOKIE, method="POST", origin="http://127.0.0.1:9999") == 403
    assert status(cookie=COOKIE, method="POST") == 403
    assert status(cookie=COOKIE, origin="http://evil.example") == 403


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"content-length": str(ROOM)}, 200),
        ({"content-length": str(2 * ROOM)}, 413),
        ({"content-length": "9" * 5000}, 413),
        ({"content-length": "-1"}, 413),
        ({}, 413),
        ({"content-length": "1", "transfer-encoding": "chunked"}, 413),
    ],
)
def test_what_is_larger_than_the_room_is_refused_before_it_arrives(
    headers: dict[str, str], code: int
) -> None:
    assert status(cookie=COOKIE, method="POST", origin=ORIGIN, **headers) == code
    assert status(method="POST", origin=ORIGIN, **headers) == 403


@pytest.mark.parametrize(
    ("headers", "sent"),
    [
        ({"cookie": COOKIE, "origin": ORIGIN}, "websocket.accept"),
        ({"cookie": COOKIE, "origin": "http://evil.example"}, "websocket.close"),
        ({"cookie": COOKIE}, "websocket.close"),
        ({"origin": ORIGIN}, "websocket.close"),
    ],
)
def test_a_websocket_needs_the_cookie_and_our_own_origin(headers: dict[str, str], sent: str) -> None:
    assert [one["type"] for one in answers("websocket", **headers)] == [sent]


def test_every_answer_forbids_to_load_from_elsewhere() -> None:
    for told in (answers(cookie=COOKIE), answers()):
        headers = dict(told[0]["headers"])
        assert b"default-src 'none'" in headers[b"content-security-policy"]
        assert headers[b"cache-control"] == b"no-store"
        assert headers[b"x-content-type-options"] == b"nosniff"


def test_no_two_tokens_are_alike() -> None:
    made = {make_token() for _ in range(100)}
    assert len(made) == 100
    assert all(len(token) >= 32 for token in made)


def test_what_is_served_for_real_is_behind_the_same_rule(served: Served) -> None:
    with httpx.Client() as client:
        assert client.get(served.origin + "/").status_code == 403
        assert client.get(served.origin + "/favicon.ico").status_code == 403
        assert (
            client.get(served.origin + "/_nicegui_ws/socket.io/?EIO=4&transport=polling").status_code == 403
        )
        assert client.get(served.address, follow_redirects=True).status_code == 200
        assert client.get(served.origin + "/", headers={"host": "evil.example"}).status_code == 403
