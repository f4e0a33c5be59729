"""Where a ledger may be, and what is said when it may not."""

from pathlib import Path

import pytest

from queries.ledger.books import opened
from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.open_ledger import open_ledger, passing_ledger


def test_a_ledger_is_found_again_with_everything_spent(place: str) -> None:
    with opened(place) as ledger:
        ledger.reserve("people", "ada", Cost(3, 1), "q")
    with opened(place) as ledger:
        assert ledger.spent("people") == Cost(3, 1)
        assert ledger.reserve("people", "ada", Cost(3, 1), "q").id == 4
        assert ledger.check().holds


def test_two_ledgers_in_one_process_are_one(place: str) -> None:
    with opened(place) as one, opened(place) as two:
        for ledger in (one, two, one):
            ledger.reserve("people", "ada", Cost(1), "q")
        assert one.spent("people") == two.spent("people") == Cost(3)


@pytest.mark.parametrize("bad", ["", ":memory:", "file:x?mode=memory", "mysql://host/x", "sqlite:///x"])
def test_what_is_no_place_is_told(bad: str) -> None:
    with pytest.raises(BadParameter, match="no place for a ledger"):
        open_ledger(bad)


def test_a_folder_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="is a folder"):
        open_ledger(tmp_path)
    with pytest.raises(BadParameter, match="cannot be made"):
        open_ledger(tmp_path / "nowhere" / "ledger.sqlite")


def test_whoever_only_looks_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="there is no ledger"):
        open_ledger(tmp_path / "typo.sqlite", create=False)
    assert list(tmp_path.iterdir()) == []
    opened(str(tmp_path / "ledger.sqlite")).close()
    open_ledger(tmp_path / "ledger.sqlite", create=False).close()


def test_a_relative_path_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with opened("ledger.sqlite") as ledger:
        monkeypatch.chdir("/")
        ledger.reserve("people", "ada", Cost(1), "q")
        assert ledger.check().holds


def test_a_passing_ledger_keeps_its_books_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with passing_ledger() as ledger:
        ledger.open("people", Cost(5), "refuse", "pure")
        ledger.grant("people", "ada", Cost(5))
        reservation = ledger.reserve("people", "ada", Cost(2), "q")
        ledger.remember(reservation, "a" * 64, "{}")
        assert ledger.recall("a" * 64) == "{}"
        assert ledger.remaining("people", "ada") == Cost(3)
        assert ledger.check().holds
    assert list(tmp_path.iterdir()) == []
