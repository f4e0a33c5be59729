"""Data sets that an owner declares as in a project file, renews and deletes."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from queries.service.houses import Address, House, clinic, furnish, served
from shoal.queries.ledger.token_holders import Person
from shoal.queries.service.admission import Exists
from shoal.queries.service.service import Service


def test_a_declaration_may_have_the_form_of_a_project_file(house: House, at: Address) -> None:
    declaration = {
        "name": "school",
        "unit": "pupil",
        "epsilon": 4,
        "each": {"epsilon": "0.5"},
        "about": "pupils",
        "tables": {
            "marks": {
                "rows": 3,
                "columns": {"mark": "integer 1..6", "subject": {"keys": ["art", "maths"], "missing": False}},
            },
            "subjects": {"public": True, "columns": {"subject": "text", "hours": "number 0..40"}},
        },
    }
    rows = {"marks": [{"pupil": "a", "mark": 1, "subject": "art"}], "subjects": "subject,hours\nart,2\n"}
    made = at.call("POST", "/datasets", house.owner, {"declaration": declaration, "rows": rows})
    assert (made.status, made.json) == (201, {"dataset": "school"})
    told = at.call("GET", "/datasets", house.owner).json["datasets"]
    (school,) = [one for one in told if one["name"] == "school"]
    assert [column["name"] for column in school["tables"][0]["columns"]] == ["pupil", "mark", "subject"]
    assert school["tables"][0]["columns"][1] == {
        "name": "mark", "kind": "integer", "low": 1.0, "high": 6.0, "keys": None, "missing": True,
        "never_null": False,
    }  # fmt: skip
    asked = "SELECT AVG(mark) FROM marks JOIN subjects ON marks.subject = subjects.subject"
    assert at.ask(house.owner, asked, 0.1, "school").status == 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"tables": {"t": {"file": "/etc/passwd", "columns": {"a": "text"}}}}, 422),
        ({"tables": {"t": {"postgres": True, "columns": {"a": "text"}}}}, 422),
        ({"tables": {"t": {"columns": {"a": "nonsense 1..2"}}}}, 400),
        ({"tables": {"t": {"columns": {"a": 7}}}}, 422),
        ({"tables": {}}, 422),
        ({"epsilon": "1e999"}, 422),
        ({"renews": "hour"}, 422),
        ({"name": "../x"}, 400),
    ],
)
def test_such_a_form_reads_no_file_and_is_checked(
    house: House, at: Address, change: dict[str, Any], status: int
) -> None:
    good = {"name": "odd", "unit": "a", "epsilon": 1, "tables": {"t": {"columns": {"a": "text"}}}}
    got = at.call("POST", "/datasets", house.owner, {"declaration": {**good, **change}})
    assert got.status == status and set(got.json) == {"error", "detail"}
    assert "passwd" not in got.json["detail"]


def test_a_budget_may_renew_by_the_calendar(house: House, at: Address) -> None:
    declaration = {
        "name": "diary",
        "unit": "a",
        "epsilon": 2,
        "renews": "day",
        "tables": {"t": {"columns": {"a": "text"}}},
    }
    assert at.call("POST", "/datasets", house.owner, {"declaration": declaration}).status == 201
    assert (
        at.call("POST", "/analysts/ada/grants", house.owner, {"dataset": "diary", "epsilon": 1}).status == 200
    )
    assert at.ask(house.ada, "SELECT COUNT(*) FROM t", 0.25, "diary").status == 200
    told = at.call("GET", "/budget?dataset=diary", house.ada).json
    assert (told["limit"]["epsilon"], told["spent"]["epsilon"], told["renews"]["every"]) == (1, 0.25, "day")
    assert told["renews"]["spent_in_all"]["epsilon"] == 0.25 and "366 more" in told["renews"]["in_words"]
    shown = {one["name"]: one["renews"] for one in at.call("GET", "/datasets", house.ada).json["datasets"]}
    assert shown == {"clinic": "never", "diary": "day"}
    assert house.service.ledger.check().holds


def test_a_deleted_data_set_is_gone_for_good_and_its_ledger_stays(tmp_path: Path) -> None:
    house = furnish(tmp_path)
    with served(house.service) as at:
        assert at.ask(house.ada, epsilon=0.5).status == 200
        files = tmp_path / "datasets"
        assert (files / "clinic.duckdb").is_file()
        assert at.call("DELETE", "/datasets/clinic", house.ada).status == 403
        assert at.call("DELETE", "/datasets/none", house.owner).status == 404
        assert at.call("DELETE", "/datasets/clinic", house.owner).status == 200
        # For an analyst it is as if it had never been; for the owner it was.
        assert at.ask(house.ada).json == at.ask(house.ada, dataset="none").json
        assert at.call("GET", "/budget?dataset=clinic", house.ada).status == 404
        assert at.call("DELETE", "/datasets/clinic", house.owner).status == 404
        assert [path.name for path in files.iterdir() if path.name.startswith("clinic")] == ["clinic.json"]
        for name in ("clinic", "CLINIC"):  # the same budget again would be a fresh one
            declaration = {
                "name": name,
                "unit": "a",
                "epsilon": 9,
                "tables": {"t": {"columns": {"a": "text"}}},
            }
            again = at.call("POST", "/datasets", house.owner, {"declaration": declaration})
            assert again.status == 409 and "deleted" in again.json["detail"]
        grant = at.call("POST", "/analysts/ada/grants", house.owner, {"dataset": "clinic", "epsilon": 1})
        assert grant.status == 404
        assert at.ask(house.owner, dataset="secret").status == 200
    assert house.service.ledger.spent("clinic").exact[0] == Fraction(1, 2)
    assert house.service.ledger.entries("clinic")[0].kind == "close"
    assert house.service.ledger.check().holds
    house.service.close()
    reopened = Service(tmp_path)
    assert reopened.names() == ["secret"]
    with pytest.raises(Exists, match="deleted"):
        reopened.declare(clinic())
    reopened.close()


def test_a_deletion_that_was_cut_off_is_finished_at_the_next_start(tmp_path: Path) -> None:
    house = furnish(tmp_path)
    house.service.ledger.close_dataset("clinic")
    assert house.service.budget(Person("olga", "owner"), "secret").limit["epsilon"] == 10
    house.service.close()
    again = Service(tmp_path)
    assert again.names() == ["secret"] and not (tmp_path / "datasets" / "clinic.duckdb").exists()
    again.close()
