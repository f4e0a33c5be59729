"""Run the service of a project file until it is told to stop."""

from __future__ import annotations

import ipaddress
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.outcome import Json, Tables
from shoal.jobs.queries.project import first_owner, open_service, project_of
from shoal.queries.service.run import run, server


@dataclass(frozen=True)
class Serving:
    """Where a service listens; at its very first start also the token of its owner, shown only once."""

    url: str
    datasets: tuple[str, ...]
    token: str | None
    exposed: bool  # beyond this machine, without TLS

    def to_json(self) -> dict[str, Json]:
        return {"url": self.url, "datasets": list(self.datasets), "token": self.token}

    def to_tables(self) -> Tables:
        return {}


def serve_project(
    config: str | Path,
    host: str,
    port: int,
    tell: Callable[[Serving], None],
    certificate: str | None = None,
    key: str | None = None,
) -> None:
    """Answer until SIGINT or SIGTERM; `tell` is called once, when requests can come."""
    require("serve", "serving")
    project = project_of(config)
    with _open_socket(host, port) as listener:
        service = open_service(project)
        try:
            # What is wrong with the certificate is said before the owner's token is made and lost.
            made = server(service, host, port, certificate, key)
            token = first_owner(service)
            bound = listener.getsockname()[1]
            shown = f"[{host}]" if ":" in host else host
            scheme = "http" if certificate is None else "https"
            names = tuple(dataset.name for dataset in project.datasets)
            tell(
                Serving(f"{scheme}://{shown}:{bound}", names, token, certificate is None and not _here(host))
            )
            with _ends_gently():
                run(made, service, [listener])
        finally:
            service.close()


@contextmanager
def _open_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A socket of ours, so that a port in use is told before anything is opened."""
    if not 0 <= port <= 65_535:
        raise BadParameter(f"port {port} is out of range; choose one from 1,024 to 65,535")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, UnicodeError) as error:
        raise BadParameter(
            f"cannot listen at {host}:{port} ({error}); choose another --host or --port"
        ) from None
    with listener:
        # Connections inherit it. Without it the second part of an answer waits 40 ms for word of the first.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener


@contextmanager
def _ends_gently() -> Iterator[None]:
    """A signal to stop ends in KeyboardInterrupt, so that files are closed; it is no failure."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, before)


def _here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
