"""An owner's report: what the ledger says, and nothing of the rows."""

import json
from pathlib import Path
from typing import Any

import pytest

import shoal
from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.jobs.queries.requests import OwnerReport
from shoal.report.owner_report import make_owner_report

SQL = "SELECT COUNT(*) AS n FROM patients WHERE ill = 'flu'"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("owner") / "ledger.sqlite"
    data: dict[str, Any] = {"patients": people(40).frame}
    with shoal.open_database(data, unit="id", budget=2, ledger=place) as database:
        database.ask(SQL, 0.5)
        database.ask("SELECT COUNT(*) AS n FROM patients", 0.25)
    return place


def test_it_tells_who_spent_what_on_what_and_shows_no_row(ledger: Path, tmp_path: Path) -> None:
    job = OwnerReport(ledger=ledger, output=tmp_path / "r.html", time_limit=2.0, made="2026-01-31")
    told = make_owner_report(job)
    assert told.holds and told.budgets[0].spent["epsilon"] == 0.75
    assert [(one.times, one.loss) for one in told.asked] == [(1, 0.5), (1, 0.25)]
    (audit,) = told.audits
    assert audit.audited == "laplace" and audit.lower_bound <= audit.claimed
    page = (tmp_path / "r.html").read_text("utf-8")
    for words in ("not for publication", "COUNT(*)", "all together", told.ledger.chain, "Signature"):
        assert words in page
    frame = people(40).frame
    assert not any(f">{person}<" in page for person in frame["id"].to_list())


def test_a_ledger_that_was_changed_is_the_first_thing_told(ledger: Path, tmp_path: Path) -> None:
    import shutil
    import sqlite3

    changed = tmp_path / "changed.sqlite"
    shutil.copy(ledger, changed)
    with sqlite3.connect(changed) as hand:
        hand.execute("UPDATE accounts SET spent_loss = 0")
    hand.close()
    told = make_owner_report(OwnerReport(ledger=changed, output=tmp_path / "r.html", time_limit=1.0))
    assert not told.holds and "contradicts itself" in (tmp_path / "r.html").read_text("utf-8")


def test_what_attacks_got_is_told_in_numbers_and_names_nobody(ledger: Path, tmp_path: Path) -> None:
    found = shoal.attack(
        {"patients": people(40).frame}, "differencing(targets=6)", unit="id", secret="ill=flu",
        against="plain", seed=1,
    ).to_json()  # fmt: skip
    place = tmp_path / "found.json"
    place.write_text(json.dumps(found), "utf-8")
    told = make_owner_report(
        OwnerReport(ledger=ledger, output=tmp_path / "r.html", time_limit=1.0, finding=(place,))
    )
    (tried,) = told.tried
    assert (tried.attack, tried.against, tried.hits, tried.works) == ("differencing", "plain", 6, True)
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "differencing" in page and "6 of 6" in page
    assert not any(f">{person}<" in page for person in people(40).frame["id"].to_list())


def test_a_file_that_no_attack_printed_is_refused(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"attack": 3}', "utf-8")
    for place, said in ((tmp_path / "other.json", "is not what"), (tmp_path / "none.json", "cannot be read")):
        with pytest.raises(BadParameter, match=said):
            make_owner_report(OwnerReport(ledger=ledger, output=tmp_path / "r.html", finding=(place,)))
    assert not (tmp_path / "r.html").exists()
