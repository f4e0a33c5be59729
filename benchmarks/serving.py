"""What `shoal query serve` starts, asked by eight clients on connections that stay open.

A process of its own with a project file, as an owner would start it; the ledger is on disk, the rows come
from a file. Answers leave at 0.1, 0.3, 1 … seconds unless the owner chooses otherwise, so that eight clients
who wait for their answers get 80 a second by default: the project here sets `first_bucket` to 6 ms, of which
eight clients could have 1,333 answers a second.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import show

ROWS = 100_000
CLIENTS = 8
SECONDS = 8.0
_PROJECT = """
[query]
folder = "database"
rate = 10000
burst = 10000
first_bucket = 0.006

[query.datasets.bench]
unit = "id"
epsilon = 1000000

[query.datasets.bench.tables.people]
file = "people.csv"

[query.datasets.bench.tables.people.columns]
id = "integer"
age = "integer 0..120"
income = "number 0..200000"
region = "text {regions}"
"""


@dataclass
class Tally:
    """What one client saw."""

    token: str
    waits: list[float] = field(default_factory=list)
    trouble: str = ""


def run(rows: int | None = None, seconds: float = SECONDS) -> None:
    """Different count questions from eight clients at once, through HTTP, tokens, ledger and audit log."""
    with tempfile.TemporaryDirectory() as folder:
        child, ready = started(Path(folder), rows or ROWS)
        try:
            port = int(ready["url"].rpartition(":")[2])
            clients = [Tally(_analyst(port, ready["token"], index)) for index in range(CLIENTS)]
            _all_ask(port, clients, 0.5, 10**6)  # nothing is compiled or looked up for the first time below
            for client in clients:
                client.waits.clear()
            cpu = (_work_of(child.pid), time.process_time())
            began = time.perf_counter()
            _all_ask(port, clients, seconds, 0)
            took = time.perf_counter() - began
            used = (_work_of(child.pid) - cpu[0], time.process_time() - cpu[1])
        finally:
            child.terminate()
            child.wait(60)
    for client in clients:
        if client.trouble:
            raise RuntimeError(client.trouble)
    waits = sorted(wait for client in clients for wait in client.waits)
    number = len(waits)
    show.table(
        f"answered, durable, distinct counts by `shoal query serve`, {CLIENTS} clients that keep their"
        f" connections, {rows or ROWS:,} rows, first_bucket 0.006",
        ["answered/s", "median ms", "99 % ms", "CPU ms of the server", "of the clients"],
        [
            [
                f"{number / took:.0f}",
                f"{waits[number // 2] * 1000:.1f}",
                f"{waits[int(number * 0.99)] * 1000:.1f}",
                f"{used[0] / number * 1000:.2f}",
                f"{used[1] / number * 1000:.2f}",
            ],
        ],
    )


def started(folder: Path, rows: int) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    """The service of a project file in a process of its own, and what it says when it listens."""
    from benchmarks.queries import REGIONS, frame

    frame(rows).write_csv(folder / "people.csv")
    (folder / "shoal.toml").write_text(_PROJECT.format(regions="|".join(REGIONS)))
    command = ["-m", "shoal", "query", "serve", "--config", str(folder / "shoal.toml"), "--port", "0"]
    child = subprocess.Popen(
        [sys.executable, *command, "--json"], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    timer = threading.Timer(300, child.kill)  # one that says nothing is ended, which ends the reading too
    timer.daemon = True
    timer.start()
    try:
        assert child.stdout is not None
        return child, json.loads(child.stdout.readline())
    except BaseException:
        child.kill()
        raise
    finally:
        timer.cancel()


def _analyst(port: int, owner: str, index: int) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = {"name": f"analyst{index}", "dataset": "bench", "epsilon": 1000}
    line.request("POST", "/analysts", json.dumps(body), _headers(owner))
    with line.getresponse() as response:
        return str(json.load(response)["token"])


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


def _all_ask(port: int, clients: list[Tally], seconds: float, first: int) -> None:
    end = time.perf_counter() + seconds
    threads = [
        threading.Thread(target=_ask, args=(port, client, end, first + index * 10_000), daemon=True)
        for index, client in enumerate(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 120)


def _ask(port: int, client: Tally, end: float, first: int) -> None:
    """One question after the other; the bytes by hand, because a library would use what the server needs."""
    head = f"POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.token}\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number = 0
        while time.perf_counter() < end:
            number += 1
            sql = f"SELECT COUNT(*) FROM people WHERE income > {first + number / 100}"
            body = json.dumps({"dataset": "bench", "sql": sql, "epsilon": 0.001})
            began = time.perf_counter()
            line.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            answer = _answer(line)
            if not answer.startswith(b"HTTP/1.1 200 "):
                client.trouble = answer.decode(errors="replace")
                return
            client.waits.append(time.perf_counter() - began)


def _answer(line: socket.socket) -> bytes:
    found = b""
    while True:
        part = line.recv(65536)
        found += part
        head, cut, body = found.partition(b"\r\n\r\n")
        if not part:
            return found
        if cut and len(body) >= int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]):
            return found


def _work_of(process: int) -> float:
    """Seconds that a process and the children that it has ended have worked."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK")
