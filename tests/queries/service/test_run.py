"""A real process: it starts, answers, finishes what it began, and ends."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from patience import LONG, all_done, end, last_words
from queries.service.houses import Address, House, furnish, served
from shoal.core.errors import BadParameter, NotInstalled
from shoal.queries.service import run
from shoal.queries.service.service import Service

SCRIPT = """
import sys
from shoal.queries.service.run import serve
from shoal.queries.service.service import Service
serve(Service(sys.argv[1]), port=int(sys.argv[2]))
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()


@dataclass
class Running:
    """A service in a process of its own."""

    process: subprocess.Popen[bytes]
    at: Address


@contextmanager
def started(folder: Path) -> Iterator[Running]:
    at = Address(free_port())
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(at.port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        wait_for(process, at)
        yield Running(process, at)
    finally:
        end(process)


def wait_for(process: subprocess.Popen[bytes], at: Address, seconds: float = LONG) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            at.call("GET", "/health")
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
    ended = process.poll()
    raise AssertionError(
        f"no service within {seconds:g} s (code {ended}): {(last_words(process) or b'').decode()}"
    )


def test_waiting_for_a_service_that_never_listens_ends() -> None:
    silent = "import sys, time; print('still here', file=sys.stderr, flush=True); time.sleep(3600)"
    process = subprocess.Popen([sys.executable, "-c", silent], stderr=subprocess.PIPE)
    try:
        with pytest.raises(AssertionError, match="still here"):
            wait_for(process, Address(free_port()), seconds=1)
        assert process.returncode is not None
    finally:
        end(process)


@pytest.mark.slow
def test_a_process_serves_is_killed_comes_back_and_has_forgotten_nothing(house: House) -> None:
    house.service.close()
    with started(house.service.folder) as first:
        at = first.at
        assert at.ask(house.ada, epsilon=2).status == 200
        grown = at.call("POST", "/datasets/clinic/tables/visits/rows", house.owner, [{"id": "new", "age": 4}])
        assert grown.status == 200
        os.kill(first.process.pid, signal.SIGKILL)
    with started(house.service.folder) as second:
        at = second.at
        assert at.call("GET", "/budget?dataset=clinic", house.ada).json["spent"]["epsilon"] == 2
        entries = at.call("GET", "/log?dataset=clinic", house.ada).json["entries"]
        assert [entry["kind"] for entry in entries] == ["reserve", "grant"]
        second.process.send_signal(signal.SIGTERM)
        out, err = second.process.communicate(timeout=LONG)
    assert out == b""  # the library never prints
    assert b"Traceback" not in err
    service = Service(house.service.folder)
    assert service._stores["clinic"].version >= 2
    service.close()


def test_a_question_that_runs_is_answered_before_the_service_stops(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ask, found = threading.Event(), house.service.ask, []

    def slow(*given: object) -> object:
        begun.set()
        time.sleep(0.7)
        return ask(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(house.service, "ask", slow)
    with served(house.service) as at:
        thread = threading.Thread(target=lambda: found.append(at.ask(house.ada).status), daemon=True)
        thread.start()
        assert begun.wait(10)
    all_done([thread])
    assert found == [200]


def test_headers_that_drip_are_cut_off(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "HEADERS_WITHIN", 0.5)
    with (
        served(house.service) as at,
        socket.create_connection(("127.0.0.1", at.port), timeout=10) as connection,
    ):
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        with pytest.raises(OSError):
            for _ in range(1_000):
                connection.sendall(b"X: y\r\n")
                time.sleep(0.1)


def test_a_long_question_is_not_taken_for_headers_that_drip(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "HEADERS_WITHIN", 0.3)
    ask = house.service.ask

    def slow(*given: object) -> object:
        time.sleep(0.9)
        return ask(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(house.service, "ask", slow)
    with served(house.service) as at:
        body = b'{"dataset": "clinic", "sql": "SELECT COUNT(*) FROM visits", "epsilon": 0.1}'
        connection = http.client.HTTPConnection("127.0.0.1", at.port, timeout=10)
        headers = {"Authorization": f"Bearer {house.ada}", "Content-Type": "application/json"}
        for _ in range(2):
            connection.request("POST", "/query", body, headers)
            response = connection.getresponse()
            assert response.status == 200
            response.read()
        connection.close()


def test_without_the_extra_it_says_what_to_install(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(NotInstalled, match=re.escape("pip install 'shoal[serve]'")):
        run.server(house.service)


def test_half_of_what_tls_takes_is_refused(house: House) -> None:
    with pytest.raises(BadParameter, match="one of them is missing"):
        run.server(house.service, certificate="cert.pem")
