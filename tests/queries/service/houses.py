"""A small clinic and a real server on a loopback port."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from patience import LONG
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.service.run import server
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings

COUNT = "SELECT COUNT(*) AS n FROM visits"
FAST = Settings(rate=10_000, burst=10_000, failures=10_000, failures_burst=10_000, first_bucket=0.001, blur=0)


def clinic(name: str = "clinic", epsilon: float = 10, **changes: Any) -> Dataset:
    visits = Table(
        "visits",
        (
            Column("id"),
            Column("age", "integer", 0, 120),
            Column("ward", keys=("heart", "lung", "skin")),
            Column("ill", "boolean"),
        ),
        "id",
        rows=2,
    )
    plain: dict[str, Any] = {"budget": Budget(Fraction(epsilon)), "about": "people in wards"}
    return Dataset(name, (visits,), **{**plain, **changes})


def rows(number: int = 200) -> pl.DataFrame:
    wards = ("heart", "lung", "skin")
    return pl.DataFrame({
        "id": [f"Patient-{i:05}" for i in range(number)],
        "age": [i % 90 for i in range(number)],
        "ward": [wards[i % 3] for i in range(number)],
        "ill": [i % 2 == 0 for i in range(number)],
    })  # fmt: skip


@dataclass
class House:
    """A service with an owner, two analysts and a stranger's data set."""

    service: Service
    owner: str
    ada: str
    bob: str


def furnish(folder: Path, settings: Settings = FAST, epsilon: float = 10, ledger: str | None = None) -> House:
    service = Service(folder, ledger, settings)
    service.register(clinic(epsilon=epsilon), {"visits": rows()})
    service.register(clinic("secret"), {"visits": rows(7)})
    owner = service.add("olga", "owner")
    ada = service.add("ada", "analyst", "clinic", Fraction(epsilon))
    bob = service.add("bob", "analyst", "clinic", Fraction(1))
    return House(service, owner, ada, bob)


@dataclass(frozen=True)
class Got:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Address:
    """A server that listens."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(
        self,
        method: str,
        path: str,
        token: str | None = None,
        body: Any = None,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Got:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = kind
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            return Got(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def ask(self, token: str, sql: str = COUNT, epsilon: Any = 0.1, dataset: str = "clinic") -> Got:
        return self.call("POST", "/query", token, {"dataset": dataset, "sql": sql, "epsilon": epsilon})

    def until_in_line(self, owner: str, number: int) -> None:
        """Wait until so many questions hold a place or wait for one, however slow the machine is."""
        until, found = time.monotonic() + LONG, -1
        while found < number and time.monotonic() < until:
            text = self.call("GET", "/metrics", owner).body.decode()
            found = sum(map(int, re.findall(r'shoal_work{lane="questions",.*} (\d+)', text)))
            time.sleep(0.05)
        assert found >= number, f"{found} of {number} questions are in line"

    def raw(self, content: bytes, wait: float = 5.0) -> bytes:
        """Send bytes as they are and read what comes until the other side hangs up or `wait` is over."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            found = b""
            try:
                connection.sendall(content)
                while part := connection.recv(65536):
                    found += part
            except (TimeoutError, ConnectionError):
                pass
            return found


@contextmanager
def served(service: Service) -> Iterator[Address]:
    """The service behind a real uvicorn in a thread; stopped the way a signal stops it."""
    listening = socket.create_server(("127.0.0.1", 0))
    made = server(service, "127.0.0.1", 0)
    made.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not made.started and time.monotonic() < until:
        time.sleep(0.01)
    try:
        yield Address(listening.getsockname()[1])
    finally:
        made.should_exit = True
        thread.join(30)
        assert not thread.is_alive()
        listening.close()


def lines(house: House) -> list[dict[str, Any]]:
    """What the audit log holds."""
    return [json.loads(line) for line in house.service.audit.path.read_text().splitlines()]


def headed(token: str) -> str:
    """The headers of a question, without its length."""
    sent = (
        "POST /query HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
    )
    return "\r\n".join((*sent, ""))
