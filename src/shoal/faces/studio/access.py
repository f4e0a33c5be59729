"""Who may speak to the studio: a browser on this machine that was given the token, and nobody else.

It stands before everything that is served, so that pages, files and the websocket have one rule.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# A page may load from where it came from, and from nowhere else, whatever a value in a table says.
# Vue compiles the templates of NiceGUI in the browser, which is what 'unsafe-eval' is for.
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "frame-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'self'; object-src 'none'"
)
_HEADERS = (
    ("content-security-policy", _POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "SAMEORIGIN"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
)
_WRAPPING = 10**5  # bytes that a form needs around a file
_TOO_LARGE = "This file is larger than what may be uploaded here; put it into the project folder instead."
_REFUSED = "Open the address that `shoal studio` printed in the terminal: it holds the token of this session."


def make_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


class Access:
    """The application behind the rule: own host, own origin, the token as cookie or in the address.

    `room` tells how many bytes may be sent to it at once.
    """

    def __init__(self, app: Application, token: str, port: int, room: Callable[[], int]) -> None:
        self.app, self._token, self._room = app, token, room
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._origins = {f"http://{host}" for host in self._hosts}
        # Cookies know no ports: two studios on one machine must not take each other's.
        self._cookie = f"shoal-studio-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not self._is_ours(scope, headers):
            await _refuse(scope, receive, send)
        elif self._fits(_cookies(headers).get(self._cookie, "")):
            if self._has_room(scope, headers):
                await self.app(scope, receive, _with_headers(send))
            else:
                await _answer(send, 413, _TOO_LARGE, ("connection", "close"))
        elif scope["type"] == "http" and scope["method"] == "GET" and self._is_in_address(scope):
            await _answer(
                send,
                303,
                "",
                ("location", scope["path"]),
                ("set-cookie", f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Lax"),
            )
        else:
            await _refuse(scope, receive, send)

    def _is_ours(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether the request was made for this address (not by DNS rebinding) and by a page of ours."""
        if headers.get("host", "") not in self._hosts:
            return False
        origin = headers.get("origin")
        if origin is None:  # a browser names it wherever a request can change something
            return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        return origin in self._origins

    def _has_room(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether what is sent along says how large it is, and fits: known before a byte is written."""
        if scope["type"] == "websocket" or scope["method"] in ("GET", "HEAD"):
            return True
        told = headers.get("content-length", "")
        if "transfer-encoding" in headers or not told.isdecimal() or len(told) > 18:
            return False
        return int(told) <= self._room() + _WRAPPING

    def _is_in_address(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        return len(given) == 1 and self._fits(given[0]) and not scope["path"].startswith("//")

    def _fits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())


def _cookies(headers: dict[str, str]) -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _with_headers(send: Send) -> Send:
    """The same with security headers; only what NiceGUI itself serves may be kept by the browser."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            names = {name.decode("latin-1").lower() for name, _ in given}
            more = [*_HEADERS, *([] if "cache-control" in names else [("cache-control", "no-store")])]
            message = {**message, "headers": [*given, *_encode(more)]}
        await send(message)

    return sent


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted, so it is a 403
        return
    await _answer(send, 403, _REFUSED)


async def _answer(send: Send, status: int, text: str, *headers: tuple[str, str]) -> None:
    told = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), *headers, *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": _encode(told)})
    await send({"type": "http.response.body", "body": text.encode()})


def _encode(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
