"""Reserve, then answer: limits, policies, refusals and what users are told."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.ledger.books import PLENTY, opened
from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Policy
from shoal.queries.ledger.entry import LARGEST
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger, passing_ledger
from shoal.queries.ledger.sqlite_ledger import SqlitePlace

HALF = Cost(5 * 10**11, 0)


def test_a_reservation_is_noted_before_anything_is_answered(ledger: Ledger, place: str) -> None:
    made = ledger.reserve("people", "ada", Cost(10, 3), "SELECT count(*) FROM people")
    with open_ledger(place) as other:  # somebody else sees it at once
        assert other.spent("people") == other.spent("people", "ada") == Cost(10, 3)
        newest = other.entries("people", "ada", limit=1)[0]
    assert (newest.id, newest.kind, newest.cost, newest.question) == (
        made.id,
        "reserve",
        Cost(10, 3),
        "SELECT count(*) FROM people",
    )
    assert made.remaining == PLENTY - Cost(10, 3) == ledger.remaining("people", "ada")
    assert not made.overdrawn


def test_the_smaller_account_decides(place: str) -> None:
    with opened(place, Cost(100, 0), ("ada", "bob")) as ledger:
        ledger.grant("people", "bob", Cost(30, 0))
        assert ledger.remaining("people", "bob") == Cost(30, 0)
        assert ledger.remaining("people", "ada") == Cost(100, 0)
        ledger.reserve("people", "bob", Cost(30, 0), "q")
        with pytest.raises(Spent):
            ledger.reserve("people", "bob", Cost(1, 0), "q")
        assert ledger.reserve("people", "ada", Cost(60, 0), "q").remaining == Cost(10, 0)
        ledger.grant("people", "bob", Cost(1000, 0))  # more than the data set has
        assert ledger.remaining("people", "bob") == Cost(10, 0)
        with pytest.raises(Spent):
            ledger.reserve("people", "bob", Cost(11, 0), "q")
        assert ledger.spent("people") == Cost(90, 0)
        assert ledger.check().holds


def test_a_refusal_tells_what_is_left_and_is_noted_at_no_cost(place: str) -> None:
    with open_ledger(place) as ledger:
        ledger.open("people", HALF, "refuse", "pure")
        ledger.grant("people", "ada", HALF)
        with pytest.raises(Spent, match=r"costs ε=1 and ε=0\.5 is left; nothing was spent"):
            ledger.reserve("people", "ada", HALF + HALF, "SELECT 1")
        assert ledger.spent("people") == Cost()
        newest = ledger.entries()[0]
        assert (newest.kind, newest.cost, newest.question) == ("refuse", Cost(), "SELECT 1")
        # exactly what is left can still be had
        assert ledger.reserve("people", "ada", HALF, "SELECT 1").remaining == Cost()


def test_delta_runs_out_like_epsilon(place: str) -> None:
    with opened(place, Cost(100, 5)) as ledger:
        ledger.reserve("people", "ada", Cost(1, 5), "q")
        with pytest.raises(Spent, match="δ"):
            ledger.reserve("people", "ada", Cost(1, 1), "q")
        assert ledger.reserve("people", "ada", Cost(1, 0), "q").remaining == Cost(98, 0)


def test_under_the_policy_warn_it_is_written_and_marked(place: str) -> None:
    with open_ledger(place) as ledger:
        ledger.open("people", HALF, "warn", "pure")
        ledger.grant("people", "ada", HALF)
        assert not ledger.reserve("people", "ada", HALF, "q").overdrawn
        more = ledger.reserve("people", "ada", Cost(1), "q")
        assert more.overdrawn and more.remaining == Cost()
        assert ledger.spent("people") == HALF + Cost(1)
        # what 64 bits cannot hold is refused under every policy
        with pytest.raises(Spent):
            ledger.reserve("people", "ada", Cost(LARGEST), "q")
        assert ledger.check().holds


@pytest.mark.parametrize("dataset, analyst", [("people", "eve"), ("secret", "ada"), ("", ""), ("people", "")])
def test_whoever_has_no_grant_hears_one_text(ledger: Ledger, dataset: str, analyst: str) -> None:
    texts = set()
    for ask in (
        lambda: ledger.reserve(dataset, analyst, Cost(1), "q"),
        lambda: ledger.remaining(dataset, analyst),
        lambda: ledger.spent(dataset, analyst),
    ):
        with pytest.raises(NotAllowed) as told:
            ask()
        texts.add(str(told.value))
    assert texts == {"no data set of that name is open to you; ask its owner for a budget"}
    assert not ledger.granted(dataset, analyst) and ledger.granted("people", "ada")
    assert ledger.entries()[0].kind == "refuse"
    assert ledger.check().holds


def test_opening_again_is_free_and_another_limit_is_told_with_both(ledger: Ledger) -> None:
    before = len(ledger.entries())
    ledger.open("people", PLENTY, "refuse", "approximate")
    ledger.grant("people", "ada", PLENTY)
    assert len(ledger.entries()) == before
    with pytest.raises(BadParameter, match=r"ε=1000, δ=0\.001 and policy refuse .* with ε=0\.5 and refuse"):
        ledger.open("people", HALF, "refuse", "approximate")
    with pytest.raises(BadParameter, match=r"ledger\.change"):
        ledger.open("people", PLENTY, "warn", "approximate")
    with pytest.raises(BadParameter, match="kept in approximate and was declared with zcdp"):
        ledger.open("people", PLENTY, "refuse", "zcdp")


def test_the_owner_may_change_the_limit_and_what_was_spent_stays(ledger: Ledger) -> None:
    ledger.reserve("people", "ada", Cost(10, 0), "q")
    ledger.change("people", Cost(9, 0), "refuse")
    assert ledger.spent("people") == Cost(10, 0) and ledger.remaining("people", "ada") == Cost()
    with pytest.raises(Spent):
        ledger.reserve("people", "ada", Cost(0, 0), "even a free one, because it is overdrawn")
    ledger.change("people", Cost(11, 0), "refuse")
    assert ledger.reserve("people", "ada", Cost(1, 0), "q").remaining == Cost()
    ledger.open("people", Cost(11, 0), "refuse", "approximate")
    assert [entry.cost for entry in ledger.entries() if entry.kind == "change"] == [Cost(11, 0), Cost(9, 0)]
    assert ledger.check().holds


def test_granting_again_changes_the_limit_and_is_noted(ledger: Ledger) -> None:
    ledger.reserve("people", "ada", Cost(10, 0), "q")
    ledger.grant("people", "ada", Cost(12, 0))
    assert ledger.remaining("people", "ada") == Cost(2, 0)
    assert ledger.entries("people", "ada", 1)[0].kind == "grant"


def test_what_makes_no_sense_is_refused_before_anything_is_written(ledger: Ledger) -> None:
    before = ledger.check()
    for attempt in (
        lambda: ledger.reserve("people", "ada", Cost(-5, 0), "give back"),
        lambda: ledger.reserve("people", "ada", Cost(0, -5), "give back"),
        lambda: ledger.reserve("people", "ada", Cost(2**63, 0), "overflow"),
        lambda: ledger.grant("people", "", Cost(1, 0)),
        lambda: ledger.grant("nothing", "ada", Cost(1, 0)),
        lambda: ledger.grant("people", "ada", Cost(-1, 0)),
        lambda: ledger.open("", Cost(1, 0), "refuse", "pure"),
        lambda: ledger.open("x", Cost(1, 0), "ignore", "pure"),  # type: ignore[arg-type]
        lambda: ledger.open("x", Cost(1, 0), "refuse", "guess"),
        lambda: ledger.change("nothing", Cost(1, 0), "refuse"),
        lambda: ledger.entries(limit=0),
    ):
        with pytest.raises(BadParameter):
            attempt()
    assert ledger.check() == before


def test_hostile_text_is_kept_as_text(ledger: Ledger) -> None:
    for text in ("'; DROP TABLE entries; --", "a\0b", "\ud800", "%s ? {0}", "x" * 100_000):
        ledger.reserve("people", "ada", Cost(1), text)
    assert ledger.spent("people") == Cost(5)
    assert ledger.entries(limit=4)[3].question == "a\N{REPLACEMENT CHARACTER}b"
    assert ledger.check().holds


def test_entries_are_told_newest_first_and_by_name(ledger: Ledger) -> None:
    ledger.grant("people", "bob", PLENTY)
    for analyst in ("ada", "bob", "ada"):
        ledger.reserve("people", analyst, Cost(1), f"of {analyst}")
    assert [entry.question for entry in ledger.entries("people", "ada", 2)] == ["of ada", "of ada"]
    assert [entry.id for entry in ledger.entries()] == [6, 5, 4, 3, 2, 1]
    assert ledger.entries("elsewhere") == []


@settings(max_examples=60)
@given(st.data())
def test_a_ledger_agrees_with_a_plain_sum(data: st.DataObject) -> None:
    limit = data.draw(st.builds(Cost, st.integers(0, 60), st.integers(0, 60)))
    policy = data.draw(st.sampled_from(get_args(Policy)))
    total, own = Cost(), {"ada": Cost(), "bob": Cost()}
    with passing_ledger() as ledger:
        ledger.open("people", limit, policy, "approximate")
        for name in own:
            ledger.grant("people", name, Cost(40, 40))
        for _ in range(data.draw(st.integers(0, 15))):
            name = data.draw(st.sampled_from(sorted(own)))
            cost = data.draw(st.builds(Cost, st.integers(0, 30), st.integers(0, 30)))
            fits = (total + cost).within(limit) and (own[name] + cost).within(Cost(40, 40))
            try:
                made = ledger.reserve("people", name, cost, "q")
            except ShoalError:
                assert not fits and policy == "refuse"
                continue
            assert made.overdrawn is not fits and (fits or policy == "warn")
            total, own[name] = total + cost, own[name] + cost
        assert ledger.spent("people") == total
        assert {name: ledger.spent("people", name) for name in own} == own
        assert ledger.check().holds


@pytest.mark.slow
def test_reserving_takes_as_many_steps_after_a_hundred_thousand_entries(tmp_path: Path) -> None:
    with opened(str(tmp_path / "ledger.sqlite")) as ledger:
        assert isinstance(ledger.place, SqlitePlace)
        writer = ledger.place._writer

        def steps() -> int:
            """What SQLite does for one reservation: counted, because time depends on the neighbours."""
            counted = []
            writer.set_progress_handler(lambda: counted.append(1), 1)
            ledger.reserve("people", "ada", Cost(1), "q")
            writer.set_progress_handler(None, 1)
            return len(counted)

        young = steps()
        for _ in range(100):  # a thousand in a transaction each, as a very full queue would be
            ledger.writer.do(lambda pen: [pen.note("recall", "people", "ada") for _ in range(1_000)])
        assert 100 < steps() <= young
        found = ledger.check()
        assert found.holds and found.entries == 100_004


def test_nobody_spends_on_a_data_set_that_was_deleted(ledger: Ledger) -> None:
    ledger.open("gone", Cost(100, 0), "refuse", "pure")
    ledger.grant("gone", "ada", Cost(100, 0))
    ledger.reserve("gone", "ada", Cost(30, 0), "SELECT 1")
    ledger.close_dataset("gone")
    ledger.close_dataset("gone")  # once is enough
    assert ledger.closed("gone") and not ledger.closed("never") and not ledger.granted("gone", "ada")
    with pytest.raises(NotAllowed):
        ledger.reserve("gone", "ada", Cost(1, 0), "SELECT 1")
    with pytest.raises(NotAllowed):
        ledger.remaining("gone", "ada")
    with pytest.raises(BadParameter, match="deleted"):
        ledger.open("gone", Cost(100, 0), "refuse", "pure")
    with pytest.raises(BadParameter):
        ledger.change("gone", Cost(500, 0), "refuse")
    with pytest.raises(BadParameter):
        ledger.grant("gone", "eve", Cost(5, 0))
    with pytest.raises(BadParameter):
        ledger.close_dataset("never")
    assert ledger.spent("gone") == Cost(30, 0) and ledger.check().holds
    assert [entry.kind for entry in ledger.entries("gone")] == ["refuse", "close", "reserve", "grant", "open"]
