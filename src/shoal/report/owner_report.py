"""An owner's report in words: who spent what on what, whether the ledger is whole, what an audit finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.jobs.queries.report import report_query
from shoal.jobs.queries.requests import OwnerReport
from shoal.jobs.report_files import places
from shoal.queries.owner_dossier import OwnerDossier, figures
from shoal.report.blocks import (
    Block,
    Box,
    Cell,
    Document,
    Figure,
    Figures,
    Grid,
    Heading,
    Item,
    Items,
    Sign,
    Title,
    Words,
)
from shoal.report.html import write
from shoal.report.wording import count


def make_owner_report(job: OwnerReport) -> OwnerDossier:
    """What an owner's report tells, after it was written to the places that the request names."""
    wanted = places(job)
    dossier = report_query(job)
    write(owner_document(dossier), wanted)
    return dossier


def owner_document(dossier: OwnerDossier) -> Document:
    """The whole report as blocks."""
    blocks: list[Block] = [
        Title(
            "Owner's report",
            dossier.title,
            f"Checked on {dossier.made} with Shoal {dossier.version}. It shows no row and no answer, but "
            "questions and who asked them: for whoever decides, not for publication.",
        ),
        _verdict(dossier),
        Figures(
            (
                Figure(f"{sum(one.times for one in dossier.asked):,}", "questions paid for, shown below"),
                Figure(f"{dossier.ledger.entries:,}", "entries of the ledger, each recalculated"),
            )
        ),
    ]
    sections = (
        ("What is declared", _declared(dossier)),
        ("What is spent, by whom", _spent(dossier)),
        ("On what", _asked(dossier)),
        ("Whether the ledger is whole", _ledger(dossier)),
        ("The promise beside an audit", _audits(dossier)),
        ("Attacks that were tried", _attacks(dossier)),
        ("Threats that remain", iter([Items(_threats(dossier))])),
        ("Decision", iter([_sign()])),
    )
    for place, (head, inner) in enumerate(sections, 1):
        blocks += [Heading(place, head), *inner]
    foot = f"Ledger up to {dossier.ledger.chain[:12]}…"
    return Document(f"Owner's report: {dossier.title}", foot, dossier.made, tuple(blocks))


def _verdict(dossier: OwnerDossier) -> Box:
    if not dossier.ledger.holds:
        return Box("bad", "The ledger contradicts itself.", " ".join(dossier.ledger.complaints))
    if not dossier.holds:
        return Box("bad", "An audit found a breach.", "Stop answering, and see section 5.")
    if dossier.overdrawn:
        who = ", ".join(one.analyst or "all together" for one in dossier.overdrawn)
        return Box("warn", "A budget is overdrawn.", f"More was spent than granted: {who}.")
    return Box("good", "The ledger is whole, nobody overspent.", "No audit found a breach.")


def _declared(dossier: OwnerDossier) -> Iterator[Block]:
    if not dossier.declared:
        yield Words("The ledger alone does not say what is declared; --config does.", "quiet")
    for dataset, tables in dossier.declared.items():
        for table, told in tables.items():
            columns = told.get("columns", {}) if isinstance(told, Mapping) else {}
            about = ", ".join(f"{word} {value}" for word, value in told.items() if word != "columns")
            rows = tuple((Cell(name, "strong"), Cell(str(value))) for name, value in columns.items())
            yield Grid(f"{dataset}.{table}: {about}", ("column", "declared as"), rows, (1, 2))


def _spent(dossier: OwnerDossier) -> Iterator[Block]:
    rows = tuple(
        (
            Cell(one.dataset),
            Cell(one.analyst or "all together", "" if one.analyst else "strong"),
            Cell(figures(one.spent), "bad" if one in dossier.overdrawn else ""),
            Cell(figures(one.limit)),
            Cell(figures(one.remaining)),
            Cell(one.accounting),
        )
        for one in dossier.budgets
    )
    head = ("data set", "who", "spent", "granted", "left", "accounting")
    yield Grid("What all answers to somebody add up to", head, rows, (2, 2, 3, 3, 3, 2))
    yield Words(
        "Spent is what all answers together promise. Under pure and approximate accounting ε and δ "
        "add up; under zCDP their ρ do, told as ε at the δ of the budget. Analysts who talk to each other "
        "learn what the row of all together says."
    )
    for one in dossier.budgets:
        if one.renews is not None and one.analyst is None:
            yield Words(str(one.renews["in_words"]))


def _asked(dossier: OwnerDossier) -> Iterator[Block]:
    if not dossier.asked:
        yield Words("Nobody has asked yet.", "quiet")
        return
    rows = tuple(
        (
            Cell(one.analyst),
            Cell(one.question, code=True),
            Cell(f"{one.times:,}"),
            Cell(f"{one.loss:.4g}"),
            Cell(one.last),
        )
        for one in dossier.asked
    )
    head = ("who", "question", "times", "cost", "last")
    yield Grid("Questions, the dearest first (cost as the ledger adds up: ε, or ρ under zCDP)", head, rows,
               (2, 6, 1, 1, 2), (2, 3))  # fmt: skip
    if dossier.left_out:
        yield Words(f"{count(dossier.left_out, 'cheaper question is', 'cheaper questions are')} not shown.")


def _ledger(dossier: OwnerDossier) -> Iterator[Block]:
    told = dossier.ledger
    yield Words(
        f"All {told.entries:,} entries were recalculated from the first one on"
        + (", and everything agrees." if told.holds else ". Something does not agree.")
    )
    yield Words(f"The last link is {told.chain}. Note it elsewhere: it shows a ledger that was set back.")
    if told.complaints:
        yield Items(tuple(Item("Complaint", complaint) for complaint in told.complaints))


def _audits(dossier: OwnerDossier) -> Iterator[Block]:
    rows = tuple(
        (
            Cell(one.audited, "strong"),
            Cell(f"{one.claimed:g}"),
            Cell(f"{one.lower_bound:.3f}"),
            Cell(f"{one.samples:,}"),
            Cell("no breach found" if one.passed else "broken", "good" if one.passed else "bad"),
        )
        for one in dossier.audits
    )
    head = ("mechanism", "ε claimed", "ε at least", "draws a side", "verdict")
    yield Grid("A short audit of the noise that these answers got", head, rows, (3, 2, 2, 2, 3), (1, 2, 3))
    yield Words(
        "An audit draws on two inputs that differ by one person and bounds ε from below. It can show that a "
        "promise is broken, and never that it holds. This one is short, on two made-up numbers; "
        "shoal query audit runs longer ones, on questions too.",
        "quiet",
    )


def _attacks(dossier: OwnerDossier) -> Iterator[Block]:
    if not dossier.tried:
        yield Words(
            "None was tried for this report. shoal query attack NAME … --json > FILE tries one on your data "
            "or at your service, and --finding FILE tells here what it got.",
            "quiet",
        )
        return
    rows = tuple(
        (
            Cell(one.attack, "strong"),
            Cell(one.against),
            Cell(f"{one.hits:,} of {one.targets:,}"),
            Cell(f"{one.interval[0]:.0%} – {one.interval[1]:.0%}"),
            Cell(f"{one.baseline:.0%}"),
            Cell("works" if one.works else "no better than a guess", "bad" if one.works else "good"),
            Cell(one.after_cure),
        )
        for one in dossier.tried
    )
    head = ("attack", "against", "right", "95 % interval", "blind guess", "verdict", "after the cure")
    yield Grid("What attackers learn of people, in numbers", head, rows, (2, 2, 2, 2, 1, 2, 2), (2, 3, 4))


def _threats(dossier: OwnerDossier) -> tuple[Item, ...]:
    most = max((one.limit.get("epsilon", 0.0) for one in dossier.budgets if one.analyst is None), default=0.0)
    return (
        Item("Analysts together", "Who share answers have all their budgets, up to that of all together."),
        Item(
            "The size of the budget",
            f"The largest budget is ε = {most:.4g} in all. shoal query epsilon says in plain words what that "
            "lets others learn.",
        ),
        Item("Wrong declarations", "If a person has more rows or other keys than declared (two names), "
             "they are protected less. The ledger cannot see that."),
        Item("Other releases", "The budget counts answers of this ledger alone, not files given "
             "out otherwise."),
        Item("The ledger's file", "Who can write it can set it back. Keep the last link elsewhere."),
    )  # fmt: skip


def _sign() -> Sign:
    return Sign(
        "I have read this report and decide:",
        ("go on answering", "go on under the conditions written below", "stop answering"),
        ("Conditions", "Name and role", "Place and date", "Signature"),
    )
