"""Where the budget of a few flags is kept."""

from fractions import Fraction
from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.ask import FILE, BudgetLedger, beside
from shoal.jobs.queries.declare import DELTA, NAME
from shoal.jobs.queries.durable_ledger import open_durable_ledger
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost


def begun(place: Path, accounting: str | None = None, budget: str = "2") -> BudgetLedger:
    books = open_durable_ledger(accounting, budget, None, place)
    limit = accounting_of(books.accounting).limit(books.budget)
    books.ledger.open(NAME, limit, "refuse", books.accounting)
    return books


def test_the_ledger_is_beside_the_first_file() -> None:
    assert beside({"a": "x/a.csv", "b": "y/b.csv"}) == Path("x") / FILE
    assert beside({"a": Path("a.csv")}) == Path(FILE)
    assert beside({"a": "-"}) is None
    assert beside({"a": object()}) is None
    assert beside({}) is None


def test_a_ledger_that_is_there_pays_in_whatever_order_and_by_whatever_link(tmp_path: Path) -> None:
    """With another table named first, or by a link from elsewhere, a spent budget was not looked at."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    data, elsewhere = tmp_path / "one" / "a.csv", tmp_path / "other" / "b.csv"
    data.touch()
    place = data.parent / FILE
    begun(place).ledger.close()
    (tmp_path / "other" / "link.csv").symlink_to(data)
    assert beside({"b": elsewhere, "a": data}) == place
    assert beside({"b": "-", "a": data}) == place
    assert beside({"a": tmp_path / "other" / "link.csv"}) == place
    assert beside({"a": data, "again": tmp_path / "other" / ".." / "one" / "a.csv"}) == place
    begun(elsewhere.parent / FILE).ledger.close()
    with pytest.raises(BadParameter, match=r"several budgets.*--ledger"):
        beside({"b": elsewhere, "a": data})


@pytest.mark.parametrize("accounting", [None, "pure", "approximate", "zcdp", "pld", "pld-listed"])
@pytest.mark.parametrize("budget", ["2", "0.7", "1.23456"])
def test_a_ledger_goes_on_with_the_budget_it_was_begun_with(
    tmp_path: Path, accounting: str | None, budget: str
) -> None:
    place = tmp_path / "ledger"
    first = begun(place, accounting, budget)
    first.ledger.close()
    again = open_durable_ledger(None, None, None, place)
    assert (again.accounting, again.budget) == (first.accounting, first.budget)
    again.ledger.close()
    same = open_durable_ledger(accounting, budget, None, place)
    assert same.budget == first.budget
    same.ledger.close()


def test_another_budget_is_refused_with_both_values(tmp_path: Path) -> None:
    begun(tmp_path / "ledger").ledger.close()
    with pytest.raises(BadParameter, match=r"ε=2.*--budget 3 differs"):
        open_durable_ledger(None, "3", None, tmp_path / "ledger")
    with pytest.raises(BadParameter, match="counts in approximate, not in zcdp"):
        open_durable_ledger("zcdp", None, None, tmp_path / "ledger")


def test_a_new_ledger_needs_a_budget_and_none_is_made_without(tmp_path: Path) -> None:
    for place in (tmp_path / "ledger", None):
        with pytest.raises(BadParameter, match="--budget E"):
            open_durable_ledger(None, None, None, place)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_ledger_stays_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "notes.txt"
    place.write_text("my notes, nothing else, and they must stay as they are\n" * 50, "utf-8")
    before = place.read_bytes()
    with pytest.raises(BadParameter, match="no ledger"):
        open_durable_ledger(None, "1", None, place)
    assert place.read_bytes() == before


@pytest.mark.parametrize("accounting", [None, "pure", "approximate", "zcdp", "pld", "pld-listed"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3.3"])
def test_the_budget_of_one_question_is_what_the_question_costs(accounting: str | None, epsilon: str) -> None:
    books = BudgetLedger.for_one(accounting, Fraction(epsilon), None, None)
    keeping = accounting_of(books.accounting)
    limit, cost = keeping.limit(books.budget), keeping.cost(Fraction(epsilon), Fraction(0))
    assert cost.within(limit)
    assert (limit - cost).loss <= 2 * 10**6  # of 10^12 steps; without zCDP exactly 0
    if accounting not in ("zcdp", "pld", "pld-listed"):
        assert limit.loss == cost.loss
    books.ledger.close()


def test_pure_books_have_no_delta() -> None:
    with pytest.raises(BadParameter, match="pure accounting has no δ"):
        BudgetLedger.for_one("pure", Fraction(1), DELTA, None)
    assert BudgetLedger.for_one("pure", Fraction(1), None, None).budget.delta == 0
    assert Cost.of(Fraction(0), DELTA).delta == 10**12
