"""The door: who comes in, how often, with how much, and one audit line for each before the answer goes out.

It stands before the framework, because a framework reads a body before it asks who sent it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.queries.ledger.token_holders import Person
from shoal.queries.service import errors as refusals
from shoal.queries.service.audit_log import AuditLog, Note, NotNoted
from shoal.queries.service.errors import Refusal
from shoal.queries.service.lanes import Lanes
from shoal.queries.service.rate_limit import Limit
from shoal.queries.service.worker_threads import Gate

OPEN = ("/", "/health", "/openapi.json", "/docs", "/docs.js")  # what anybody may see
QUESTION, ROWS = 2**20, 2**28  # bytes of a body
LONGEST_TOKEN = 200
HEADERS = (
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        # Scripts and requests of this very address only: the page that lists what may be sent also sends it.
        b"default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; "
        b"form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """For how many seconds the service waits for a body to arrive, and for its next piece."""

    question: float = 20.0
    piece: float = 20.0


class AccessMiddleware:
    """An ASGI application around another: `find` tells whose token it is."""

    def __init__(
        self,
        inner: ASGIApp,
        find: Callable[[str], Person | None],
        audit: AuditLog,
        people: Limit,
        strangers: Limit,
        patience: Patience | None = None,
        near: bool = False,
        lanes: Lanes | None = None,
        blur: float = 0.0,
    ) -> None:
        """`near` says that `find` looks into a file of this machine: quicker than asking a thread. `lanes`
        are the threads behind it, for whoever has to end them. `blur` is how many seconds a request that is
        no question may wait before it is looked at, drawn anew for each: how soon a reply comes tells how
        busy the machine is with somebody's question.
        """
        self._blur = blur
        self._pages = Limit(people.rate, people.burst)
        self.lanes = lanes
        self.counted: Counter[tuple[str, int]] = Counter()  # requests by action and status, for /metrics
        self._near = near
        self._inner, self._find, self._audit = inner, find, audit
        self._people, self._strangers = people, strangers
        self._patience = patience or Patience()
        self._finding = Gate(workers=2, waiting=1000, name="shoal-door")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            self._finding.close()
            return
        head = scope["method"] == "HEAD"
        # HEAD is GET without a body, wherever there is a GET.
        scope = {**scope, "method": "GET"} if head else scope
        note = Note(secrets.token_hex(8), address=(scope.get("client") or ("", 0))[0])
        exit_ = _Exit(send, self._audit, note, self.counted, audited=scope["path"] not in OPEN, bodiless=head)
        scope.setdefault("state", {})["note"] = note
        try:
            receive = await self._entered(scope, receive, note, exit_)
            await self._inner(scope, receive, exit_)
        except Exception as error:
            refusal = refusals.of(error)
            if refusal.status_code >= 500:
                tell(note, error)
            if not exit_.begun:
                note.error = refusal.code
                await refusal.response()(scope, receive, exit_)

    async def _entered(self, scope: Scope, receive: Receive, note: Note, exit_: _Exit) -> Receive:
        """Let a person in, with a way to read the body that has an end."""
        if self._blur and scope["path"] != "/query":  # whose answers leave at times of their own
            await asyncio.sleep(self._blur * random.SystemRandom().random())
        if scope["path"] in OPEN:
            allowed = self._pages.take(note.address)
            if not allowed.allowed:
                raise refusals.later(429, allowed.wait)
            _check_framing(scope)
            return receive
        note.action = "enter"
        token = _token(scope)
        person = None
        if token is not None:
            if self._near:
                person = self._find(token)
            else:
                person = await self._finding.run(lambda: self._find(token))
        if person is None:
            # Only failures count: somebody who guesses cannot lock out those at the same address who know.
            allowed = self._strangers.take(note.address)
            if not allowed.allowed:
                exit_.audited = allowed.first  # the rest of a flood would only fill the disk
                raise refusals.later(429, allowed.wait)
            raise refusals.plain(401)
        note.person, note.role = person.name, person.role
        scope["state"]["person"] = person
        allowed = self._people.take(person.name)
        if not allowed.allowed:
            exit_.audited = allowed.first
            raise refusals.later(429, allowed.wait)
        _check_framing(scope)
        path, owner = scope["path"], person.role == "owner"
        rows = owner and (path == "/datasets" or (path.startswith("/datasets/") and path.endswith("/rows")))
        limit = ROWS if rows else QUESTION
        if _length(scope) > limit:
            raise refusals.plain(413)
        return _Body(receive, limit, self._patience.piece, None if rows else self._patience.question)


class _Body:
    """A body that may not be longer than this, nor take longer than that."""

    def __init__(self, receive: Receive, limit: int, piece: float, whole: float | None) -> None:
        self._receive, self._left, self._piece = receive, limit, piece
        self._until = None if whole is None else time.monotonic() + whole
        self._complete = False

    async def __call__(self) -> Message:
        if self._complete:  # now it waits for the client to hang up, as long as it takes
            return await self._receive()
        wait = self._piece if self._until is None else min(self._piece, self._until - time.monotonic())
        try:
            async with asyncio.timeout(max(0.0, wait)):
                message = await self._receive()
        except TimeoutError:
            raise refusals.plain(408, {"Connection": "close"}) from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise refusals.plain(413, {"Connection": "close"})
        self._complete = not message.get("more_body", False)
        return message


class _Exit:
    """The way out: no answer leaves before its line is in the audit log."""

    def __init__(
        self,
        send: Send,
        audit: AuditLog,
        note: Note,
        counted: Counter[tuple[str, int]],
        audited: bool,
        bodiless: bool,
    ) -> None:
        self._send, self._audit, self._note, self._counted = send, audit, note, counted
        self.audited, self._bodiless = audited, bodiless
        self._begun_at = time.perf_counter()
        self.begun = False
        self._replaced = False

    async def __call__(self, message: Message) -> None:
        if self._replaced:
            return
        if message["type"] == "http.response.start":
            self.begun = True
            if not self._noted(message["status"]):
                self._replaced = True
                await self._instead(refusals.plain(500))
                return
            extra = [*HEADERS, (b"x-request-id", self._note.request.encode())]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        elif self._bodiless and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)

    def _noted(self, status: int) -> bool:
        note = self._note
        note.status = status
        note.milliseconds = (time.perf_counter() - self._begun_at) * 1000
        self._counted[note.action or "page", status] += 1
        if not self.audited:
            return True
        try:
            self._audit.write(note)
        except NotNoted as error:
            tell(note, error)
            return False
        return True

    async def _instead(self, refusal: Refusal) -> None:
        response = refusal.response()
        extra = [*HEADERS, (b"x-request-id", self._note.request.encode())]
        headers = [*response.raw_headers, *extra]
        await self._send({"type": "http.response.start", "status": refusal.status_code, "headers": headers})
        await self._send(
            {"type": "http.response.body", "body": b"" if self._bodiless else bytes(response.body)}
        )


def _token(scope: Scope) -> str | None:
    """The token of a request that names exactly one, in the one way there is."""
    found = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(found) != 1:
        return None
    scheme, _, token = found[0].partition(b" ")
    if scheme.lower() != b"bearer" or not 0 < len(token) <= LONGEST_TOKEN or not token.isascii():
        return None
    return str(token, "ascii")


def _length(scope: Scope) -> int:
    told = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(told[0]) if told and told[0].isdigit() and len(told[0]) < 20 else 0


def _check_framing(scope: Scope) -> None:
    """Refuses a body whose length is told in two ways, which two servers may read as two requests, and one
    that is compressed, which may be a thousand times as long as it looks."""
    told = [name for name, _ in scope["headers"] if name in (b"content-length", b"transfer-encoding")]
    if len(told) > 1:
        raise refusals.plain(400, {"Connection": "close"})
    for name, value in scope["headers"]:
        if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            raise refusals.plain(415, {"Connection": "close"})


def tell(note: Note, error: BaseException) -> None:
    """Where it failed, for the operator; not the message, which may show a value of a row."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    names: list[Any] = [type(error).__name__]
    cause = error.__cause__ or error.__context__
    if cause is not None:
        names.append(type(cause).__name__)
        frames += "".join(traceback.format_tb(cause.__traceback__))
    _log.error("request %s failed: %s\n%s", note.request, " from ".join(names), frames)
