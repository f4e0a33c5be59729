"""What is noted: entries that are tied to each other, and reservations."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.queries.accounting.cost import Cost

Kind = Literal[
    "open", "change", "close", "grant", "reserve", "refuse", "recall", "period", "add", "renew", "revoke"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
LARGEST = 2**63 - 1
BRIEF = 500  # bytes that are noted of a question that cost nothing
COLUMNS = "id, time, dataset, analyst, kind, loss, delta, question, chain"


@dataclass(frozen=True)
class Entry:
    """One line of the ledger. For open, change and grant the cost is the limit that was set."""

    id: int
    time: str  # UTC
    dataset: str
    analyst: str
    kind: Kind
    cost: Cost
    question: str
    chain: str  # ties it to all entries before

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Entry:
        """An entry from a row of COLUMNS."""
        number, time, dataset, analyst, kind, loss, delta, question, chain = row
        return cls(number, time, dataset, analyst, kind, Cost(loss, delta), question, chain)

    def tied(self, before: str) -> str:
        """The link of the chain: SHA-256 over the link before and everything that the entry says."""
        content = [
            before,
            self.id,
            self.time,
            self.dataset,
            self.analyst,
            self.kind,
            self.cost.loss,
            self.cost.delta,
            self.question,
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def to_json(self) -> dict[str, Json]:
        loss, delta = self.cost.exact
        return {
            "id": self.id,
            "time": self.time,
            "dataset": self.dataset,
            "analyst": self.analyst,
            "kind": self.kind,
            "loss": float(loss),
            "delta": float(delta),
            "question": self.question,
        }


@dataclass(frozen=True)
class Reservation:
    """A cost that is noted for good, so that an answer may be given."""

    id: int
    cost: Cost
    remaining: Cost  # the smaller of what the data set and the analyst have left
    overdrawn: bool
    dataset: str
    analyst: str
    question: str


def now() -> str:
    """The time in UTC, to the microsecond."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def clean(text: str) -> str:
    """Text as every database can hold it: no zero character, no half of a pair."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")


def brief(question: str) -> str:
    """The beginning of a question that cost nothing: whoever asks for free must not fill the disk."""
    found = question.encode("utf-8", "replace")
    if len(found) <= BRIEF:
        return question
    return f"{found[:BRIEF].decode('utf-8', 'ignore')} … ({len(question):,} characters)"


def check_name(name: str, what: str) -> str:
    """A name that is one: not empty (that is the account of all), not endless, nothing unwritable."""
    if not isinstance(name, str) or not 0 < len(name) <= 200 or clean(name) != name:
        raise BadParameter(
            f"'{str(name)[:40]}' is no name for {what}; use 1 to 200 letters, digits and signs"
        )
    return name


def amount(cost: Cost) -> Cost:
    """A cost or limit that fits: not below nothing, not beyond 64 bits."""
    for part in (cost.loss, cost.delta):
        if not isinstance(part, int) or isinstance(part, bool) or not 0 <= part <= LARGEST:
            raise BadParameter(
                f"{part} steps are out of range for a ledger; it counts to 2^63 - 1, or ε of 9 million"
            )
    return cost
