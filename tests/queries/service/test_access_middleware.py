"""Who comes in, how often, with how much; and a line in the log before any answer."""

import os
import socket
import time
from pathlib import Path

import pytest

from queries.service.houses import COUNT, Address, House, furnish, headed, lines, served
from shoal.queries.service import access_middleware as access_middleware
from shoal.queries.service.access_middleware import Patience
from shoal.queries.service.settings import Settings

QUESTION = {"dataset": "clinic", "sql": COUNT, "epsilon": 0.01}


def test_whoever_has_no_valid_token_gets_one_and_the_same_answer(house: House, at: Address) -> None:
    gone = house.service.add("gone")
    house.service.revoke("gone")
    forged = house.ada[:-1] + ("A" if house.ada[-1] != "A" else "B")
    headers: list[dict[str, str]] = [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Basic {house.ada}"},
        {"Authorization": house.ada},
        {"Authorization": f"Bearer {house.ada} "  + "x"},
        {"Authorization": f"Bearer  {house.ada}"},
        {"Authorization": f"Bearer {forged}"},
        {"Authorization": f"Bearer {gone}"},
        {"Authorization": f"Bearer {'x' * 5000}"},
        {"Authorization": "Bearer ' OR 1=1 --"},
        {"Authorization": "Bearer tök\u00e9n"},
        {"Cookie": f"token={house.ada}"},
        {"X-Api-Key": house.ada},
    ]  # fmt: skip
    found = []
    for sent in headers:
        encoded = {name: value.encode("utf-8").decode("latin-1") for name, value in sent.items()}
        found.append(at.call("POST", "/query", body=QUESTION, headers=encoded))
    found.append(at.call("POST", f"/query?token={house.ada}&access_token={house.ada}", body=QUESTION))
    found.append(at.call("GET", "/nowhere"))
    found.append(at.call("DELETE", "/query"))
    found.append(at.call("POST", "/query", body=b"{not json"))
    assert {got.status for got in found} == {401}
    assert len({got.body for got in found}) == 1
    varying = {"x-request-id", "date"}
    assert (
        len({tuple(sorted((k, v) for k, v in got.headers.items() if k not in varying)) for got in found}) == 1
    )


def test_two_tokens_at_once_are_none(house: House, at: Address) -> None:
    one = f"Authorization: Bearer {house.ada}\r\n"
    got = at.raw(f"GET /datasets HTTP/1.1\r\nHost: x\r\n{one}{one}Connection: close\r\n\r\n".encode())
    assert got.startswith(b"HTTP/1.1 401 ")


def test_a_body_of_a_stranger_is_not_read(at: Address) -> None:
    # Ten times what a question may have, announced and never sent: who waited for it would say 408 instead.
    got = at.raw(
        b"POST /query HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\nConnection: close\r\n\r\n", 60
    )
    assert got.startswith(b"HTTP/1.1 401 ")


def test_open_pages_need_no_token_and_carry_the_same_armour(at: Address) -> None:
    for path in access_middleware.OPEN:
        got = at.call("GET", path)
        assert got.status == 200
        assert got.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in got.headers["content-security-policy"]
        assert "server" not in got.headers
        assert "access-control-allow-origin" not in got.headers


def test_head_is_get_without_a_body_and_the_host_does_not_matter(house: House, at: Address) -> None:
    got = at.call("HEAD", "/health", headers={"Host": "evil.example"})
    assert (got.status, got.body) == (200, b"")
    assert at.call("HEAD", "/datasets", house.ada).status == 200
    assert at.call("HEAD", "/query", house.ada).status == 405


def test_there_is_no_cross_origin_door(house: House, at: Address) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    got = at.call("OPTIONS", "/query", house.ada, headers=asked)
    assert got.status == 405
    assert got.headers["allow"] == "POST"
    assert not [name for name in got.headers if name.startswith("access-control")]


def test_every_request_of_a_person_leaves_one_line_and_no_token_is_in_it(house: House, at: Address) -> None:
    before = len(lines(house))
    got = at.ask(house.ada, "select   count(*) from VISITS", 0.02)
    at.ask(house.ada, "DROP TABLE visits", 0.02)
    at.call("GET", "/nothing/there", house.ada)
    at.call("GET", "/budget?dataset=clinic", "wrong-token-123")
    new = lines(house)[before:]
    assert [(line["person"], line["action"], line["status"]) for line in new] == [
        ("ada", "query", 200),
        ("ada", "query", 400),
        ("ada", "enter", 404),
        (None, "enter", 401),
    ]
    assert new[0]["request"] == got.headers["x-request-id"]
    assert new[0]["question"] == got.json["query"]
    assert new[0]["cost"]["epsilon"] == pytest.approx(0.02)
    assert new[1]["cost"] is None and new[1]["error"] == "not-allowed"
    assert all(line["milliseconds"] >= 0 for line in new)
    text = house.service.audit.path.read_text()
    assert not any(token in text for token in (house.owner, house.ada, house.bob, "wrong-token-123"))


def test_no_line_no_answer_and_the_cost_stays_spent(tmp_path: Path) -> None:
    house = furnish(tmp_path / "x")
    with served(house.service) as at:
        before = at.call("GET", "/budget?dataset=clinic", house.ada).json["remaining"]["epsilon"]
        full = os.open("/dev/full", os.O_RDWR)
        kept, house.service.audit._file = house.service.audit._file, full
        got = at.ask(house.ada, epsilon=0.5)
        assert (got.status, got.json["error"]) == (500, "failed")
        assert b"rows" not in got.body
        assert at.call("GET", "/datasets", house.ada).status == 500
        assert at.call("GET", "/health").status == 200
        house.service.audit._file = kept
        after = at.call("GET", "/budget?dataset=clinic", house.ada).json["remaining"]["epsilon"]
        assert after == pytest.approx(before - 0.5)
    house.service.close()
    os.close(full)


def test_too_much_is_refused_before_and_while_it_is_read(house: House, at: Address) -> None:
    large = {**QUESTION, "sql": "x" * (access_middleware.QUESTION + 10)}
    assert at.call("POST", "/query", house.ada, large).status == 413
    lying = f"{headed(house.ada)}Transfer-Encoding: chunked\r\n\r\n".encode()
    piece = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
    got = at.raw(lying + piece * 5)
    assert got.startswith(b"HTTP/1.1 413 ")
    assert b'"error":"too-large"' in got


def test_an_analyst_has_no_larger_limit_where_owners_have(house: House, at: Address) -> None:
    for path in ("/datasets", "/datasets/clinic/tables/visits/rows"):
        got = at.call("POST", path, house.ada, b"[" + b" " * (access_middleware.QUESTION + 1) + b"]")
        assert got.status == 413
        assert at.call("POST", path, house.ada, b"[]").status == 403


def test_a_body_that_drips_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_middleware, "Patience", lambda: Patience(question=0.6, piece=0.4))
    house = furnish(tmp_path / "x")
    head = headed(house.ada)
    with served(house.service) as at:
        silent = at.raw(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        assert silent.startswith(b"HTTP/1.1 408 ") and b'"error":"too-slow"' in silent
        with socket.create_connection(("127.0.0.1", at.port), timeout=5) as connection:
            connection.sendall(f"{head}Content-Length: 1000\r\n\r\n".encode())
            with pytest.raises(ConnectionError):  # before all that was announced has come
                for _ in range(999):
                    connection.sendall(b" ")
                    time.sleep(0.05)
    assert [line["status"] for line in lines(house)] == [408, 408]
    house.service.close()


def test_a_person_who_asks_too_often_waits_and_others_do_not(tmp_path: Path) -> None:
    house = furnish(tmp_path / "x", Settings(rate=0.001, burst=3, failures=0.001, failures_burst=3))
    with served(house.service) as at:
        found = [at.call("GET", "/datasets", house.ada) for _ in range(5)]
        assert [got.status for got in found] == [200, 200, 200, 429, 429]
        assert int(found[-1].headers["retry-after"]) >= 1
        assert found[-1].json["error"] == "too-many"
        assert at.call("GET", "/datasets", house.bob).status == 200
    house.service.close()


def test_who_guesses_is_slowed_down_and_locks_nobody_else_out(tmp_path: Path) -> None:
    house = furnish(tmp_path / "x", Settings(failures=0.001, failures_burst=3))
    with served(house.service) as at:
        found = [at.call("GET", "/datasets", f"guess-{number}").status for number in range(10)]
        assert found == [401] * 3 + [429] * 7
        forwarded = at.call("GET", "/datasets", "guess", headers={"X-Forwarded-For": "10.1.2.3"})
        assert forwarded.status == 429  # an address that anybody can write down does not count
        assert at.call("GET", "/datasets", house.ada).status == 200
    noted = [line["status"] for line in lines(house) if line["person"] is None]
    assert noted == [401] * 3 + [429]  # a flood does not fill the disk
    house.service.close()


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET /%ff%fe%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["zeros", "no-path", "version", "length", "smuggled", "headers", "signs", "upwards", "tls"],
)
def test_what_is_no_request_does_no_harm(at: Address, content: bytes) -> None:
    got = at.raw(content, 1.0)
    assert b"Traceback" not in got and b"HTTP/1.1 5" not in got
    assert at.call("GET", "/health").status == 200
