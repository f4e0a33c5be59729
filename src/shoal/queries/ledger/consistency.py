"""Whether a ledger agrees with itself: every link, every rule and every sum, from the first entry on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.account import Account, Pair, account_of
from shoal.queries.ledger.backend import Hand
from shoal.queries.ledger.entry import COLUMNS, KINDS, Entry
from shoal.queries.ledger.renewal import Renewal, Rule, period_of
from shoal.queries.ledger.schema import ALL, GONE, START

PAGE = 10_000
MOST = 20  # complaints told; more would tell no more


@dataclass(frozen=True)
class ConsistencyReport(Shown):
    """What was found. The last link stands for all history: noted elsewhere, it shows a ledger set back."""

    entries: int
    chain: str
    complaints: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all agrees."""
        return not self.complaints

    def to_json(self) -> dict[str, Json]:
        return {
            "holds": self.holds,
            "entries": self.entries,
            "chain": self.chain,
            "complaints": list(self.complaints),
        }

    def to_tables(self) -> Tables:
        tables: Tables = {
            "ledger": [
                ["agrees", "entries", "last link"],
                ["yes" if self.holds else "no", f"{self.entries:,}", self.chain],
            ]
        }
        if self.complaints:
            tables["what does not agree"] = [["complaint"], *([text] for text in self.complaints)]
        return tables


@dataclass
class _Replay:
    """The books as the entries alone tell them."""

    accounts: dict[tuple[str, str], Account] = field(default_factory=dict)
    people: dict[str, tuple[str, bool]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def take(self, entry: Entry) -> None:
        match entry.kind:
            case "open" | "change":
                words = dict(word.split("=", 1) for word in entry.question.split() if "=" in word)
                self._limit(entry, words.get("policy", ""), words.get("accounting", ""))
            case "period":
                self._period(entry)
            case "grant":
                self._limit(entry)
            case "close" if (entry.dataset, ALL) in self.accounts:
                known = self.accounts[entry.dataset, ALL]
                self.accounts[entry.dataset, ALL] = replace(known, limit=entry.cost, policy=GONE)
            case "reserve":
                self._reserve(entry)
            case "add":
                self.people[entry.analyst] = (entry.question, True)
            case "renew" | "revoke" if entry.analyst in self.people:
                self.people[entry.analyst] = (self.people[entry.analyst][0], entry.kind == "renew")
            case kind if kind not in KINDS:
                self.complaints.append(f"entry {entry.id} is of an unknown kind, '{kind}'")
        if entry.kind in ("refuse", "recall") and entry.cost != Cost():
            self.complaints.append(f"entry {entry.id} costs something although nothing new was answered")

    def _limit(self, entry: Entry, policy: str = "", accounting: str = "") -> None:
        key = (entry.dataset, entry.analyst)
        known = self.accounts.get(key, Account(Cost(), Cost()))
        self.accounts[key] = Account(entry.cost, known.spent, policy, accounting, Renewal.of(entry.question))

    def _period(self, entry: Entry) -> None:
        """A period began: later than the one before, when its entry says, with what every period gives."""
        key, told = (entry.dataset, entry.analyst), Renewal.of(entry.question)
        known = self.accounts.get(key)
        if known is None or known.renewal is None or told is None:
            self.complaints.append(f"entry {entry.id} renews a budget that does not renew")
            return
        if not known.renewal.period < told.period <= _period_of(told.rule, entry.time):
            self.complaints.append(f"entry {entry.id} renews a budget whose time had not come")
        self.accounts[key] = renewed = known.in_period(told.period)
        if (renewed.limit, renewed.renewal) != (entry.cost, told):
            self.complaints.append(f"entry {entry.id} renews a budget by another amount than was declared")

    def _reserve(self, entry: Entry) -> None:
        keys = [(entry.dataset, ALL), (entry.dataset, entry.analyst)]
        if not entry.analyst or any(key not in self.accounts for key in keys):
            self.complaints.append(f"entry {entry.id} spends from an account that was never opened")
            return
        both = Pair(*(self.accounts[key] for key in keys))
        if both.all.closed:
            self.complaints.append(f"entry {entry.id} spends on a data set that was deleted before")
        if both.all.policy != "warn" and not both.admits(entry.cost):
            self.complaints.append(f"entry {entry.id} spends more than was left")
        after = both.after(entry.cost)
        self.accounts[keys[0]], self.accounts[keys[1]] = after.all, after.own


def check_ledger(hand: Hand) -> ConsistencyReport:
    """Everything that the ledger's tables say, against what its entries say."""
    replay, chain, last = _Replay(), START, 0
    complaints = replay.complaints
    for entry in _all(hand):
        if entry.id != last + 1:
            complaints.append(f"entries {last + 1} to {entry.id - 1} are missing")
        last, chain = entry.id, entry.tied(chain)
        if chain != entry.chain:
            complaints.append(f"entry {entry.id} or one before it was changed: the chain is broken")
            chain = entry.chain
        replay.take(entry)
        if len(complaints) >= MOST:
            return ConsistencyReport(last, chain, tuple(complaints[:MOST]))
    heads = hand.rows("SELECT id, chain FROM head")
    if heads != [(last, chain)]:
        complaints.append(f"the ledger ends with entry {last} and says {heads}")
    complaints += _compare(_accounts(hand), replay.accounts, "account")
    complaints += _compare(_people(hand), replay.people, "person")
    return ConsistencyReport(last, chain, tuple(complaints[:MOST]))


def _period_of(rule: Rule, time: str) -> str:
    try:
        return period_of(rule, time)
    except ValueError:  # damaged: before all periods
        return ""


def _compare(kept: Mapping[Any, object], told: Mapping[Any, object], what: str) -> Iterator[str]:
    for key in sorted({*kept, *told}, key=repr):
        if kept.get(key) != told.get(key):
            yield f"{what} {key} is kept as {kept.get(key)}, and its entries make it {told.get(key)}"


def _all(hand: Hand) -> Iterator[Entry]:
    last = -(2**62)
    while True:
        page = hand.rows(f"SELECT {COLUMNS} FROM entries WHERE id > ? ORDER BY id LIMIT ?", last, PAGE)
        if not page:
            return
        for row in page:
            yield Entry.of(row)
        last = page[-1][0]


def _accounts(hand: Hand) -> dict[tuple[str, str], Account]:
    rows = hand.rows(
        "SELECT dataset, analyst, limit_loss, limit_delta, spent_loss, spent_delta, policy, accounting"
        " FROM accounts"
    )
    return {(row[0], row[1]): account_of(row[2:]) for row in rows}


def _people(hand: Hand) -> dict[str, tuple[str, bool]]:
    return {row[0]: (row[1], row[2] is not None) for row in hand.rows("SELECT name, role, token FROM people")}
