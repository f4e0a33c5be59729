"""Start the service, and let it finish what it has begun when it is told to stop.

One process: DuckDB lets one process write to a file, and that process sees every change of the rows at once.
What takes time, DuckDB and the ledger's disk, runs in threads beside the event loop and outside of Python's
lock.
"""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.queries.service.service import Service

if TYPE_CHECKING:
    import uvicorn

HEADERS_WITHIN = 20.0  # seconds
CONNECTIONS = 2000  # more are turned away by a bare 503, before anything of ours is asked
HEADER_BYTES = 2**16


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
    try:
        made.run()
    finally:
        service.close()


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
    config = uvicorn.Config(
        application(service),
        host=host,
        port=port,
        http=_patient(),
        ws="none",
        log_config=None,
        access_log=False,  # the audit log is ours, and addresses may name a person who is to be forgotten
        server_header=False,
        proxy_headers=False,  # anybody can write X-Forwarded-For
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=HEADER_BYTES,
        ssl_certfile=None if certificate is None else str(certificate),
        ssl_keyfile=None if key is None else str(key),
    )
    return uvicorn.Server(config)


def _patient() -> type[asyncio.Protocol]:
    """uvicorn's protocol, which by itself waits for the end of the headers as long as a client likes."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Patient(H11Protocol):
        _waits: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._waits is not None:
                self._waits.cancel()
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._waits is not None:
                self._waits.cancel()
            self._waits = self.loop.call_later(HEADERS_WITHIN, self._give_up, self.cycle)

        def _give_up(self, before: Any) -> None:
            idle = self.cycle is before and (before is None or before.response_complete)
            if idle and not self.transport.is_closing():
                self.transport.close()

    return Patient
