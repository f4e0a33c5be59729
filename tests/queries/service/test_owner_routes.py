"""What an owner may do, and nobody else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from queries.service.houses import Address, House, furnish, served

DECLARED: dict[str, Any] = {
    "name": "trial",
    "budget": {"epsilon": "50"},
    "tables": [
        {
            "name": "people",
            "unit": "id",
            "rows": 1,
            "columns": [
                {"name": "id", "kind": "integer"},
                {"name": "age", "kind": "number", "low": 0, "high": 100},
            ],
        },
        {"name": "wards", "columns": [{"name": "ward"}, {"name": "floor", "kind": "integer"}]},
    ],
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()


@pytest.fixture
def at(house: House) -> Iterator[Address]:
    with served(house.service) as address:
        yield address


def counted(at: Address, token: str, dataset: str = "trial", where: str = "TRUE") -> int:
    """A count with so little noise that it is the count."""
    table = "people" if dataset == "trial" else "visits"
    got = at.ask(token, f"SELECT COUNT(*) FROM {table} WHERE {where}", 1, dataset)
    assert got.status == 200, got.body
    return int(got.json["rows"][0][0])


def near(found: int, wanted: int) -> bool:
    return abs(found - wanted) <= 60  # noise of scale 1 or 2: beyond once in 10^12


def test_owners_routes_are_closed_to_analysts_with_one_answer(house: House, at: Address) -> None:
    found = [
        at.call("POST", "/datasets", house.ada, {"declaration": DECLARED}),
        at.call("POST", "/datasets", house.ada, b"{"),
        at.call("POST", "/datasets/clinic/tables/visits/rows", house.ada, []),
        at.call("PUT", "/datasets/nowhere/tables/visits/rows", house.ada, []),
        at.call("DELETE", "/datasets/clinic/units/Patient-00001", house.ada),
        at.call("POST", "/analysts", house.ada, {"name": "eve", "role": "owner"}),
        at.call("GET", "/analysts", house.ada),
        at.call("DELETE", "/analysts/bob", house.ada),
        at.call("POST", "/analysts/ada/grants", house.ada, {"dataset": "secret", "epsilon": 100}),
        at.call("POST", "/analysts/ada/grants", house.ada, {"SECRET": 1}),
        at.call("POST", "/analysts/olga/token", house.ada),
        at.call("POST", "/analysts", house.ada, b"{"),
    ]
    assert {got.status for got in found} == {403}
    assert len({got.body for got in found}) == 1


def test_a_data_set_is_registered_asked_about_grown_and_forgotten(house: House, at: Address) -> None:
    first = [{"id": number, "age": 50} for number in range(1000)]
    got = at.call("POST", "/datasets", house.owner, {"declaration": DECLARED, "rows": {
        "people": first, "wards": "ward,floor\nheart,1\n"}})  # fmt: skip
    assert (got.status, got.json) == (201, {"dataset": "trial"})
    assert near(counted(at, house.owner), 1000)
    more = "id,age\n" + "\n".join(f"{number},20" for number in range(1000, 3000))
    got = at.call("POST", "/datasets/trial/tables/people/rows", house.owner, more.encode(), "text/csv")
    assert got.json == {"dataset": "trial", "table": "people", "rows": 2000}
    assert near(counted(at, house.owner), 3000)
    other = [{"id": number, "age": 90} for number in range(1000)]
    assert at.call("PUT", "/datasets/trial/tables/people/rows", house.owner, other).status == 200
    assert near(counted(at, house.owner, where="age > 80"), 1000)
    assert near(counted(at, house.owner), 3000)
    for number in range(100):
        assert at.call("DELETE", f"/datasets/trial/units/{number}", house.owner).status == 200
    assert near(counted(at, house.owner, where="age > 80 AND age < 95"), 900)


def test_the_audit_log_does_not_remember_who_was_forgotten(house: House, at: Address) -> None:
    assert at.call("DELETE", "/datasets/clinic/units/Patient-00042", house.owner).status == 200
    assert at.call("DELETE", "/datasets/nowhere/units/Patient-00042", house.owner).status == 404
    text = house.service.audit.path.read_text()
    assert '"action": "forget"' in text and "Patient" not in text


def test_a_person_whose_name_has_a_slash_can_be_forgotten(house: House, at: Address) -> None:
    row = [{"id": "a/b", "age": 1}]
    assert at.call("POST", "/datasets/clinic/tables/visits/rows", house.owner, row).status == 200
    before = house.service._stores["clinic"].version
    assert at.call("DELETE", "/datasets/clinic/units/a%2Fb", house.owner).status == 200
    assert house.service._stores["clinic"].version > before


def test_a_name_that_is_taken_is_refused_and_its_budget_is_not_renewed(house: House, at: Address) -> None:
    house.service.ask(house.service.find(house.ada), "clinic", "SELECT COUNT(*) FROM visits", 3)  # type: ignore[arg-type]
    for name in ("clinic", "CLINIC"):
        got = at.call("POST", "/datasets", house.owner, {"declaration": {**DECLARED, "name": name}})
        assert (got.status, got.json["error"]) == (409, "exists")
    assert at.call("GET", "/budget?dataset=clinic", house.ada).json["spent"]["epsilon"] == 3


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"declaration": {**DECLARED, "name": "../x"}}, 400),
        ({"declaration": {**DECLARED, "budget": {"epsilon": -1}}}, 422),
        ({"declaration": {**DECLARED, "policy": "never"}}, 422),
        ({"declaration": {**DECLARED, "sources": [["people", "/etc/passwd"]]}}, 422),
        ({"declaration": {**DECLARED, "tables": []}}, 422),
        ({"declaration": {**DECLARED, "accounting": "zcdp"}}, 400),
        ({"declaration": DECLARED, "rows": {"nowhere": []}}, 400),
        ({"declaration": DECLARED, "rows": {"people": [{"id": 1, "SECRET": 2}]}}, 400),
        ({"declaration": DECLARED, "rows": {"people": "/etc/passwd"}}, 400),
        ({"declaration": DECLARED, "rows": {"people": [{"id": [1]}]}}, 422),
    ],
)
def test_a_registration_that_fails_leaves_nothing_behind(
    house: House, at: Address, change: dict[str, Any], status: int
) -> None:
    got = at.call("POST", "/datasets", house.owner, change)
    assert got.status == status
    assert b"SECRET" not in got.body and b"passwd" not in got.body
    assert [part["name"] for part in at.call("GET", "/datasets", house.owner).json["datasets"]] == [
        "clinic",
        "secret",
    ]
    assert not list((house.service.folder / "datasets").glob("trial*"))


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"[]", "text/plain", 415),
        (b"{}", "application/json", 400),
        (b'[{"id": "x", "age": {"SECRET": 1}}]', "application/json", 400),
        (b'id,age\n"SECRET,1\n', "text/csv", 400),
        (b"id,age,SECRET\nx,1,2\n", "text/csv", 400),
        (b"", "text/csv", 400),
        (b"\xff\xfe\x00", "text/csv", 400),
    ],
)
def test_rows_that_cannot_be_read_change_nothing_and_are_not_repeated(
    house: House, at: Address, body: bytes, kind: str, status: int
) -> None:
    before = house.service._stores["clinic"].version
    got = at.call("POST", "/datasets/clinic/tables/visits/rows", house.owner, body, kind)
    assert (got.status, set(got.json)) == (status, {"error", "detail"})
    assert b"SECRET" not in got.body
    assert house.service._stores["clinic"].version == before


def test_rows_for_a_table_that_is_not_there(house: House, at: Address) -> None:
    assert at.call("POST", "/datasets/nowhere/tables/visits/rows", house.owner, []).status == 404
    assert at.call("POST", "/datasets/clinic/tables/nowhere/rows", house.owner, []).status == 400


def test_people_are_let_in_given_more_and_let_out(house: House, at: Address) -> None:
    got = at.call("POST", "/analysts", house.owner, {"name": "eve", "dataset": "clinic", "epsilon": 0.3})
    assert got.status == 201
    eve = got.json["token"]
    assert at.ask(eve, epsilon=0.2).status == 200
    assert at.ask(eve, "SELECT COUNT(*) FROM visits WHERE ill", 0.2).status == 403
    grant = {"dataset": "clinic", "epsilon": "0.5"}
    assert at.call("POST", "/analysts/eve/grants", house.owner, grant).status == 200
    assert at.ask(eve, "SELECT COUNT(*) FROM visits WHERE ill", 0.2).status == 200
    people = at.call("GET", "/analysts", house.owner)
    assert {part["name"] for part in people.json["analysts"]} == {"olga", "ada", "bob", "eve"}
    assert not any(token in people.body.decode() for token in (eve, house.ada, house.owner))
    assert at.call("DELETE", "/analysts/eve", house.owner).status == 200
    assert at.ask(eve).status == 401
    assert at.call("DELETE", "/analysts/nobody", house.owner).status == 404
    assert at.call("POST", "/analysts/nobody/grants", house.owner, grant).status == 404
    assert at.call("POST", "/analysts", house.owner, {"name": "ada"}).status == 409
    renewed = at.call("POST", "/analysts/eve/token", house.owner).json["token"]
    assert at.call("GET", "/budget?dataset=clinic", renewed).json["spent"]["epsilon"] == pytest.approx(0.4)
    assert at.ask(eve).status == 401
    assert at.call("POST", "/analysts/nobody/token", house.owner).status == 404
    again = at.call("POST", "/analysts", house.owner, {"name": "eve"})
    assert again.status == 409  # a name is of one person for ever, or the ledger would mix two


def test_a_budget_for_nothing_is_refused(house: House, at: Address) -> None:
    assert at.call("POST", "/analysts", house.owner, {"name": "eve", "epsilon": 1}).status == 400
    body = {"name": "eve", "dataset": "nowhere", "epsilon": 1}
    assert at.call("POST", "/analysts", house.owner, body).status == 404
    assert len(at.call("GET", "/analysts", house.owner).json["analysts"]) == 3
