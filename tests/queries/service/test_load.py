"""Many at once: everybody is answered, or sent away at once and for free."""

import select
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from patience import LONG, all_done
from queries.service.houses import COUNT, FAST, Address, House, furnish, headed, served
from shoal.queries.service.settings import Settings

QUESTION = {"dataset": "clinic", "sql": COUNT, "epsilon": 0.01}


def test_half_a_request_blocks_nobody(house: House, at: Address) -> None:
    half = f"{headed(house.ada)}Content-Length: 100\r\n\r\n{{"
    hanging = [socket.create_connection(("127.0.0.1", at.port)) for _ in range(50)]
    for connection in hanging:
        connection.sendall(half.encode())
    assert at.ask(house.ada, epsilon=0.01).status == 200
    assert select.select(hanging, [], [], 0)[0] == [], "all of them still wait"
    for connection in hanging:
        connection.close()


def test_many_clients_at_once_all_get_their_answer(house: House, at: Address) -> None:
    statuses: list[int] = []

    def ask(name: int) -> None:
        for number in range(5):
            # Another question each time: the archive would answer the same one.
            sql = f"SELECT COUNT(*) FROM visits WHERE age > {name * 5 + number}"
            statuses.append(at.ask(house.ada, sql, 0.001).status)

    threads = [threading.Thread(target=ask, args=(name,), daemon=True) for name in range(8)]
    for thread in threads:
        thread.start()
    all_done(threads)
    assert statuses == [200] * 40


def test_when_too_many_wait_others_are_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(rate=FAST.rate, burst=FAST.burst, workers=1, waiting=1)
    house, go = furnish(tmp_path / "x", settings), threading.Event()
    ask = house.service.ask

    def slow(*given: Any) -> Any:
        go.wait(LONG)
        return ask(*given)

    monkeypatch.setattr(house.service, "ask", slow)
    with served(house.service) as at:
        found: list[int] = []
        waiting = [
            threading.Thread(target=lambda: found.append(at.ask(house.ada).status), daemon=True)
            for _ in range(2)
        ]
        for thread in waiting:
            thread.start()
        at.until_in_line(house.owner, 2)
        got = at.ask(house.bob)
        assert (got.status, got.json["error"], got.headers["retry-after"]) == (503, "busy", "1")
        assert at.call("GET", "/health").status == 200
        go.set()
        all_done(waiting)
        assert found == [200, 200]
    house.service.close()
