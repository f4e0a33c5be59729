"""A report: what was found out, as words in the order of reading, written once everything is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.core.dossier import ReleaseDossier
from shoal.core.outcome import Promise
from shoal.core.progress import Follow
from shoal.core.rounded_figures import per_cent
from shoal.graphs.appraisal.dossier import GraphDossier
from shoal.jobs import run
from shoal.jobs.attack_trials import hide_quoted_values
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.report_files import places
from shoal.jobs.request import ReportRequest, request_of
from shoal.jobs.tables.requests import ReportTable
from shoal.report import network_sections, network_threats, sections, threats
from shoal.report.attacks_section import attacks
from shoal.report.blocks import (
    Block,
    Box,
    Cards,
    Cell,
    Code,
    Document,
    Figure,
    Figures,
    Grid,
    Heading,
    Items,
    Sign,
    Title,
    Tone,
    Words,
)
from shoal.report.html import write
from shoal.report.wording import attack_name, by_method, count, listed, promise_words, sentence
from shoal.tables.appraisal.dossier import Dossier

_ANSWERS: dict[bool | None, tuple[str, Tone]] = {
    True: ("holds", "good"),
    False: ("does not hold", "bad"),
    None: ("cannot be told from the file", "warn"),
}
_BY_METHOD: tuple[str, Tone] = ("rests on the method", "warn")


def document(dossier: ReleaseDossier) -> Document:
    """The whole report as blocks."""
    blocks: list[Block] = [
        Title(
            "Release report",
            dossier.title,
            f"Checked on {dossier.made} with Shoal {dossier.version}. Five minutes to read; sign at the end."
            + (" Made with the original: for whoever decides, not for publication." * dossier.has_original),
        ),
        verdict_box(dossier),
        _glance(dossier),
    ]
    told = _about_network(dossier) if isinstance(dossier, GraphDossier) else _about_table(dossier)
    for place, (head, inner) in enumerate(told, 1):
        blocks += [Heading(place, head), *inner]
    release = next((one.sha256[:12] for one in dossier.prints if one.what == "release"), "")
    title = f"Release report: {dossier.title}"
    return Document(title, f"{dossier.release} · SHA-256 {release}…", dossier.made, tuple(blocks))


Section = tuple[str, Iterator[Block]]


def _about_table(dossier: ReleaseDossier) -> Iterator[Section]:
    assert isinstance(dossier, Dossier)
    yield "What was released", sections.released_section(dossier)
    yield "What is promised, and whether it holds", _promises(dossier)
    yield "What attacks achieve, before and after", attacks(dossier)
    yield "Threats that remain", iter([Cards(threats.cards(dossier))])
    yield "Risk in figures", sections.risk(dossier)
    yield "What was lost", sections.loss_section(dossier)
    yield "What is not promised", iter([Items(threats.limits(dossier))])
    yield "Fingerprints, and how to repeat this", _proof(dossier)
    yield "Decision", iter([_sign(dossier)])


def _about_network(dossier: GraphDossier) -> Iterator[Section]:
    yield "What was released", network_sections.released_section(dossier)
    yield "What is promised, and whether it holds", _promises(dossier)
    yield "What attacks achieve, before and after", attacks(dossier)
    yield "Threats that remain", iter([Cards(network_threats.cards(dossier))])
    yield "Risk in figures", network_sections.risk(dossier)
    yield "What changed in the structure", network_sections.structure(dossier)
    yield "What was lost", network_sections.loss_section(dossier)
    yield "What is not promised", iter([Items(network_threats.limits(dossier))])
    yield "Fingerprints, and how to repeat this", _proof(dossier)
    yield "Decision", iter([_sign(dossier)])


def verdict_box(dossier: ReleaseDossier) -> Box:
    """What a hurried reader must see: whether promises hold, and whether attacks succeed all the same."""
    if not dossier.verdict.holds:
        return _broken(dossier)
    promises, working, tried = dossier.verdict.promises, dossier.working, dossier.tried
    checked = [promise for promise in promises if promise.holds is not None]
    kept = "the promise" if len(promises) == 1 else f"all {len(checked)} promises"
    if len(checked) < len(promises):
        kept = f"{count(len(checked), 'promise', 'promises')} that can be checked of {len(promises)}"
    told = f"{dossier.release} keeps {kept} made about it, checked again now from the file alone."
    if rests := [promise.name for promise in checked if by_method(promise)]:
        told = (
            f"{dossier.release} is as {dossier.method} made it. That it keeps {listed(rests)} follows from "
            "the method; no file can prove it."
        )
        if len(rests) < len(checked):
            told += " The other promises were checked again now from the file alone."
    if dossier.altered:
        told += " It is not the file that its manifest was written for: find out who changed it, and why."
    given_away = dossier.given_away if isinstance(dossier, Dossier) else ()
    undecided = dossier.undecided if isinstance(dossier, Dossier) else ()
    if given_away:
        told += f" One column gives another away: {given_away[0]}."
    one = len(promises) == 1
    if undecided:
        names = listed([column.name for column in undecided])
        many = count(len(undecided), "column", "columns")
        told += f" Yet {many} went out that nobody had given a role and that look risky: {names}."
        if not working:
            return Box("warn", "The promises say nothing about columns that nobody decided on.", told)
    if working:
        names = listed(list(dict.fromkeys(attack_name(trial) for trial in working)))
        return Box(
            "warn",
            f"The promise{'' if one else 's'} hold{'s' if one else ''}, and some attacks succeed.",
            f"{told} Yet {names} succeed{'s' * (len(working) == 1)}: section 3 says what would stop "
            f"{'it' if len(working) == 1 else 'them'}. {sentence(dossier.tally.words)}",
        )
    return Box(
        "warn" if dossier.altered or given_away or not (tried or _all_void(dossier)) else "good",
        f"The promise{'' if one else 's'} hold{'s' if one else ''}.",
        f"{told} {_fruitless(dossier)}" + ("" if _all_void(dossier) else f" {sentence(dossier.tally.words)}"),
    )


def _all_void(dossier: ReleaseDossier) -> bool:
    """Whether every attack asked for has nothing to find in the release."""
    asked = [trial for trial in dossier.trials if not trial.unasked]
    return bool(asked) and all(trial.void for trial in asked)


def _fruitless(dossier: ReleaseDossier) -> str:
    """That no attack succeeds; which of them hit somebody, and that no more was expected."""
    if _all_void(dossier):
        return "No attack has anything to find in it: no node of it stands for one person."
    if not dossier.tried:
        return "No attack was tried, so nothing is known of what one would achieve."
    told = "The one attack tried does not succeed" if len(dossier.tried) == 1 else "No attack tried succeeds"
    some = [
        f"{attack_name(trial)} {per_cent(trial.after.rate.value)} (a safe release: up to "
        f"{per_cent(trial.after.expected)})"
        for trial in dossier.hitting
        if trial.after is not None
    ]
    if not some:
        return f"{told}: nobody is hit."
    return f"{told}. Some hit people, but not markedly more than on a safe release: {'; '.join(some)}."


def _broken(dossier: ReleaseDossier) -> Box:
    broken = [_spell_promise(promise) for promise in dossier.verdict.promises if promise.holds is False]
    if not broken:
        return Box(
            "bad", "Nothing holds.", f"No promise about {dossier.release} can be checked from the file."
        )
    text = f"{dossier.release} breaks {listed(broken)}. Do not release it as it is."
    many = len(dossier.verdict.promises)
    head = "The promise does not hold." if many == 1 else "A promise does not hold."
    if len(broken) > 1:
        head = f"{len(broken)} of {many} promises do not hold."
    return Box("bad", head, text)


def _glance(dossier: ReleaseDossier) -> Figures:
    if isinstance(dossier, GraphDossier):
        items = list(network_sections.glance(dossier))
    else:
        assert isinstance(dossier, Dossier)
        items = list(sections.glance(dossier))
    if dossier.tried:
        tally = dossier.tally
        items.append(Figure(f"{len(tally.tried)} of {tally.kinds}", "kinds of attack tried"))
        kinds = len({trial.name for trial in dossier.working})
        items.append(
            Figure(
                f"{kinds or 'none'}",
                "of them succeed" if kinds != 1 else "of them succeeds",
                "bad" if kinds else "good",
            )
        )
    if isinstance(dossier, Dossier) and "loss" in dossier.losses and not dossier.guarantees:
        items.append(Figure(per_cent(dossier.losses["loss"]), "of the detail was lost"))
    return Figures(tuple(items))


def _promises(dossier: ReleaseDossier) -> Iterator[Block]:
    promises = dossier.verdict.promises
    yield Words(
        "Each promise was checked again from the released file, not from what its maker says"
        + (", but for those that rest on the method. " if any(map(by_method, promises)) else ". ")
        + ("A group is all rows that look alike in the columns others may know." * (dossier.noun == "table"))
    )
    rows = []
    for promise in promises:
        words, tone = _BY_METHOD if promise.holds and by_method(promise) else _ANSWERS[promise.holds]
        level = "–" if promise.level is None else f"{promise.level:.4g}"
        rows.append(
            (
                Cell(_spell_promise(promise), code=True),
                Cell(promise_words(promise)),
                Cell(level),
                Cell(words, tone),
            )
        )
    yield Grid("Promises", ("promise", "in plain words", "found", ""), tuple(rows), (8, 14, 3, 4), (2,))
    for note in dossier.notes:
        yield Words(f"Note: {sentence(note)}", "warn")


def _spell_promise(promise: Promise) -> str:
    """A promise as a user writes it; what `no-identifiers` and `known-values` quote is left out."""
    text = promise.model or promise.name
    return hide_quoted_values(text, ()).replace(",", ", ")


def _proof(dossier: ReleaseDossier) -> Iterator[Block]:
    yield Words(
        "Who holds one of these files can check that it is the one this report speaks of: "
        "its SHA-256 must be the same to the last letter."
    )
    yield Grid(
        "Fingerprints",
        ("file", "", "SHA-256"),
        tuple(
            (Cell(one.what, "strong"), Cell(one.file), Cell(one.sha256, code=True)) for one in dossier.prints
        ),
        (3, 5, 14),
    )
    yield Words(f"This report was made on {dossier.made} by Shoal {dossier.version} with the command:")
    yield Code(dossier.command)


def _sign(dossier: ReleaseDossier) -> Sign:
    return Sign(
        f"I have read this report about {dossier.release} and decide:",
        ("release it", "release it under the conditions written below", "do not release it"),
        ("Conditions", "Name and role", "Place and date", "Signature"),
    )


def write_report(data: Any, follow: Follow | None = None, **options: Any) -> Any:
    """The report of one release, written to `output` (.html or .pdf) and to `pdf`, as far as given.

    Options are those of the command line: original, external, other, control, population, hierarchy, title…
    and of a network original, truth, auxiliary, seed. `follow` is told which attack is at work.
    """
    asked = ReportGraph if about_graph(data, options) else ReportTable
    return make_report(request_of(asked, data, options), follow)


def make_report(job: ReportRequest, follow: Follow | None = None) -> Any:
    """What a report tells, after it was written to the places that the request names."""
    wanted = places(job)
    dossier: Any = run(job, follow)
    write(document(dossier), wanted)
    return dossier
