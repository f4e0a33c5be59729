"""The short way to /query answers and refuses as the long way does."""

import json
from pathlib import Path
from typing import Any

from queries.service.houses import COUNT, furnish, lines, served

SHORT, LONG = "application/json", "application/json ; charset=utf-8"
BODIES: list[Any] = [
    {"dataset": "clinic", "sql": COUNT, "epsilon": 0.1},
    {"dataset": "clinic", "sql": COUNT, "epsilon": "0.1", "delta": 0},
    {"dataset": "clinic", "sql": "SELECT pid FROM visits", "epsilon": 0.1},
    {"dataset": "clinic", "sql": COUNT, "epsilon": 10**6},
    {"dataset": "clinic", "sql": COUNT, "epsilon": True},
    {"dataset": "clinic", "sql": COUNT, "epsilon": 0.1, "more": 1},
    {"dataset": "elsewhere", "sql": COUNT, "epsilon": 0.1},
    {"dataset": "clinic", "epsilon": 0.1},
    {"dataset": "clinic", "sql": "\ud800", "epsilon": 0.1},
    [],
    b"{",
    b"\xff",
    b"[" * 100_000,
    b"",
    b'{"dataset": "clinic", "sql": "SELECT 1", "epsilon": NaN}',
]


def test_both_ways_give_the_same_answer_or_refusal(tmp_path: Path) -> None:
    told = []
    for number, kind in enumerate((SHORT, LONG)):
        house = furnish(tmp_path / str(number))
        with served(house.service) as at:
            replies = [at.call("POST", "/query", house.ada, body, kind) for body in BODIES]
        noted = [(line["action"], line["status"], line["error"], line["cost"]) for line in lines(house)]
        found = []
        for reply in replies:
            document = json.loads(reply.body)
            for part in ("rows", "interval", "id"):  # noise, and what is made of it
                document.pop(part, None)
            found.append((reply.status, reply.headers["content-type"], document))
        told.append((found, noted))
        house.service.close()
    assert told[0] == told[1]
    assert {200, 400, 404, 422} <= {status for status, _, _ in told[0][0]}
