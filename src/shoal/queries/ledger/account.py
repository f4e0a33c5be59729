"""Accounts: how much may be spent and how much was, for a data set and for each analyst."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, get_args

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.composition import admits, smaller
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Policy
from shoal.queries.ledger.backend import Hand
from shoal.queries.ledger.entry import LARGEST, now
from shoal.queries.ledger.group_commit import Pen
from shoal.queries.ledger.renewal import Renewal
from shoal.queries.ledger.schema import ALL, GONE

# One text whether the data set is not there or not theirs, because the difference is not theirs to know.
CLOSED = "no data set of that name is open to you; ask its owner for a budget"


@dataclass(frozen=True)
class Account:
    """One account. Policy and accounting are the data set's, and empty in the account of an analyst."""

    limit: Cost
    spent: Cost
    policy: str = ""
    accounting: str = ""
    renewal: Renewal | None = None
    due: bool = field(default=False, compare=False)  # a period has begun that is not noted yet

    @property
    def closed(self) -> bool:
        """Whether its data set was deleted."""
        return self.policy == GONE

    @property
    def terms(self) -> str:
        """Policy and renewal as one text: what a ledger has a column for."""
        return self.policy if self.renewal is None else f"{self.policy} {self.renewal.text}".strip()

    @property
    def each(self) -> Cost:
        """What was granted: for every period, where it renews."""
        return self.limit if self.renewal is None else self.renewal.each

    @property
    def before(self) -> Cost:
        """What was spent before the present period."""
        return Cost() if self.renewal is None else self.limit - self.renewal.each

    def at(self, time: str) -> Account:
        """The account at a time: when a new period has begun, with what that gives."""
        if self.renewal is None or self.renewal.at(time) == self.renewal:
            return self
        return self.in_period(self.renewal.at(time).period)

    def in_period(self, period: str) -> Account:
        """The account in a period that begins: what was spent, and what every period gives."""
        assert self.renewal is not None
        limit, renewal = _together(self.spent, self.renewal.each), replace(self.renewal, period=period)
        return replace(self, limit=limit, renewal=renewal, due=True)

    def with_limit(self, limit: Cost) -> Account:
        """Another limit, or another one for every period; what was spent in the present one counts."""
        if self.renewal is None:
            return replace(self, limit=limit)
        new = replace(self.renewal, each=limit)
        return replace(self, limit=_together(self.before, limit), renewal=new)

    @property
    def left(self) -> Cost:
        """What is left, and nothing when it is overdrawn."""
        return Cost(max(0, self.limit.loss - self.spent.loss), max(0, self.limit.delta - self.spent.delta))


@dataclass(frozen=True)
class Pair:
    """The two accounts that every question is booked on."""

    all: Account
    own: Account

    @property
    def left(self) -> Cost:
        """What both have left."""
        return smaller(self.all.left, self.own.left)

    @property
    def limit(self) -> Cost:
        """What both allow in all."""
        return smaller(self.all.limit, self.own.limit)

    def admits(self, cost: Cost) -> bool:
        """Whether a question fits into both."""
        return all(admits(account.limit, account.spent, cost) for account in (self.all, self.own))

    def after(self, cost: Cost) -> Pair:
        """The same accounts when a cost is booked."""
        return Pair(
            replace(self.all, spent=self.all.spent + cost), replace(self.own, spent=self.own.spent + cost)
        )

    def counts(self, cost: Cost) -> bool:
        """Whether the sums can still be held when a question overdraws them."""
        most = Cost(LARGEST, LARGEST)
        return all((account.spent + cost).within(most) for account in (self.all, self.own))


def account(hand: Hand | Pen, dataset: str, analyst: str = ALL) -> Account | None:
    """One account, if it is there."""
    found = _accounts(hand, dataset, analyst).get(analyst)
    return None if found is None else found.at(now())


def pair(hand: Hand | Pen, dataset: str, analyst: str) -> Pair | None:
    """Both accounts of an analyst, if both are there."""
    found = _accounts(hand, dataset, analyst)
    if not analyst or ALL not in found or analyst not in found or found[ALL].closed:
        return None
    time = now()
    return Pair(found[ALL].at(time), found[analyst].at(time))


def both_accounts(hand: Hand | Pen, dataset: str, analyst: str) -> Pair:
    """Both accounts of an analyst, or one text for whatever is missing."""
    found = pair(hand, dataset, analyst)
    if found is None:
        raise NotAllowed(CLOSED)
    return found


def book(pen: Pen, dataset: str, analyst: str, cost: Cost) -> None:
    """Add a cost to both accounts."""
    pen.rows(
        "UPDATE accounts SET spent_loss = spent_loss + ?, spent_delta = spent_delta + ?"
        " WHERE dataset = ? AND analyst IN (?, ?)",
        cost.loss,
        cost.delta,
        dataset,
        ALL,
        analyst,
    )


def set_limit(pen: Pen, dataset: str, analyst: str, account: Account) -> None:
    """Make an account, or give it another limit; what was spent stays."""
    pen.rows(
        "INSERT INTO accounts (dataset, analyst, limit_loss, limit_delta, spent_loss, spent_delta, policy,"
        " accounting) VALUES (?, ?, ?, ?, 0, 0, ?, ?) ON CONFLICT (dataset, analyst) DO UPDATE SET"
        " limit_loss = excluded.limit_loss, limit_delta = excluded.limit_delta, policy = excluded.policy",
        dataset,
        analyst,
        account.limit.loss,
        account.limit.delta,
        account.terms,
        account.accounting,
    )


def terms(policy: str, accounting: str, renewal: Renewal | None = None) -> str:
    """What an entry says about the rules of a data set."""
    if policy not in get_args(Policy):
        raise BadParameter(f"no policy '{policy}'; there is {', '.join(get_args(Policy))}")
    words = f"policy={policy} accounting={accounting_of(accounting).name}"
    return words if renewal is None else f"{words} {renewal.text}"


def cost_text(cost: Cost, accounting: str) -> str:
    """A cost for people."""
    words = accounting_of(accounting).figures(cost)
    signs = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}
    return ", ".join(
        f"{signs[part]}={words[part]:.12g}" for part in words if words[part] or part == "epsilon"
    )


def _accounts(hand: Hand | Pen, dataset: str, analyst: str) -> dict[str, Account]:
    rows = hand.rows(
        "SELECT analyst, limit_loss, limit_delta, spent_loss, spent_delta, policy, accounting"
        " FROM accounts WHERE dataset = ? AND analyst IN (?, ?)",
        dataset,
        ALL,
        analyst,
    )
    return {row[0]: account_of(row[1:]) for row in rows}


def account_of(row: tuple[Any, ...]) -> Account:
    """An account from its limit, what was spent, its terms and its accounting."""
    limit, spent, terms = Cost(row[0], row[1]), Cost(row[2], row[3]), str(row[4])
    policy = terms.partition(" ")[0]
    return Account(limit, spent, "" if "=" in policy else policy, row[5], Renewal.of(terms))


def _together(spent: Cost, each: Cost) -> Cost:
    return Cost(min(LARGEST, spent.loss + each.loss), min(LARGEST, spent.delta + each.delta))
