"""Answers are kept beside the ledger, and what gets lost is only paid for again."""

import sqlite3
from pathlib import Path

import pytest

from queries.ledger.books import opened
from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger

KEY, OTHER = "a" * 64, "b" * 64
ONE = Cost(1, 0)


def test_an_answer_is_told_again_at_no_cost_and_that_is_noted(ledger: Ledger) -> None:
    assert ledger.recall(KEY) is None
    reservation = ledger.reserve("people", "ada", ONE, "SELECT 1")
    ledger.remember(reservation, KEY, '{"rows": [[1]], "ä": "\\u0000"}')
    assert ledger.recall(KEY) == '{"rows": [[1]], "ä": "\\u0000"}'
    assert ledger.recall(OTHER) is None
    assert ledger.spent("people") == ONE
    newest = ledger.entries()[0]
    assert (newest.kind, newest.dataset, newest.analyst, newest.question, newest.cost) == (
        "recall",
        "people",
        "ada",
        "SELECT 1",
        Cost(),
    )
    assert ledger.check().holds


def test_the_first_answer_stays(ledger: Ledger) -> None:
    for answer in ("first", "second"):
        ledger.remember(ledger.reserve("people", "ada", ONE, "q"), KEY, answer)
    assert ledger.recall(KEY) == "first"


@pytest.mark.parametrize("key", ["", "a" * 63, "A" * 64, "g" * 64, "' OR 1=1 --"])
def test_a_key_is_a_hash(ledger: Ledger, key: str) -> None:
    with pytest.raises(BadParameter, match="no key"):
        ledger.recall(key)
    with pytest.raises(BadParameter, match="no key"):
        ledger.remember(ledger.reserve("people", "ada", ONE, "q"), key, "{}")


def test_a_lost_archive_costs_money_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "ledger.sqlite"
    with opened(str(place)) as ledger:
        ledger.remember(ledger.reserve("people", "ada", ONE, "q"), KEY, "{}")
    (tmp_path / "ledger.sqlite.answers").unlink()
    with opened(str(place)) as ledger:
        assert ledger.recall(KEY) is None
        assert ledger.spent("people") == ONE
        assert ledger.check().holds


def test_the_archive_is_a_file_of_its_own_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    with opened(str(tmp_path / "ledger.sqlite")) as ledger:
        ledger.remember(ledger.reserve("people", "ada", ONE, "q"), KEY, "{}")
        with ledger._archive._place.writing() as hand:
            assert hand.rows("PRAGMA synchronous") == [(1,)]  # NORMAL
    beside = sqlite3.connect(tmp_path / "ledger.sqlite.answers")
    assert beside.execute("SELECT key, entry, analyst FROM answers").fetchall() == [(KEY, 3, "ada")]
    beside.close()


def test_an_answer_can_be_had_again_at_once_and_is_on_disk_when_the_ledger_is_closed(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger.sqlite")
    with opened(path) as ledger:
        for place in range(50):
            key = f"{place:064x}"
            ledger.remember(ledger.reserve("people", "ada", ONE, "q"), key, f"answer {place}")
            assert ledger.recall(key) == f"answer {place}"
    with opened(path) as again:
        assert [again.recall(f"{place:064x}") for place in (0, 49)] == ["answer 0", "answer 49"]
