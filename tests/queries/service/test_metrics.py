"""Figures for Prometheus, over HTTP."""

import re

from queries.service.houses import COUNT, Address, House

LINE = re.compile(r'[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? [0-9.e+-]+')


def figures(at: Address, token: str) -> dict[str, float]:
    got = at.call("GET", "/metrics", token)
    assert got.status == 200 and got.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = got.body.decode().splitlines()
    assert all(line.startswith(("# HELP ", "# TYPE ")) or LINE.fullmatch(line) for line in lines)
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def test_an_owner_reads_requests_and_budgets(house: House, at: Address) -> None:
    before = figures(at, house.owner)
    assert at.ask(house.ada, epsilon=0.25).status == 200
    assert at.ask(house.ada, "SELECT age FROM visits").status == 400
    after = figures(at, house.owner)

    def rise(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert rise('shoal_requests_total{action="query",status="200"}') == 1
    assert rise('shoal_requests_total{action="query",status="400"}') == 1
    assert rise('shoal_requests_total{action="metrics",status="200"}') == 1
    assert rise('shoal_budget_epsilon_spent{dataset="clinic"}') == 0.25
    assert after['shoal_budget_epsilon_limit{dataset="clinic"}'] == 10
    assert after["shoal_datasets"] == 2 and after['shoal_work{lane="looks",state="taken"}'] == 1


def test_nobody_else_reads_them_and_no_person_is_in_them(house: House, at: Address) -> None:
    assert at.call("GET", "/metrics", house.ada).status == 403
    assert at.call("GET", "/metrics").status == 401
    text = at.call("GET", "/metrics", house.owner).body.decode()
    assert not {"ada", "bob", "olga"} & set(re.findall(r"\w+", text)) and "second" not in text


def test_strangers_make_no_new_lines(house: House, at: Address) -> None:
    at.call("GET", "/metrics", "wrong")
    read = 'shoal_requests_total{action="metrics",status="200"}'  # the first that reads does not find itself
    before = {read: 0.0} | figures(at, house.owner)
    for path in ("/one", "/two", "/query?x=%22%0a", "/datasets/a/tables/b/rows"):
        at.call("GET", path, "wrong")
        at.call("GET", path)
    assert {read, *figures(at, house.owner)} == set(before)
    assert COUNT not in str(before)
