"""The four threats: what covers each and what remains; and what a release does not promise at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from shoal import catalog
from shoal.core.attack_results import Trial
from shoal.core.contract import Threat
from shoal.core.dossier import ReleaseDossier
from shoal.core.errors import ShoalError
from shoal.core.outcome import Promise
from shoal.core.rounded_figures import per_cent
from shoal.report.blocks import Card, Item, Tone
from shoal.report.wording import by_method, listed, promise_name
from shoal.tables.appraisal.dossier import Dossier

THREATS: tuple[Threat, ...] = get_args(Threat)
_QUESTIONS = {
    "linkability": "Can rows about one person be linked, in this file or across files?",
    "identifiability": "Can somebody say whose row it is?",
    "detectability": "Can somebody tell whether a person is in the file at all?",
    "disclosure of information": "Can somebody learn a secret, even without finding the row?",
}
_STOPPED_BY: dict[str, set[str]] = {
    "linkability": set(),  # only noise does, whatever the kinds of attack: see `_covering`
    "identifiability": {"record linkage"},
    "detectability": {"table linkage"},
    "disclosure of information": {"attribute linkage", "probabilistic"},
}


def threat_of(trial: Trial) -> str:
    """The threat that an attack carries out."""
    found = catalog.known("attack", trial.name)
    return "identifiability" if found is None else str(found.threat)


def cards(dossier: Dossier) -> tuple[Card, ...]:
    """One card per threat."""
    return tuple(_card(threat, dossier) for threat in THREATS)


def _card(threat: str, dossier: Dossier) -> Card:
    covering = [promise_name(promise) for promise in promises_against(threat, dossier)]
    uncovered = _secrets_without(dossier) if threat == "disclosure of information" else []
    tried = [trial for trial in dossier.tried if threat_of(trial) == threat]
    working = [trial for trial in dossier.working if threat_of(trial) == threat]
    tag, tone = _answer(bool(covering), bool(uncovered), len(working))
    if covering:
        # "Covered" is said only where no attack shows the contrary.
        lines = [f"{'Promised against it:' if working else 'Covered by'} {listed(covering)}."]
    else:
        lines = ["No promise of this release covers it."]
    if uncovered and covering:
        lines.append(f"No promise speaks of {listed(uncovered)}.")
    lines.append(outcome_words(len(tried), len(working)))
    lines.append(_remains(threat, dossier))
    return Card(threat.capitalize(), tag, tone, _QUESTIONS[threat], tuple(lines))


def outcome_words(tried: int, working: int) -> str:
    """How many attacks of a kind succeed."""
    if not tried:
        return "No attack of this kind was tried."
    if tried == 1:
        return f"The one attack tried {'succeeds' if working else 'does not succeed'}."
    if not working:
        return f"None of the {tried} attacks tried succeeds."
    return f"{working} of the {tried} attacks tried succeed{'s' * (working == 1)}."


def _answer(covered: bool, partly: bool, working: int) -> tuple[str, Tone]:
    if working:
        return "attacks succeed", "bad"
    if not covered:
        return "not covered", "warn"
    return ("partly covered", "warn") if partly else ("covered", "good")


def promises_against(threat: str, dossier: ReleaseDossier) -> list[Promise]:
    """The promises that hold and that were made to stop this threat."""
    found = []
    for promise in dossier.verdict.promises:
        if not promise.holds:
            continue
        try:
            model = catalog.find("model", promise.name)
        except ShoalError:
            continue
        if set(model.stops) & _STOPPED_BY[threat] or (threat == "linkability" and model.composes):
            found.append(promise)
    return found


def guards(dossier: Dossier) -> bool:
    """Whether a promise that holds was made to keep secrets, and not only rows, from being found."""
    return bool(promises_against("disclosure of information", dossier))


def _secrets_without(dossier: Dossier) -> list[str]:
    """The sensitive columns that no promise against disclosure speaks of."""
    spoken: set[str | None] = set()
    for promise in promises_against("disclosure of information", dossier):
        try:
            spoken.add(catalog.make("model", promise.model or promise.name).column)
        except ShoalError:
            spoken.add(None)
    secrets = [column.name for column in dossier.columns if column.role == "sensitive"]
    return [] if None in spoken else [name for name in secrets if name not in spoken]


def _remains(threat: str, dossier: Dossier) -> str:
    smallest = dossier.risk.smallest_class
    if threat == "linkability":
        if any(column.fate == "pseudonyms" for column in dossier.columns):
            return (
                "Remains: pseudonyms link the rows of a person on purpose, in every file made with the key."
            )
        return "Remains: a second release about the same people can be combined with this one. Publish once."
    if threat == "identifiability":
        chance = per_cent(dossier.risk.prosecutor.highest)
        if dossier.by_chance:
            return "Remains: a row that fits somebody may be made up or changed; nobody can be sure of it."
        if smallest == 1:
            return "Remains: some rows stand alone; who knows that person's details has found them."
        return (
            f"Remains: who knows that somebody is in it picks the right row with a chance of up to {chance}."
        )
    if threat == "detectability":
        if promises_against(threat, dossier):
            return "Remains: the chance that the promise itself leaves."
        return "Remains: if being in the file is a secret in itself, ask for delta-presence or noise."
    if not [column for column in dossier.columns if column.role == "sensitive"]:
        return "Remains: no column was declared sensitive, so nothing was asked about secrets."
    return "Remains: who can rule out some values by what they know already is left with fewer."


def limits(dossier: Dossier) -> tuple[Item, ...]:
    """The limits that a reader must know before signing."""
    return tuple(_limits(dossier))


def _limits(dossier: Dossier) -> Iterator[Item]:
    models = [catalog.known("model", promise.name) for promise in dossier.verdict.promises]
    known = [model for model in models if model is not None]
    quasi = [column.name for column in dossier.columns if column.role == "quasi"]
    harmless = [
        column.name
        for column in dossier.columns
        if column.role == "insensitive" and column.fate != "left out"
    ]
    kept = (
        f" {listed(harmless)} {'is' if len(harmless) == 1 else 'are'} in the file as well."
        if harmless
        else ""
    )
    resting = [by_method(promise) for promise in dossier.verdict.promises]
    if not all(resting):  # a promise of a method holds whatever others know
        yield Item(
            "Only the columns named.",
            f"The promises assume that others know {listed(quasi)} and nothing more about a person.{kept}",
        )
    if not any(resting) and not guards(dossier):
        yield Item(
            "A group may agree on its secret.",
            "Looking like others does not help when all of them have the same illness. Ask for l-diversity.",
        )
    elif not any(model.knows_distance for model in known) and not any(resting):
        yield Item(
            "Different is not unlike.",
            "Different values may all be bad news, or far from usual. Ask for t-closeness if that matters.",
        )
    if not any(model.composes for model in known):
        yield Item(
            "One release.",
            "Two releases about the same people, each safe, can together single somebody out. Publish once, "
            "or the same thing again.",
        )
    if not any(model.counts_people for model in known):
        yield Item("One row, one person.", "Where somebody has several rows, five rows are not five people.")
    yield Item(
        "Attacks that fail prove little.",
        "They were tried with the files given here. Somebody with a better list or a new idea may do better.",
    )
    if dossier.guarantees and dossier.has_original:
        yield Item(
            "Keep this report in the house.",
            "It was made with the original; its figures are exact, and the noise does not cover them.",
        )
    elif dossier.has_original:
        yield Item(
            "Keep this report in the house.",
            "It was made with the original. It names nobody, and yet somebody who knows all other rows can "
            "try out what a row was until the counts here agree. To publish one, write shoal report "
            f"{dossier.release} without --original. The manifest may tell what those had who were left out; "
            "read the page on promises before you publish it.",
        )
    yield Item(
        "The law.",
        "Whether a release counts as anonymous is for you to decide. Here are the figures to do it with.",
    )
