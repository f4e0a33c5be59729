"""Budgets that renew: by the calendar of UTC, never by a clock that goes back, and always recalculable."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Spent
from shoal.queries.accounting.cost import Cost
from shoal.queries.budget_balance import budget_state
from shoal.queries.ledger import account, entry, group_commit, ledger
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger, passing_ledger
from shoal.queries.ledger.renewal import RULES, Renewal, Rule, period_of, renewal

TEN, ONE = Cost(10**13, 0), Cost(10**12, 0)


class Clock:
    """A clock that tests set: the only thing here that is not real."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 17, 12, tzinfo=UTC)

    def __call__(self) -> str:
        return self.time.isoformat(timespec="microseconds")

    def go(self, **by: float) -> None:
        self.time += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (account, group_commit, ledger):
        monkeypatch.setattr(module, "now", made)
    return made


@pytest.fixture
def monthly(tmp_path: Path, clock: Clock) -> Iterator[Ledger]:
    assert clock() < "2026-12"
    with open_ledger(tmp_path / "ledger.sqlite") as made:
        made.open("people", TEN, "refuse", "pure", "month")
        made.grant("people", "ada", ONE)
        yield made


def test_what_was_granted_is_for_every_month(monthly: Ledger, clock: Clock) -> None:
    monthly.reserve("people", "ada", ONE, "q")
    with pytest.raises(Spent):
        monthly.reserve("people", "ada", Cost(1, 0), "q")
    clock.go(days=13)  # still November
    with pytest.raises(Spent):
        monthly.reserve("people", "ada", Cost(1, 0), "q")
    clock.go(days=1)
    assert monthly.remaining("people", "ada") == ONE
    assert monthly.reserve("people", "ada", Cost(3, 0), "q").remaining == ONE - Cost(3, 0)
    clock.go(days=62)  # what was left has lapsed, and no month without a question gives twice
    assert monthly.remaining("people", "ada") == ONE
    monthly.reserve("people", "ada", ONE, "q")
    with pytest.raises(Spent):
        monthly.reserve("people", "ada", Cost(1, 0), "q")
    assert monthly.spent("people", "ada") == monthly.spent("people") == ONE + ONE + Cost(3, 0)
    assert [one.kind for one in monthly.entries("people", "ada")].count("period") == 2
    assert monthly.check().holds


def test_a_clock_that_is_set_back_gives_nothing(monthly: Ledger, clock: Clock) -> None:
    monthly.reserve("people", "ada", ONE, "q")
    for back in (1, 40, 400, 4000):
        clock.go(days=-back)
        with pytest.raises(Spent):
            monthly.reserve("people", "ada", Cost(1, 0), "q")
        clock.go(days=back)
    with pytest.raises(Spent):  # and forth again gives no second November
        monthly.reserve("people", "ada", Cost(1, 0), "q")
    clock.go(days=30)
    monthly.reserve("people", "ada", ONE, "q")
    clock.go(days=-30)
    with pytest.raises(Spent):
        monthly.reserve("people", "ada", Cost(1, 0), "q")
    assert monthly.check().holds


def test_all_together_renew_too(monthly: Ledger, clock: Clock) -> None:
    for name in ("bob", "eve"):
        monthly.grant("people", name, TEN)
    monthly.reserve("people", "bob", TEN, "q")
    with pytest.raises(Spent):
        monthly.reserve("people", "eve", ONE, "q")
    clock.go(days=20)
    monthly.reserve("people", "eve", ONE, "q")
    assert monthly.remaining("people", "bob") == TEN - ONE and monthly.check().holds


def test_another_limit_counts_what_the_period_has_spent(monthly: Ledger, clock: Clock) -> None:
    monthly.reserve("people", "ada", ONE, "q")
    clock.go(days=20)
    monthly.reserve("people", "ada", Cost(4, 0), "q")
    monthly.grant("people", "ada", Cost(6, 0))
    assert monthly.remaining("people", "ada") == Cost(2, 0)
    monthly.change("people", Cost(5, 0), "refuse")
    assert monthly.remaining("people", "ada") == Cost(1, 0)
    clock.go(days=31)
    assert monthly.remaining("people", "ada") == Cost(5, 0) and monthly.check().holds
    monthly.open("people", Cost(5, 0), "refuse", "pure", "month")
    before = len(monthly.entries("people"))
    monthly.grant("people", "ada", Cost(6, 0))  # as at every start
    assert len(monthly.entries("people")) == before


def test_a_promise_does_not_begin_or_cease_to_renew(monthly: Ledger) -> None:
    for renews in ("never", "day"):
        with pytest.raises(BadParameter, match="renews every month"):
            monthly.open("people", TEN, "refuse", "pure", renews)
    monthly.open("plain", TEN, "refuse", "pure")
    with pytest.raises(BadParameter, match="renews never"):
        monthly.open("plain", TEN, "refuse", "pure", "year")
    with pytest.raises(BadParameter, match="every 'hour'"):
        monthly.open("other", TEN, "refuse", "pure", "hour")


def test_it_is_said_in_words_what_adds_up(monthly: Ledger, clock: Clock) -> None:
    monthly.reserve("people", "ada", ONE, "q")
    clock.go(days=20)
    monthly.reserve("people", "ada", Cost(ONE.loss // 2, 0), "q")
    told = budget_state(monthly, "people", "ada")
    assert (told.limit["epsilon"], told.spent["epsilon"], told.remaining["epsilon"]) == (1, 0.5, 0.5)
    assert told.renews is not None and told.renews["period"] == "2026-12"
    assert told.renews["spent_in_all"]["epsilon"] == 1.5
    assert (
        "ε 1.5 so far" in told.renews["in_words"]
        and "up to ε 12 more in every year" in told.renews["in_words"]
    )
    assert "renewal" in told.to_tables() and type(told).from_json(told.to_json()) == told
    whole = budget_state(monthly, "people")
    assert whole.limit["epsilon"] == 10 and whole.spent["epsilon"] == 0.5


@pytest.mark.parametrize(
    ("kind", "cost", "text"),
    [
        ("period", Cost(2 * ONE.loss, 0), "renews=month period=2026-11 each=1000000000000,0"),  # not yet
        (
            "period",
            Cost(2 * ONE.loss, 0),
            "renews=month period=2027-01 each=1000000000000,0",
        ),  # before its time
        ("period", Cost(9 * ONE.loss, 0), "renews=month period=2026-12 each=1000000000000,0"),  # too much
        (
            "period",
            Cost(2 * ONE.loss, 0),
            "renews=day period=2026-12-02 each=1000000000000,0",
        ),  # another rule
        ("period", Cost(2 * ONE.loss, 0), "nonsense"),
    ],
)
def test_an_entry_that_gives_more_is_found(
    monthly: Ledger, clock: Clock, kind: entry.Kind, cost: Cost, text: str
) -> None:
    monthly.reserve("people", "ada", ONE, "q")
    clock.go(days=15)  # the second of December

    def forged(pen: group_commit.Pen) -> None:
        pen.note(kind, "people", "ada", cost, text)
        pen.rows("UPDATE accounts SET limit_loss = ?, policy = ? WHERE analyst = 'ada'", cost.loss, text)

    monthly.writer.do(forged)
    assert not monthly.check().holds


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.integers(-40, 60), st.sampled_from(["ada", "bob"]), st.integers(1, 6)), max_size=25
    ),
    rule=st.sampled_from(RULES),
)
def test_no_period_gives_more_than_declared(steps: list[tuple[int, str, int]], rule: Rule) -> None:
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        for module in (account, group_commit, ledger):
            patch.setattr(module, "now", clock)
        books = passing_ledger()
        books.open("people", Cost(9, 0), "refuse", "pure", rule)
        for name in ("ada", "bob"):
            books.grant("people", name, Cost(6, 0))
        spent: dict[tuple[str, str], int] = {}
        latest = ""
        for days, name, cost in steps:
            clock.go(days=days)
            latest = max(latest, period_of(rule, clock()))
            try:
                books.reserve("people", name, Cost(cost, 0), "q")
            except Spent:
                continue
            for who in (name, ""):
                spent[latest, who] = spent.get((latest, who), 0) + cost
        assert all(cost <= (6 if who else 9) for (_, who), cost in spent.items())
        assert books.check().holds
        books.close()


@given(first=st.datetimes(timezones=st.just(UTC)), second=st.datetimes(timezones=st.just(UTC)))
def test_later_times_never_lie_in_smaller_periods(first: datetime, second: datetime) -> None:
    early, late = sorted((first, second))
    for rule in RULES:
        assert period_of(rule, early.isoformat()) <= period_of(rule, late.isoformat())


def test_a_renewal_is_read_as_it_was_written() -> None:
    made = renewal("week", Cost(5, 7), "2027-01-01T00:00:00+00:00")
    assert made == Renewal("week", "2026-W53", Cost(5, 7)) and made is not None
    assert Renewal.of(made.text) == made and Renewal.of(f"refuse {made.text}") == made
    for text in ("", "refuse", "renews=month", "renews=hour each=1,2", f"renews=day each={'9' * 40},1"):
        assert Renewal.of(text) is None
    assert renewal("never", Cost(), "2027-01-01") is None
