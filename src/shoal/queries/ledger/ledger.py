"""The durable budget: a cost is noted for good before a question is answered, and nothing is given back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.declaration.declaration import Policy
from shoal.queries.ledger.account import (
    CLOSED,
    Account,
    account,
    book,
    both_accounts,
    cost_text,
    pair,
    set_limit,
    terms,
)
from shoal.queries.ledger.answer_archive import Archive
from shoal.queries.ledger.backend import Place
from shoal.queries.ledger.consistency import ConsistencyReport, check_ledger
from shoal.queries.ledger.entry import (
    COLUMNS,
    LARGEST,
    Entry,
    Reservation,
    amount,
    brief,
    check_name,
    clean,
    now,
)
from shoal.queries.ledger.group_commit import Pen, Work, Writer
from shoal.queries.ledger.renewal import renewal
from shoal.queries.ledger.schema import ALL, GONE


def deleted(dataset: str) -> str:
    """Why a name cannot be had again."""
    return (
        f"a data set '{dataset}' was deleted, and what was learned from it stays counted; choose another name"
    )


class Ledger:
    """An append-only ledger: an account per data set and one per analyst. Threads and processes share it.

    Every method is one transaction. When `reserve` has returned, the cost survives kill -9 and, as far as the
    database and the disk keep their word, a power cut. When it raises, nothing may be answered.
    """

    def __init__(self, place: Place, archive: Archive) -> None:
        self.place = place
        self.writer = Writer(place)
        self._archive = archive

    def open(self, dataset: str, limit: Cost, policy: Policy, accounting: str, renews: str = "never") -> None:
        """Make the account of a data set, or see that it is the same as ever.

        With `renews` the limit is for every day, week, month or year.
        """
        new = renewal(renews, amount(limit), now())
        wanted = Account(limit, Cost(), policy, accounting_of(accounting).name, new)
        check_name(dataset, "a data set")
        rules = terms(policy, accounting, new)

        def work(pen: Pen) -> None:
            known = account(pen, dataset)
            if known is None:
                set_limit(pen, dataset, ALL, wanted)
                pen.note("open", dataset, cost=limit, question=rules)
            elif known.closed:
                raise BadParameter(deleted(dataset))
            elif known.accounting != accounting:
                raise BadParameter(
                    f"data set '{dataset}' is kept in {known.accounting} and was declared with {accounting}; "
                    "costs of two kinds do not add up, so give it another name"
                )
            elif (known.renewal is None) != (new is None) or (
                known.renewal is not None and known.renewal.rule != renews
            ):
                rule = "never" if known.renewal is None else f"every {known.renewal.rule}"
                raise BadParameter(
                    f"the budget of data set '{dataset}' renews {rule} in the ledger, and was declared with "
                    f"renews = {renews}; what was promised is kept, so declare it as before"
                )
            elif (known.each, known.policy) != (limit, policy):
                raise BadParameter(
                    f"data set '{dataset}' has a limit of {cost_text(known.each, accounting)} and policy "
                    f"{known.policy} in the ledger, and was declared with {cost_text(limit, accounting)} and "
                    f"{policy}; declare it as before, or let its owner change that (shoal query budget "
                    "--change-epsilon, or ledger.change)"
                )

        self.writer.do(work)

    def expect(self, dataset: str) -> None:
        """Raise when the account of a data set is not there although it must be: its spending is lost."""
        with self.place.reading() as hand:
            if account(hand, dataset) is None:
                raise BadParameter(
                    f"the ledger '{self.place.where}' knows nothing of data set '{dataset}', which was asked "
                    "before; restore the ledger that holds everything spent"
                )

    def change(self, dataset: str, limit: Cost, policy: Policy) -> None:
        """Give a data set another limit or policy, by its owner's will; what was spent stays spent."""
        amount(limit)

        def work(pen: Pen) -> None:
            known = account(pen, dataset)
            if known is None or known.closed:
                raise BadParameter(f"no data set '{dataset}' in the ledger; open it first")
            changed = replace(known.with_limit(limit), policy=policy)
            rules = terms(policy, known.accounting, changed.renewal)
            set_limit(pen, dataset, ALL, changed)
            pen.note("change", dataset, cost=changed.limit, question=rules)

        self.writer.do(work)

    def close_dataset(self, dataset: str) -> None:
        """Let nobody spend on a data set any more, because it was deleted. Its entries and its name stay."""

        def work(pen: Pen) -> None:
            known = account(pen, dataset)
            if known is None:
                raise BadParameter(f"no data set '{dataset}' in the ledger; open it first")
            if not known.closed:
                set_limit(pen, dataset, ALL, replace(known, policy=GONE))
                pen.note("close", dataset, cost=known.limit)

        self.writer.do(work)

    def closed(self, dataset: str) -> bool:
        """Whether a data set was deleted."""
        with self.place.reading() as hand:
            found = account(hand, clean(dataset))
        return found is not None and found.closed

    def grant(self, dataset: str, analyst: str, limit: Cost) -> None:
        """Let an analyst ask, or change how much; what they spent stays spent."""
        amount(limit)
        check_name(analyst, "an analyst")

        def work(pen: Pen) -> None:
            whole = account(pen, dataset)
            if whole is None or whole.closed:
                raise BadParameter(f"no data set '{dataset}' in the ledger; open it first")
            known = account(pen, dataset, analyst)
            if known is None or known.each != limit:
                new = None if whole.renewal is None else replace(whole.renewal, each=limit)
                granted = Account(limit, Cost(), renewal=new) if known is None else known.with_limit(limit)
                set_limit(pen, dataset, analyst, granted)
                rules = "" if granted.renewal is None else granted.renewal.text
                pen.note("grant", dataset, analyst, granted.limit, rules)

        self.writer.do(work)

    def granted(self, dataset: str, analyst: str) -> bool:
        """Whether an analyst may ask at all."""
        with self.place.reading() as hand:
            return pair(hand, clean(dataset), clean(analyst)) is not None

    def reserve(self, dataset: str, analyst: str, cost: Cost, question: str) -> Reservation:
        """Note a cost for good, or raise Spent: both accounts are looked at and booked in one transaction."""
        return self.writer.do(self._reserving(dataset, analyst, cost, question))

    def reserve_all(
        self, dataset: str, wishes: Sequence[tuple[str, Cost, str]]
    ) -> list[Reservation | ShoalError]:
        """The same for several questions (analyst, cost, question), each with a verdict of its own."""
        return self.writer.do_all([self._reserving(dataset, *wish) for wish in wishes]) if wishes else []

    def _reserving(self, dataset: str, analyst: str, cost: Cost, question: str) -> Work[Reservation]:
        amount(cost)
        dataset, analyst = clean(dataset), clean(analyst)

        def work(pen: Pen) -> Reservation | ShoalError:
            found = pair(pen, dataset, analyst)
            # Whoever waited in line while the token was taken back is let in no more.
            if found is None or pen.rows("SELECT 1 FROM people WHERE name = ? AND token IS NULL", analyst):
                pen.note("refuse", dataset, analyst, question=brief(question))
                return NotAllowed(CLOSED)
            fits = found.admits(cost)
            if not fits and (found.all.policy != "warn" or not found.counts(cost)):
                pen.note("refuse", dataset, analyst, question=brief(question))
                accounting = found.all.accounting
                return Spent(
                    f"the question costs {cost_text(cost, accounting)} and "
                    f"{cost_text(found.left, accounting)} is "
                    "left; nothing was spent"
                )
            for name, of in ((ALL, found.all), (analyst, found.own)):
                if of.due and of.renewal is not None:
                    set_limit(pen, dataset, name, of)
                    pen.note("period", dataset, name, of.limit, of.renewal.text)
            number = pen.note("reserve", dataset, analyst, cost, question)
            book(pen, dataset, analyst, cost)
            left = found.after(cost).left
            return Reservation(number, cost, left, not fits, dataset, analyst, question)

        return work

    def remaining(self, dataset: str, analyst: str) -> Cost:
        """What an analyst can still spend: the smaller of both accounts."""
        with self.place.reading() as hand:
            return both_accounts(hand, clean(dataset), clean(analyst)).left

    def spent(self, dataset: str, analyst: str | None = None) -> Cost:
        """What an analyst has spent, or all together."""
        with self.place.reading() as hand:
            found = account(hand, clean(dataset), ALL if analyst is None else clean(analyst))
        if found is None or analyst == ALL:
            raise NotAllowed(CLOSED)
        return found.spent

    def entries(
        self, dataset: str | None = None, analyst: str | None = None, limit: int = 100
    ) -> list[Entry]:
        """The newest entries first, of a data set or an analyst or all."""
        if not 0 < limit <= LARGEST:
            raise BadParameter(f"{limit} entries make no sense; ask for at least 1")
        wanted = {"dataset": dataset, "analyst": analyst}
        chosen = {name: clean(value) for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in chosen)
        with self.place.reading() as hand:
            rows = hand.rows(
                f"SELECT {COLUMNS} FROM entries {'WHERE ' + where if where else ''} ORDER BY id DESC LIMIT ?",
                *chosen.values(),
                limit,
            )
        return [Entry.of(row) for row in rows]

    def remember(self, reservation: Reservation, key: str, answer: str) -> None:
        """Keep an answer that was paid for. If it gets lost, the question has to be paid for again."""
        self._archive.put(reservation, key, answer)

    def recall(self, key: str) -> str | None:
        """The answer that was given before under a key, at no cost; that it was told again is noted."""
        kept = self._archive.get(key)
        if kept is None:
            return None
        question = brief(kept.question)  # all of it is with its reservation
        self.writer.do(lambda pen: pen.note("recall", kept.dataset, kept.analyst, question=question))
        return kept.answer

    def check(self) -> ConsistencyReport:
        """Follow the chain from its first entry, add everything up anew and compare with every account."""
        with self.place.snapshot() as hand:
            return check_ledger(hand)

    def close(self) -> None:
        """Close the files. What was reserved is safe already."""
        self._archive.close()
        self.place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
