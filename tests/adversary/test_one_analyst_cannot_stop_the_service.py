"""One analyst with a token and bad intentions; everybody else goes on."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from adversary.nasty import CHAINS
from patience import end, until
from queries.service.houses import COUNT, FAST, Address, House, furnish, headed, lines, served
from queries.service.test_run import free_port, wait_for
from shoal.queries.service.settings import Settings

WAIT = 60.0
STUBBORN = """
import sys, time
from shoal.queries.service import run
from shoal.queries.service.service import Service
service = Service(sys.argv[1])
def ask(*given):  # an engine that listens to nobody
    open(sys.argv[3], "w").close()
    time.sleep(3600)
service.ask = ask
run.serve(service, port=int(sys.argv[2]))
"""
PROJECT = """
import sys
from shoal.jobs.queries.serve import serve_project
from shoal.queries.service.service import Service
import time
def ask(*given):
    open(sys.argv[3], "w").close()
    time.sleep(3600)
Service.ask = ask
tell = lambda serving: open(sys.argv[4], "w").write(serving.token)
serve_project(sys.argv[1], "127.0.0.1", int(sys.argv[2]), tell)
"""


class Held:
    """Questions that go on until they are let go."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.begun = threading.Event(), threading.Semaphore(0)
        self.asked: list[str] = []
        real = house.service.ask

        def slow(person: Any, dataset: str, sql: str, *given: Any) -> Any:
            self.asked.append(sql)
            self.begun.release()
            assert self.go.wait(WAIT)
            return real(person, dataset, sql, *given)

        monkeypatch.setattr(house.service, "ask", slow)


@contextmanager
def asking(at: Address, token: str, number: int, found: list[int]) -> Iterator[None]:
    threads = [
        threading.Thread(
            target=lambda n=n: found.append(at.ask(token, f"{COUNT} WHERE age > {n}", 0.001).status),
            daemon=True,
        )
        for n in range(number)
    ]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()


def test_long_questions_keep_neither_the_owner_nor_those_who_look_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(house, monkeypatch)
    found: list[int] = []
    workers = house.service.settings.workers
    with served(house.service) as at, asking(at, house.ada, workers + 3, found):
        for _ in range((workers + 1) // 2):
            assert held.begun.acquire(timeout=WAIT)
        for path in ("/budget?dataset=clinic", "/log?dataset=clinic", "/datasets"):
            assert at.call("GET", path, house.ada).status == 200
        assert at.call("POST", "/analysts/ada/grants", house.owner, {"dataset": "clinic"}).status == 200
        assert at.call("DELETE", "/analysts/ada", house.owner).status == 200
        assert at.call("GET", "/budget?dataset=clinic", house.ada).status == 401
        assert found == []  # all of that while the questions still ran
        held.go.set()


def test_one_analyst_never_holds_all_workers_nor_the_whole_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(rate=FAST.rate, burst=FAST.burst, workers=2, waiting=8)
    house = furnish(tmp_path / "x", settings)
    held = Held(house, monkeypatch)
    found: list[int] = []
    with served(house.service) as at, asking(at, house.ada, 12, found):
        assert held.begun.acquire(timeout=WAIT)
        until = time.monotonic() + WAIT
        while len(found) < 9 and time.monotonic() < until:  # one runs, two wait, nine are sent away
            time.sleep(0.05)
        assert found == [503] * 9
        other: list[int] = []
        thread = threading.Thread(target=lambda: other.append(at.ask(house.bob).status), daemon=True)
        thread.start()
        assert held.begun.acquire(timeout=WAIT)  # bob's runs while ada's are held
        held.go.set()
        thread.join(WAIT)
        assert other == [200]
    assert sorted(found) == [200] * 3 + [503] * 9
    house.service.close()


def test_who_hangs_up_in_line_leaves_no_more_work_behind_than_who_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is done and paid for, or the cost would tell when it began; the line is as long as for everybody."""
    settings = Settings(rate=FAST.rate, burst=FAST.burst, workers=1, waiting=8)
    house = furnish(tmp_path / "x", settings)
    held = Held(house, monkeypatch)
    found: list[int] = []
    with served(house.service) as at, asking(at, house.ada, 1, found):
        assert held.begun.acquire(timeout=WAIT)
        for number in range(10):
            sql = f"{COUNT} WHERE age = {70 + number}"
            body = json.dumps({"dataset": "clinic", "sql": sql, "epsilon": 0.001}).encode()
            with socket.create_connection(("127.0.0.1", at.port)) as gone:
                gone.sendall(f"{headed(house.bob)}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                time.sleep(0.1)
        until(lambda: _statuses(house) == [503] * 8, "eight of ten to be sent away: a quarter may wait")
        held.go.set()
        until(lambda: _statuses(house) == [200] * 2 + [503] * 8, "two to be answered")
    assert found == [200]
    house.service.close()


def _statuses(house: House) -> list[int]:
    return sorted(line["status"] for line in lines(house) if line["person"] == "bob")


@pytest.mark.parametrize("kind", ["method calls", "indexes", "joins", "casts to what nobody knows"])
def test_texts_made_for_the_parser_keep_nobody_waiting(house: House, kind: str) -> None:
    text = CHAINS[kind](2_000)
    done: list[int] = []
    with served(house.service) as at:
        body = {"dataset": "clinic", "sql": text, "epsilon": 0.1}
        threads = [
            threading.Thread(
                target=lambda: done.append(at.call("POST", "/estimate", house.ada, body).status), daemon=True
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        assert at.call("GET", "/health").status == 200
        assert at.ask(house.bob).status == 200
        for thread in threads:
            thread.join(WAIT)
    assert done == [400] * 4


def test_short_texts_that_double_the_work_with_every_word_are_refused_soon(house: House) -> None:
    texts = [
        "SELECT " + "DATE(" * 60 + "1" + ")" * 60 + " FROM visits",
        "SELECT 1 FROM visits" + " JOIN visits" * 60,
    ]
    with served(house.service) as at:
        for text in texts:
            got = at.call("POST", "/estimate", house.ada, {"dataset": "clinic", "sql": text, "epsilon": 0.1})
            assert (got.status, got.json["error"]) == (400, "not-allowed")


def test_questions_at_next_to_nothing_are_refused_before_anything_is_spent(house: House) -> None:
    with served(house.service) as at:
        got = at.ask(house.ada, epsilon="1e-9")
        assert (got.status, got.json["error"]) == (400, "bad-parameter")
        assert got.json["detail"] == "ε of 1e-09 is too little for a question; 0.001 is the least here"
        assert at.call("GET", "/budget?dataset=clinic", house.ada).json["spent"]["epsilon"] == 0
        assert at.ask(house.ada, epsilon="1e-3").status == 200


def test_groups_times_aggregates_beyond_memory_are_refused_with_the_figures(house: House) -> None:
    sums = ", ".join(f"AVG(age + {n})" for n in range(20))
    keys = "age, (age + 1) % 120, ward"
    with served(house.service) as at:
        got = at.ask(house.ada, f"SELECT {sums} FROM visits GROUP BY {keys}")
    assert (got.status, got.json["error"]) == (400, "not-allowed")
    assert "do not fit into memory; 2,000,000 figures are the most" in got.json["detail"]


@pytest.mark.slow
@pytest.mark.parametrize("slow_client", [False, True])
def test_a_signal_ends_the_process_whatever_runs(house: House, tmp_path: Path, slow_client: bool) -> None:
    house.service.close()
    at, begun = Address(free_port()), tmp_path / "begun"
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, str(house.service.folder), str(at.port), str(begun)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        wait_for(process, at)
        _stopped(process, at, house.ada, begun, slow_client)
    finally:
        end(process)


@pytest.mark.slow
def test_a_signal_ends_the_service_of_a_project_whatever_runs(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,age\n1,2\n")
    (tmp_path / "shoal.toml").write_text(
        '[query.datasets.clinic]\nunit = "id"\nepsilon = 4\n[query.datasets.clinic.tables.visits]\n'
        'file = "p.csv"\n[query.datasets.clinic.tables.visits.columns]\nage = "integer 0..120"\n'
    )
    at, begun, token = Address(free_port()), tmp_path / "begun", tmp_path / "token"
    process = subprocess.Popen(
        [sys.executable, "-c", PROJECT, str(tmp_path / "shoal.toml"), str(at.port), str(begun), str(token)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        wait_for(process, at)
        _stopped(process, at, token.read_text(), begun, slow_client=True)
        assert process.returncode == 0
    finally:
        end(process)


def _stopped(
    process: subprocess.Popen[bytes], at: Address, token: str, begun: Path, slow_client: bool
) -> None:
    hanging = []
    if slow_client:
        for sent in ("", f"{headed(token)}Content-Length: 100\r\n\r\n{{", "GET / HT"):
            hanging.append(socket.create_connection(("127.0.0.1", at.port)))
            hanging[-1].sendall(sent.encode())
    thread = threading.Thread(target=_ask, args=(at, token), daemon=True)
    thread.start()
    until = time.monotonic() + WAIT
    while not begun.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert begun.exists()
    os.kill(process.pid, signal.SIGTERM)
    _, told = process.communicate(timeout=30)  # ten seconds, and twenty for a machine that others use
    assert b"Traceback" not in told, told.decode()
    for connection in hanging:
        connection.close()


def _ask(at: Address, token: str) -> None:
    with suppress(OSError, http.client.HTTPException):  # it is cut off
        at.ask(token)
