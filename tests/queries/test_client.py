"""Ten lines for a notebook, against a real server."""

import ast
import http.server
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from queries.service.houses import COUNT, Address, House
from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent, Unanswered
from shoal.queries.client import Client, connect
from shoal.queries.results import Answer


@pytest.fixture
def client(house: House, at: Address) -> Client:
    return connect(at.url + "/", house.ada)


def test_a_question_comes_back_as_an_answer_that_a_notebook_can_show(client: Client) -> None:
    answer = client.ask("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward", epsilon=0.5)
    assert isinstance(answer, Answer)
    assert answer.columns == ("ward", "n")
    assert answer.spent["epsilon"] == 0.5
    page = answer._repr_html_()
    assert "<table" in page and "heart" in page and "ε" in page


def test_estimate_budget_datasets_and_log(client: Client) -> None:
    assert client.estimate(COUNT, "0.25").cost["epsilon"] == 0.25
    before = client.budget()
    client.ask(COUNT, Fraction(1, 8))
    assert client.budget().spent["epsilon"] == pytest.approx(before.spent["epsilon"] + 0.125)
    assert [part["name"] for part in client.datasets()] == ["clinic"]
    assert len(client.log(limit=1)) == 1


def test_errors_are_those_of_the_service_with_its_sentence(client: Client, house: House, at: Address) -> None:
    with pytest.raises(NotAllowed):
        client.ask("DROP TABLE visits", 1)
    with pytest.raises(Spent, match="left"):
        client.ask(COUNT, 999)
    with pytest.raises(BadParameter, match="epsilon"):
        client.ask(COUNT, float("nan"))
    with pytest.raises(ShoalError, match="token"):
        connect(at.url, "wrong").datasets()
    with pytest.raises(ShoalError, match="data set"):
        client.ask(COUNT, 1, dataset="secret")
    with pytest.raises(BadParameter, match="clinic, secret"):
        connect(at.url, house.owner).ask(COUNT, 1)


def test_a_failure_after_the_cost_was_reserved_is_unanswered(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise Unanswered("the question could not be answered; what it cost stays spent")

    monkeypatch.setattr(house.service, "ask", broken)
    with pytest.raises(Unanswered, match="stays spent"):
        client.ask(COUNT, 0.1)


def test_the_token_is_not_shown(client: Client, house: House) -> None:
    assert house.ada not in repr(client) + str(client)


def test_a_token_is_not_sent_in_the_clear_beyond_this_machine() -> None:
    for url in ("http://data.example.org", "http://10.0.0.1:8765"):
        with pytest.raises(BadParameter, match="https"):
            connect(url, "t")
        assert connect(url, "t", insecure=True).url == url
    for url in ("https://data.example.org", "http://localhost:1", "http://[::1]:1", "http://127.0.0.1:1"):
        assert connect(url, "t").url == url
    for url in ("data.example.org", "ftp://x", "", "file:///etc/passwd"):
        with pytest.raises(BadParameter, match="no address"):
            connect(url, "t")


def test_where_nobody_listens_there_is_one_sentence() -> None:
    with pytest.raises(ShoalError, match="is the service running"):
        connect("http://127.0.0.1:9", "t", timeout=5).datasets()


def test_a_redirect_is_not_followed_because_the_token_would_go_along() -> None:
    visited = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visited.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        with pytest.raises(ShoalError, match="not as a Shoal service"):
            connect(f"http://127.0.0.1:{other.server_port}", "t").datasets()
        other.shutdown()
    assert len(visited) == 1


def test_the_client_needs_nothing_but_the_answer() -> None:
    source = Path(connect.__code__.co_filename).read_text()
    imported = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name and name.startswith("shoal")}
    assert ours == {"shoal.core.errors", "shoal.queries.results"}
