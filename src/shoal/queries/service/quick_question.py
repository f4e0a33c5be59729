"""The short way to /query: a question in the usual form is read and answered without the framework.

What the framework does for a route takes as long as the answer. Whatever is not in the usual form goes the
long way, as it was sent, so that there is one set of refusals.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from pydantic import ValidationError
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.queries.service.analyst_routes import Questioner, answer_question
from shoal.queries.service.lanes import Lanes
from shoal.queries.service.requests import Question
from shoal.queries.service.service import Service

_USUAL = frozenset((b"application/json", b"application/json; charset=utf-8"))


class QuickQuestion:
    """An ASGI application before another one, behind the door that lets people in."""

    def __init__(self, inner: ASGIApp, service: Service, lanes: Lanes) -> None:
        self._inner, self._service, self._lanes = inner, service, lanes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/query" or scope["method"] != "POST":
            await self._inner(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name in (b"content-type", b"accept")]
        kinds = [value.lower() for name, value in headers if name == b"content-type"]
        if len(kinds) != 1 or kinds[0] not in _USUAL:
            await self._inner(scope, receive, send)
            return
        messages: list[Message] = []
        while not messages or messages[-1].get("more_body", False):
            messages.append(await receive())
        body = _read(b"".join(message.get("body", b"") for message in messages))
        if body is None or messages[-1]["type"] != "http.request":
            await self._inner(scope, _again(messages, receive), send)
            return

        visit = Questioner(scope["state"], self._service, self._lanes, "query")
        accepted = [value.decode("latin-1") for name, value in headers if name == b"accept"]
        reply: Response = await answer_question(visit, body, accepted)
        start = {"type": "http.response.start", "status": reply.status_code, "headers": reply.raw_headers}
        await send(start)
        await send({"type": "http.response.body", "body": bytes(reply.body)})


def _read(sent: bytes) -> Question | None:
    """A question in the usual form; nothing for any other."""
    try:
        return Question.model_validate(json.loads(sent))
    except (ValueError, RecursionError, ValidationError):
        return None


def _again(messages: list[Message], receive: Receive) -> Callable[[], Awaitable[Message]]:
    """What was read already, and then what comes."""
    waiting = iter(messages)

    async def read() -> Message:
        found = next(waiting, None)
        return await receive() if found is None else found

    return read
