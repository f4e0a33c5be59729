"""Start the service, and let it finish what it has begun when it is told to stop.

One process: DuckDB lets one process write to a file, and that process sees every change of the rows at once.
What takes time, DuckDB and the ledger's disk, runs in threads beside the event loop and outside of Python's
lock.
"""

from __future__ import annotations

import asyncio
import gc
import math
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.sampling.noise import warm
from shoal.queries.service.connections import Crowd, Quietly, places, warn_sparsely
from shoal.queries.service.service import Service
from shoal.queries.service.shutdown import GRACE, Deadline, working

if TYPE_CHECKING:
    import uvicorn

HEADERS_WITHIN = 20.0  # seconds
HEADER_BYTES = 2**16
BACKLOG = 128  # connections that the system keeps until they are looked at


def serve(
    service: Service,
    host: str = "127.0.0.1",
    port: int = 8765,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
) -> None:
    """Answer requests until the process is told to stop; with a certificate and its key over TLS.

    Without, tokens and answers are readable on the way: stay on this machine, or put a TLS proxy before it.
    """
    made = server(service, host, port, certificate, key)
    # Trees of questions die young; what the service itself is made of need not be looked at again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    run(made, service)


def run(made: uvicorn.Server, service: Service, sockets: list[socket.socket] | None = None) -> None:
    """Let a server answer until it is told to stop; then the process ends within ten seconds."""
    os.umask(0o077)  # what DuckDB writes beside its file is for nobody else
    warm()
    end = Deadline(service)
    made.handle_exit = _first(end.start, made.handle_exit)  # type: ignore[method-assign]
    try:
        made.run(sockets=sockets)
    finally:
        end.start()
        service.cancel()
        service.close()
        if not working(within=1.0):
            end.lift()


def _first(before: Callable[[], None], then: Callable[..., None]) -> Callable[..., None]:
    def both(*given: Any) -> None:
        before()
        then(*given)

    return both


def server(
    service: Service,
    host: str = "127.0.0.1",
    port: int = 8765,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
) -> uvicorn.Server:
    """The server that `serve` runs, for those who start and stop it themselves."""
    require("serve", "serving")
    import uvicorn

    from shoal.queries.service.app import application

    if (certificate is None) != (key is None):
        raise BadParameter("TLS takes a certificate and its key; one of them is missing")
    app = application(service)
    warn_sparsely("uvicorn.error")  # a line for every request that is no HTTP, and two for an upgrade
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=_patient(Crowd(places(service.settings.connections), service.settings.connections_each)),
        ws="none",
        log_config=None,
        access_log=False,  # the audit log is ours, and addresses may name a person who is to be forgotten
        server_header=False,
        proxy_headers=False,  # anybody can write X-Forwarded-For
        backlog=BACKLOG,
        timeout_graceful_shutdown=math.ceil(GRACE) + 2,
        ssl_certfile=None if certificate is None else str(certificate),
        ssl_keyfile=None if key is None else str(key),
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(Quietly())
            await super().startup(sockets)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            hurry = asyncio.ensure_future(self._hurry())
            await super().shutdown(sockets)
            hurry.cancel()

        async def _hurry(self) -> None:
            """First questions are ended, then all that still waits: uvicorn itself would tell tracebacks."""
            await asyncio.sleep(GRACE)
            ending = asyncio.get_running_loop().run_in_executor(None, service.cancel)
            await asyncio.wait([ending], timeout=1)
            await asyncio.sleep(0.5)
            if app.lanes is not None:
                app.lanes.abandon()
            await asyncio.sleep(0.2)
            for connection in list(self.server_state.connections):
                connection.transport.abort()

    return Server(config)


def _patient(crowd: Crowd) -> type[asyncio.Protocol]:
    """uvicorn's protocol, which by itself waits for the end of the headers as long as a client likes."""
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class Patient(HttpToolsProtocol):
        _waits: asyncio.TimerHandle | None = None
        _within_head, _head = True, 0  # bytes until the headers are complete

        def data_received(self, data: bytes) -> None:
            self._head += len(data)
            super().data_received(data)
            if self._within_head and self._head > HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("The headers are too long.")

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._within_head, self._head = True, 0

        def on_header(self, name: bytes, value: bytes) -> None:
            if self._within_head:  # what comes after the body is none, whoever sends it
                super().on_header(name, value)

        def on_headers_complete(self) -> None:
            self._within_head = False
            super().on_headers_complete()

        @property
        def idle(self) -> bool:
            return self.cycle is None or bool(self.cycle.response_complete)

        def hang_up(self) -> None:
            self.transport.abort()

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = (self.client or ("", 0))[0]
            if crowd.enter(self, self._address):
                self._wait()
            else:
                transport.abort()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._waits is not None:
                self._waits.cancel()
            crowd.leave(self, self._address)
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._waits is not None:
                self._waits.cancel()
            self._waits = self.loop.call_later(HEADERS_WITHIN, self._give_up, self.cycle)

        def _give_up(self, before: Any) -> None:
            if self.cycle is before and self.idle and not self.transport.is_closing():
                self.transport.close()

    return Patient
