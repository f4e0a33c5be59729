"""People without a token: they may knock, but not keep others out, fill the disk or read files."""

import gzip
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from patience import end
from queries.service.houses import Address, House, headed, served
from queries.service.test_run import SCRIPT, free_port, wait_for

DESCRIPTORS = 200


@pytest.mark.slow
def test_idle_connections_beyond_all_descriptors_keep_nobody_out(house: House, tmp_path: Path) -> None:
    """More connections than the process may have files: those who know a token still get in, quietly."""
    house.service.close()
    log = tmp_path / "log"
    at = Address(free_port())
    few = f"resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))"
    limited = f"import resource; {few}\n{SCRIPT}"
    with log.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-c", limited, str(house.service.folder), str(at.port)], stderr=told
        )
    try:
        wait_for(process, at)
        hanging: list[socket.socket] = []
        for number in range(3 * DESCRIPTORS):
            hanging.append(socket.create_connection(("127.0.0.1", at.port), timeout=10))
            if number % 2:
                hanging[-1].sendall(b"GET /health HTTP/1.1\r\nX: y")
            if number % 100 == 99:
                assert (
                    at.ask(house.ada, f"SELECT COUNT(*) FROM visits WHERE age > {number % 90}", 0.01).status
                    == 200
                )
        for connection in hanging:
            connection.close()
        assert at.call("GET", "/health").status == 200
    finally:
        end(process)
    assert log.stat().st_size < 10_000
    assert b"Traceback" not in log.read_bytes()


def test_more_connections_than_an_address_may_have_close_its_oldest_idle_ones(house: House) -> None:
    with served(house.service) as at:
        first = socket.create_connection(("127.0.0.1", at.port), timeout=30)
        assert at.call("GET", "/health").status == 200
        others = [
            socket.create_connection(("127.0.0.1", at.port), timeout=30)
            for _ in range(house.service.settings.connections_each + 5)
        ]
        assert at.ask(house.ada).status == 200
        with suppress(ConnectionResetError):
            assert first.recv(1) == b""  # hung up on
        others[-1].sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert others[-1].recv(100).startswith(b"HTTP/1.1 200")
        for connection in (first, *others):
            connection.close()


@pytest.mark.parametrize("path", ["/query", "/health"])
def test_a_length_that_is_told_in_two_ways_is_refused(house: House, path: str) -> None:
    head = headed(house.ada).replace("/query", path)
    with served(house.service) as at:
        got = at.raw(f"{head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode(), 20)
        assert got.startswith(b"HTTP/1.1 400 ")
        assert got.count(b"HTTP/1.1") == 1  # what comes behind is no second request
        got = at.raw(f"{head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd".encode(), 20)
        assert got.startswith(b"HTTP/1.1 400 ")


def test_headers_without_an_end_are_refused(house: House) -> None:
    with served(house.service) as at:
        got = at.raw(b"GET /health HTTP/1.1\r\nX: " + b"x" * 400_000, 20)
        assert got.startswith(b"HTTP/1.1 400 ")


def test_what_comes_after_a_body_is_no_header(house: House) -> None:
    """A proxy that checks headers does not see it, so a token there lets nobody in."""
    with served(house.service) as at:
        head = b"POST /query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        token = f"Authorization: Bearer {house.ada}\r\n".encode()
        assert at.raw(head + b"2\r\n{}\r\n0\r\n" + token + b"\r\n", 20).startswith(b"HTTP/1.1 401 ")


def test_a_body_that_is_compressed_is_refused_unread(house: House) -> None:
    bomb = gzip.compress(b"id,age\n" + b"\n" * 10_000_000)
    with served(house.service) as at:
        for headers in ({"Content-Encoding": "gzip"}, {"Content-Encoding": "x, gzip"}):
            got = at.call(
                "POST", "/datasets/clinic/tables/visits/rows", house.owner, bomb, "text/csv", headers
            )
            assert (got.status, got.json["error"]) == (415, "content-type")
        # Without the header it is bytes that are no table.
        got = at.call("POST", "/datasets/clinic/tables/visits/rows", house.owner, bomb, "text/csv")
        assert (got.status, got.json["error"]) == (400, "bad-rows")


def test_rows_on_disk_are_for_the_owner_of_the_folder_alone(house: House) -> None:
    from shoal.queries.service.service import Service

    folder = house.service.folder
    house.service.close()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # as an earlier version left them
    service = Service(folder)
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert list(folder.glob("datasets/*.duckdb"))
    service.close()


@pytest.mark.slow
def test_what_a_running_service_writes_is_for_its_own_user_alone(house: House) -> None:
    house.service.close()
    at = Address(free_port())
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import os; os.umask(0o022)\n{SCRIPT}",
            str(house.service.folder),
            str(at.port),
        ]
    )
    try:
        wait_for(process, at)
        added = at.call("POST", "/datasets/clinic/tables/visits/rows", house.owner, [{"id": "new", "age": 4}])
        assert added.status == 200
        found = [path for path in house.service.folder.rglob("*") if path.is_file()]
        assert any(path.suffix == ".duckdb" for path in found)
        assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600}
    finally:
        end(process)


def test_requests_that_are_no_http_write_one_line_a_second(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a token: two lines for every upgrade that nobody offers, one for whatever is no request."""
    odd = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    with served(house.service) as url:
        for sent in [odd * 50, b"\0\r\n\r\n"] * 10:
            url.raw(sent, 0.5)
    warned = [record.created for record in caplog.records if record.name == "uvicorn.error"]
    assert all(later - earlier >= 0.99 for earlier, later in pairwise(warned))
