"""What an analyst may ask for, over a real connection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.service.houses import COUNT, Address, House
from shoal.queries.service.analyst_routes import blurred, leaves_after


def test_an_answer_carries_value_interval_cost_and_what_is_left(house: House, at: Address) -> None:
    before = at.call("GET", "/budget?dataset=clinic", house.ada).json["remaining"]["epsilon"]
    got = at.ask(house.ada, "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward", 2).json
    assert got["columns"] == ["ward", "n"]
    (ward, number), (low, high) = got["rows"][0], got["interval"][0][1]
    assert ward == "heart" and low <= number <= high
    assert abs(number - 67) < 60  # noise of scale 1 or 2: beyond once in 10^12
    assert got["spent"]["epsilon"] == 2
    assert got["remaining"]["epsilon"] == pytest.approx(before - 2)
    again = at.ask(house.ada, "select ward, count(*) n from visits group by ward", 2).json
    assert again["rows"] == got["rows"] and again["archived"] and again["spent"]["epsilon"] == 0


def test_an_estimate_costs_nothing(house: House, at: Address) -> None:
    before = at.call("GET", "/budget?dataset=clinic", house.bob).json
    body = {"dataset": "clinic", "sql": COUNT, "epsilon": "0.5"}
    got = at.call("POST", "/estimate", house.bob, body).json
    assert got["cost"]["epsilon"] == 0.5
    assert 0 < got["error"]["n"] < 10
    assert at.call("GET", "/budget?dataset=clinic", house.bob).json == before


def test_a_data_set_without_a_grant_and_one_that_is_not_there_look_the_same(
    house: House, at: Address
) -> None:
    found = []
    for name in ("secret", "nowhere"):
        body = {"dataset": name, "sql": COUNT, "epsilon": 1}
        found += [
            at.call("POST", "/query", house.ada, body),
            at.call("POST", "/estimate", house.ada, body),
            at.call("GET", f"/budget?dataset={name}", house.ada),
            at.call("GET", f"/log?dataset={name}", house.ada),
        ]
    assert {got.status for got in found} == {404}
    assert len({got.body for got in found}) == 1


def test_only_declared_things_of_granted_data_sets_are_shown(house: House, at: Address) -> None:
    got = at.call("GET", "/datasets", house.ada)
    (told,) = got.json["datasets"]
    assert told["name"] == "clinic" and told["tables"][0]["unit"] == "id"
    assert told["tables"][0]["columns"][1] == {
        "name": "age", "kind": "integer", "low": 0, "high": 120, "keys": None, "missing": True,
        "never_null": False,
    }  # fmt: skip
    assert told["budget"]["analyst"] == "ada"
    assert b"secret" not in got.body and b"Patient" not in got.body and b"duckdb" not in got.body
    names = [part["name"] for part in at.call("GET", "/datasets", house.owner).json["datasets"]]
    assert names == ["clinic", "secret"]


def test_an_analyst_sees_the_own_log_and_an_owner_all(house: House, at: Address) -> None:
    at.ask(house.ada, "SELECT COUNT(*) FROM visits WHERE age > 41", 0.01)
    at.ask(house.bob, "SELECT COUNT(*) FROM visits WHERE age > 42", 0.01)
    own = at.call("GET", "/log?dataset=clinic", house.bob)
    assert b"age > 42" in own.body and b"age > 41" not in own.body and b'"ada"' not in own.body
    everybody = at.call("GET", "/log?dataset=clinic", house.owner)
    assert b"42" in everybody.body and b"41" in everybody.body
    assert len(at.call("GET", "/log?dataset=clinic&limit=1", house.owner).json["entries"]) == 1


def test_when_the_budget_is_spent_there_is_no_answer(house: House, at: Address) -> None:
    left = at.call("GET", "/budget?dataset=clinic", house.bob).json["remaining"]["epsilon"]
    got = at.ask(house.bob, "SELECT COUNT(*) FROM visits WHERE age > 3", left + 0.01)
    assert (got.status, got.json["error"]) == (403, "spent")
    assert at.call("GET", "/budget?dataset=clinic", house.bob).json["remaining"]["epsilon"] == left


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM visits",
        "SELECT * FROM visits",
        "SELECT COUNT(*) FROM read_csv('/etc/passwd')",
        "SELECT COUNT(*) FROM visits; SELECT 1",
        "SELECT COUNT(*) FROM duckdb_tables()",
        "\x00",
        pytest.param("(" * 5000, id="deep"),
        "SELECT COUNT(*) FROM \u202evisits",
    ],
)
def test_what_may_not_be_asked_is_refused_at_no_cost(house: House, at: Address, sql: str) -> None:
    before = at.call("GET", "/budget?dataset=clinic", house.ada).json
    got = at.ask(house.ada, sql, 1)
    assert got.status == 400
    assert got.json["error"] in ("not-allowed", "bad-parameter")
    assert "/work" not in got.json["detail"] and "Traceback" not in got.json["detail"]
    assert at.call("GET", "/budget?dataset=clinic", house.ada).json == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        pytest.param(b"[" * 100_000, id="deep"),
        b'{"dataset": "clinic", "sql": "SELECT COUNT(*) FROM visits", "epsilon": NaN}',
        b'{"dataset": "clinic", "sql": "SELECT COUNT(*) FROM visits", "epsilon": 1e999}',
        pytest.param(b'{"dataset": "clinic", "sql": "x", "epsilon": ' + b"9" * 6000 + b"}", id="digits"),
        b'{"dataset": "clinic", "sql": "\\ud800", "epsilon": 1}',
        b'{"dataset": "clinic", "sql": "\xff", "epsilon": 1}',
        b'{"dataset": "clinic", "sql": "x", "epsilon": 1, "token-SECRET": "SECRET"}',
        b'{"dataset": {"SECRET": 1}, "sql": "SECRET", "epsilon": "SECRET"}',
    ],
)
def test_what_is_no_question_is_refused_in_the_one_form_without_an_echo(
    house: House, at: Address, body: bytes
) -> None:
    got = at.call("POST", "/query", house.ada, body)
    assert got.status in (400, 422)
    assert set(got.json) == {"error", "detail"}
    assert b"SECRET" not in got.body


def test_another_content_type_is_no_question(house: House, at: Address) -> None:
    body = b'{"dataset": "clinic", "sql": "SELECT COUNT(*) FROM visits", "epsilon": 1}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert at.call("POST", "/query", house.ada, body, kind).status in (400, 415, 422)


@pytest.mark.parametrize("query", ["", "?dataset=", "?dataset=clinic&limit=0", "?dataset=clinic&limit=x"])
def test_parameters_are_checked(house: House, at: Address, query: str) -> None:
    got = at.call("GET", f"/log{query}", house.ada)
    assert got.status == 422 and set(got.json) == {"error", "detail"}


def test_errors_have_one_form_everywhere(house: House, at: Address) -> None:
    for method, path, status in (
        ("GET", "/nothing", 404),
        ("GET", "/query", 405),
        ("PATCH", "/datasets", 405),
        ("GET", "/datasets/", 404),
        ("POST", "/openapi.json", 405),
        ("GET", "/docs/oauth2-redirect", 404),
    ):
        got = at.call(method, path, house.ada)
        assert (got.status, set(got.json)) == (status, {"error", "detail"})
    assert at.call("PATCH", "/datasets", house.ada).headers["allow"] == "GET, HEAD, POST"


def test_an_owner_may_ask_too(house: House, at: Address) -> None:
    assert at.ask(house.owner, "SELECT COUNT(*) FROM visits WHERE age > 77", 0.01).status == 200


SECONDS = st.floats(0, 1000)


@given(SECONDS)
def test_an_answer_leaves_at_one_of_few_times(seconds: float) -> None:
    after = leaves_after(seconds, 0.1)
    assert after >= seconds
    assert any(after == pytest.approx(10.0**power * step) for power in range(-1, 9) for step in (1, 3))


@given(st.floats(1e-9, 1 - 1e-9), st.floats(1e-9, 1 - 1e-9))
def test_a_border_is_blurred_around_its_half_and_never_beyond_its_time(one: float, two: float) -> None:
    assert blurred(0.5) == 0.5
    assert 0 < blurred(min(one, two)) <= blurred(max(one, two)) <= 1
    assert blurred(0.001) > 0.1  # what takes a tenth of the first time leaves then, but for one in a thousand


@given(SECONDS, st.floats(0.01, 50))
def test_with_a_fixed_time_it_leaves_at_that_time_or_a_multiple(seconds: float, fixed: float) -> None:
    after = leaves_after(seconds, 0.1, fixed)
    assert after >= seconds or after == pytest.approx(seconds)
    assert after / fixed == pytest.approx(round(after / fixed))
    assert seconds > fixed or after == fixed
