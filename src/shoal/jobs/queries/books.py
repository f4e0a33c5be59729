"""Where the budget of a few flags is kept, and how much it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.queries.declare import DELTA, NAME, chance, priced
from shoal.queries.accounting.conversion import epsilon_of
from shoal.queries.accounting.kinds import accounting_of
from shoal.queries.budgets import declared_delta
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.account import Account, account, told
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.opening import open_ledger, passing_ledger

FILE = "shoal-ledger.sqlite"
USUAL = "approximate"


@dataclass(frozen=True)
class Books:
    """A ledger, how it counts, and the budget of all questions together."""

    ledger: Ledger
    accounting: str
    budget: Budget

    @classmethod
    def new(cls, accounting: str | None, epsilon: Fraction, delta: Fraction | None, ledger: Ledger) -> Books:
        """Books that begin now."""
        kept = accounting or USUAL
        if kept == "pure" and delta:
            raise BadParameter(
                "pure accounting has no δ; leave --delta out, or choose --accounting approximate"
            )
        return cls(
            ledger,
            kept,
            Budget(epsilon, Fraction(0) if kept == "pure" else DELTA if delta is None else delta),
        )

    @classmethod
    def for_one(cls, accounting: str | None, epsilon: Fraction, delta: Fraction | None, budget: Any) -> Books:
        """Books for one question, which may spend all there is; nothing of them is kept."""
        if budget is not None:
            return cls.new(accounting, priced(budget, "--budget"), None, passing_ledger())
        if accounting == "zcdp":
            # A question of ε costs ρ = ε²/2; told as ε with a δ, that is more than the ε of the question.
            twice = DELTA if delta is None else 2 * delta
            books, limit = accounting_of("zcdp"), epsilon_of(epsilon**2 / 2, twice / 2)
            while books.limit(Budget(limit, twice)).loss < books.cost(epsilon, Fraction(0)).loss:
                limit += Fraction(1, 10**6)
            return cls(passing_ledger(), "zcdp", Budget(limit, twice))
        return cls.new(accounting, epsilon, delta, passing_ledger())


def remote(place: str | Path) -> bool:
    """Whether a ledger is in a PostgreSQL database, and not a file."""
    return str(place).startswith(("postgresql://", "postgres://"))


def beside(data: Mapping[str, Any]) -> Path | None:
    """Where the ledger of files is: beside any of them, as named or where a link leads; else of the first.

    What is spent counts however files are named and in whatever order.
    """
    files = [source for source in data.values() if isinstance(source, str | Path) and str(source) != "-"]
    named = [Path(source).parent / FILE for source in files]
    linked = [Path(os.path.realpath(source)).parent / FILE for source in files]
    there = {os.path.realpath(place): place for place in reversed([*named, *linked]) if place.exists()}
    if len(there) > 1:
        both = "' and '".join(sorted(map(str, there.values())))
        raise BadParameter(
            f"the files have several budgets, in '{both}'; ask about the files of one folder, or choose the "
            "one that pays with --ledger FILE"
        )
    if there:
        return next(iter(there.values()))
    return named[0] if files and files[0] is next(iter(data.values())) else None


def opened(
    accounting: str | None, budget: Any, delta: Any, place: str | Path | None, name: str = NAME
) -> Books:
    """The ledger at a place with what it holds, or a new one with a budget; in memory without a place."""
    epsilon = None if budget is None else priced(budget, "--budget")
    new = place is not None and not remote(place) and not Path(place).exists()
    if epsilon is None and (place is None or new):
        raise BadParameter("how much may all questions together cost? Give --budget E, often 1 to 10")
    ledger = passing_ledger() if place is None else open_ledger(place)
    try:
        with ledger.place.reading() as hand:
            known = account(hand, name)
        if known is not None:
            return _known(ledger, known, accounting, epsilon)
        if epsilon is None:
            what = "files" if name == NAME else name
            raise BadParameter(
                f"the ledger '{place}' has no budget for {what} yet; begin one with --budget E"
            )
        return Books.new(accounting, epsilon, chance(delta), ledger)
    except BaseException:
        ledger.close()
        raise


def _known(ledger: Ledger, known: Account, accounting: str | None, epsilon: Fraction | None) -> Books:
    """Books that go on; what was told about them before cannot be told otherwise now."""
    if accounting is not None and accounting != known.accounting:
        raise BadParameter(
            f"the ledger counts in {known.accounting}, not in {accounting}; leave --accounting out, or "
            "begin another ledger for other data"
        )
    if epsilon is None:
        return Books(ledger, known.accounting, _budget(known))
    budget = Budget(epsilon, declared_delta(known.limit, known.accounting))
    if accounting_of(known.accounting).limit(budget) != known.limit:
        raise BadParameter(
            f"the ledger holds a budget of {told(known.limit, known.accounting)}, "
            f"and --budget {float(epsilon):g} differs; leave --budget out, or change it with "
            "shoal query budget --change-epsilon"
        )
    return Books(ledger, known.accounting, budget)


def _budget(known: Account) -> Budget:
    """The budget whose limit is in the ledger."""
    loss, spare = known.limit.exact
    if known.accounting != "zcdp":
        return Budget(loss, spare)
    delta = declared_delta(known.limit, known.accounting)
    # The ledger holds ρ. Its ε was written with a few digits: the shortest number that gives the same ρ.
    books, near = accounting_of("zcdp"), epsilon_of(loss, spare)
    for digits in range(13):
        for step in (0, 1, -1):
            guess = Budget(Fraction(max(1, round(near * 10**digits) + step), 10**digits), delta)
            if books.limit(guess) == known.limit:
                return guess
    raise BadParameter("the ledger's ρ does not tell its ε; repeat the --budget that it was begun with")
