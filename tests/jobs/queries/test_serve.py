"""The service of a project file as a process."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import shoal
from jobs.projects import project
from patience import end, last_words, line_of
from shoal.core.errors import BadParameter, ShoalError
from shoal.jobs.queries import owner as owning
from shoal.jobs.queries.serve import _open_socket, serve_project

pytest.importorskip("uvicorn")
COMMAND = (
    sys.executable,
    "-c",
    "from shoal.faces.cli import main; main()",
    "query",
    "serve",
    "--json",
    "--port",
    "0",
)


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    told: dict[str, Any]


@contextmanager
def running(place: Path) -> Iterator[Running]:
    process = subprocess.Popen(
        [*COMMAND, "--config", str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    try:
        line = line_of(process)
        assert line, last_words(process)
        yield Running(process, json.loads(line))
    finally:
        end(process)
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def test_it_listens_tells_the_first_token_and_stops_when_told(tmp_path: Path) -> None:
    place = project(tmp_path)
    with running(place) as first:
        client = shoal.connect(first.told["url"], first.told["token"])
        answer = client.ask("SELECT COUNT(*) AS n FROM people", epsilon=1)
        assert answer.remaining["epsilon"] == 3
        with owning.ledger_at(place, None) as ledger:  # beside the running service
            analyst = owning.add(ledger, "ada", "clinic", "0.5")
        ada = shoal.connect(first.told["url"], analyst.token)
        with pytest.raises(shoal.Spent):
            ada.ask("SELECT COUNT(*) AS n FROM people", epsilon=1)
        with pytest.raises(ShoalError, match="token"):
            shoal.connect(first.told["url"], "shoal_wrong").budget("clinic")
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(60) == 0
        said = last_words(first.process)
        assert said and "stopped" in said and first.told["token"] not in said
    with running(place) as second:
        assert second.told["token"] is None
        client = shoal.connect(second.told["url"], first.told["token"])
        assert client.budget().remaining["epsilon"] == 3
        again = client.ask("SELECT COUNT(*) AS n FROM people", epsilon=1)
        assert again.archived and again.rows == answer.rows


def test_a_port_in_use_is_told_before_anything_is_made(tmp_path: Path) -> None:
    place = project(tmp_path)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(BadParameter, match="cannot listen"),
    ):
        serve_project(place, "127.0.0.1", taken.getsockname()[1], lambda _: None)
    for host, port in (("127.0.0.1", 70_000), ("no such host", 0)):
        with pytest.raises(BadParameter, match=r"out of range|cannot listen"):
            serve_project(place, host, port, lambda _: None)
    assert not (tmp_path / "database").exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answer_does_not_wait_for_word_of_its_first_part(host: str) -> None:
    with _open_socket(host, 0) as listener:
        there = socket.create_connection(listener.getsockname()[:2], timeout=60)
        here, _ = listener.accept()
        with there, here:
            assert here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
