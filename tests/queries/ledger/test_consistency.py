"""Whatever is changed behind the ledger's back, the check sees it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from queries.ledger.books import opened
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.consistency import MOST
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import People


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "ledger.sqlite"
    with opened(str(place)) as ledger:
        People(ledger).add("ada")
        for number in range(5):
            ledger.reserve("people", "ada", Cost(10, 1), f"question {number}")
    yield place


def tampered(path: Path, *statements: str) -> tuple[str, ...]:
    """What the check says after somebody has changed the file."""
    file = sqlite3.connect(path)
    for trigger in ("no_update", "no_delete", "in_order"):
        file.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        file.execute(statement)
    file.commit()
    file.close()
    with open_ledger(path) as ledger:
        found = ledger.check()
        assert found.holds is (not found.complaints)
        return found.complaints


def test_an_untouched_ledger_agrees(ledger: Ledger) -> None:
    ledger.reserve("people", "ada", Cost(10, 1), "q")
    found = ledger.check()
    assert found.holds and found.entries == 3
    assert found.to_json() == {"holds": True, "entries": 3, "chain": found.chain, "complaints": []}
    assert found.to_tables()["ledger"][1] == ["yes", "3", found.chain]


@pytest.mark.parametrize(
    "change, complaint",
    [
        ("UPDATE entries SET loss = 1 WHERE id = 5", "entry 5 or one before it was changed"),
        ("UPDATE entries SET question = 'SELECT 2' WHERE id = 6", "entry 6 or one before it was changed"),
        ("UPDATE entries SET analyst = 'bob' WHERE id = 6", "never opened"),
        ("DELETE FROM entries WHERE id = 6", "entries 6 to 6 are missing"),
        ("DELETE FROM entries WHERE id = 8", "ends with entry 7"),
        ("UPDATE entries SET kind = 'gift' WHERE id = 8", "unknown kind, 'gift'"),
        ("UPDATE entries SET kind = 'refuse' WHERE id = 8", "although nothing new was answered"),
        ("UPDATE accounts SET spent_loss = 0", "is kept as"),
        ("UPDATE accounts SET spent_delta = spent_delta - 1 WHERE analyst = 'ada'", "'ada'"),
        (
            "UPDATE accounts SET limit_loss = limit_loss + 1 WHERE analyst = 'ada'",
            "account ('people', 'ada')",
        ),
        ("DELETE FROM accounts WHERE analyst = 'ada'", "is kept as None"),
        ("UPDATE people SET role = 'owner'", "person ada"),
        ("UPDATE head SET chain = 'x'", "ends with entry 8"),
    ],
)
def test_a_change_is_seen(path: Path, change: str, complaint: str) -> None:
    assert any(complaint in told for told in tampered(path, change))


def test_a_reservation_beyond_the_limit_is_seen_even_with_sums_that_agree(path: Path) -> None:
    complaints = tampered(
        path,
        "UPDATE entries SET loss = 20 WHERE kind IN ('open', 'grant')",
        "UPDATE accounts SET limit_loss = 20",
    )
    assert not any("is kept as" in told for told in complaints)
    assert any("spends more than was left" in told for told in complaints)


def test_a_thousand_complaints_are_cut_short(path: Path) -> None:
    with opened(str(path)) as ledger:
        for number in range(60):
            ledger.reserve("people", "ada", Cost(1), f"question {number}")
    assert len(tampered(path, "UPDATE entries SET question = 'x'")) == MOST
