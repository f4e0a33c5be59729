"""One answer about a graph with differential privacy, paid for before the graph is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from shoal import catalog
from shoal.core.errors import BadInput, BadParameter, ShoalError, Unanswered
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.core.part_syntax import spell
from shoal.engines.files import fingerprint
from shoal.graphs.graph import Graph
from shoal.jobs.graphs.requests import AskGraph
from shoal.jobs.graphs.source import name_of, people, read
from shoal.jobs.queries.ask import BudgetLedger, beside, remote
from shoal.jobs.queries.declare import epsilon_from
from shoal.jobs.queries.durable_ledger import open_durable_ledger
from shoal.queries.accounting.accountants import Bookkeeping, accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.execution import FAILED
from shoal.queries.ledger.account import account
from shoal.queries.ledger.entry import Reservation
from shoal.queries.ledger.open_ledger import open_ledger

OWNER = "owner"
STAYS = "what the question cost stays spent"


@dataclass(frozen=True)
class GraphAnswer(Shown):
    """What a mechanism lets out, what it cost and what is left. Nothing else in here depends on the graph."""

    mechanism: str
    answer: Mapping[str, Json]
    tables: Tables
    spent: Mapping[str, float]
    remaining: Mapping[str, float]
    archived: bool = False  # whether it was told before, and so cost nothing
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph ask --json` prints."""
        return {
            "mechanism": self.mechanism,
            "answer": dict(self.answer),
            "spent": dict(self.spent),
            "remaining": dict(self.remaining),
            "archived": self.archived,
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """The answer, and the budget."""
        cost = "this question, told before" if self.archived else "this question"
        told = {cost: self.spent, "left": self.remaining}
        rows = [
            [what, *(f"{sums.get(part, 0.0):.6g}" for part in ("epsilon", "delta"))]
            for what, sums in told.items()
        ]
        return {**self.tables, "budget": [["", "ε", "δ"], *rows]}


def ask_graph(job: AskGraph) -> GraphAnswer:
    """What a mechanism tells; its cost is noted for good before the graph is read, and never given back."""
    made = catalog.part_of("mechanism", job.mechanism, "graph")
    epsilon, delta = epsilon_from(made.epsilon), made.failure
    _check_source(job.data)
    # What ε hides: costs of two kinds do not add up.
    unit = f"graph, one {made.neighbours}"
    books, notes, lasting = _books(job, unit, epsilon, delta)
    with books.ledger as ledger:
        counting = accounting_of(books.accounting)
        ledger.open(unit, counting.limit(books.budget), "refuse", books.accounting)
        ledger.grant(unit, OWNER, counting.limit(books.budget))
        key = _key(job, made, unit) if lasting else None
        known = None if key is None else ledger.recall(key)
        if known is not None:
            kept = json.loads(known)
            left = counting.left(ledger.remaining(unit, OWNER))
            return GraphAnswer(
                spell(made), kept["answer"], kept["tables"], counting.figures(Cost()), left, True, notes
            )
        reservation = ledger.reserve(unit, OWNER, counting.cost(epsilon, delta), spell(made))
        answer = _read_and_answer(job, made, counting, reservation, notes, lasting)
        if key is not None:
            with suppress(ShoalError):  # an archive that is full costs money when asked again, not the answer
                kept_text = json.dumps({"answer": answer.answer, "tables": answer.tables})
                ledger.remember(reservation, key, kept_text)
        return answer


def _read_and_answer(
    job: AskGraph,
    made: Any,
    counting: Bookkeeping,
    reservation: Reservation,
    notes: tuple[str, ...],
    lasting: bool,
) -> GraphAnswer:
    """Read and answer. From here on the cost is spent, whatever goes wrong."""
    try:
        graph = _graph(job)
        told = made.release(graph)
        answer, tables = told.to_json(), told.to_tables()
    except BadInput as error:
        # Whoever asks has the file, and may hear what is wrong with it.
        raise type(error)(f"{error}; {STAYS}" if lasting else str(error)) from error
    except Exception:
        raise Unanswered(FAILED) from None
    return GraphAnswer(
        spell(made),
        answer,
        tables,
        counting.figures(reservation.cost),
        counting.left(reservation.remaining),
        False,
        notes,
    )


def _books(
    job: AskGraph, unit: str, epsilon: Fraction, delta: Fraction
) -> tuple[BudgetLedger, tuple[str, ...], bool]:
    """The ledger that is there or asked for, else one for this question alone; what to say; if it lasts."""
    place = job.ledger if job.ledger is not None else beside({"graph": job.data})
    there = place is not None and (remote(place) or Path(place).exists())
    if job.ledger is not None and not there and job.budget is None:
        raise BadParameter(f"there is no ledger '{job.ledger}' yet; begin one with --budget E")
    if place is None and job.budget is not None:
        raise BadParameter("where should the budget be remembered? Name a file with --ledger")
    asked = job.budget is not None or job.ledger is not None
    if asked or (there and place is not None and _counts_graphs(place)):
        if not there:
            _graph(job)  # no ledger is made for what is no graph
        return open_durable_ledger(None, job.budget, None, place, unit), (), True
    hint = f"--budget E keeps one in {place}" if place is not None else "--budget E --ledger FILE keeps one"
    note = f"no budget is kept from one call to the next; {hint}"
    return BudgetLedger.for_one(None if delta else "pure", epsilon, delta or None, None), (note,), False


def _counts_graphs(place: str | Path) -> bool:
    """Whether a ledger that lies beside the graph has a budget for graphs, of edges or of people."""
    with open_ledger(place) as ledger, ledger.place.reading() as hand:
        return any(account(hand, f"graph, one {unit}") is not None for unit in ("edge", "node"))


def _graph(job: AskGraph) -> Graph:
    return people(read(job.data, job, True).graph, name_of(job.data), private=True)


def _check_source(source: Any) -> None:
    """Refuse a file that is not there before anything is paid for it."""
    if not isinstance(source, str | Path) or str(source) == "-":
        return
    with suppress(OSError):  # what else may be wrong with a name is told by the reader
        if Path(source).is_file():
            return
    from shoal.graphs.formats.files import read_graph

    read_graph(source)  # tells in its own words what is missing


def _key(job: AskGraph, made: Any, unit: str) -> str | None:
    """One key for the same question about the same graph; None where it cannot be told before reading."""
    files = [source for source in (job.data, job.kinds) if isinstance(source, str | Path)]
    if str(job.data) == "-" or not (isinstance(job.data, Graph) or files[:1] == [job.data]):
        return None
    if isinstance(job.data, Graph):
        digest = hashlib.sha256(job.data.offsets.tobytes() + job.data.targets.tobytes())
        content = f"{digest.hexdigest()} {job.data.directed}"
    else:
        content = fingerprint(job.data)
    said = [
        unit,
        spell(made),
        content,
        str(job.kinds),
        str(job.separator),
        str(job.encoding),
        str(job.directed),
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
