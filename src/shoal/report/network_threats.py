"""The four threats to people in a network: what covers each and what remains; and what is not promised."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.core.outcome import Promise
from shoal.graphs.appraisal.dossier import GraphDossier
from shoal.report.blocks import Card, Item, Tone
from shoal.report.threats import THREATS, outcome_words, promises_against, threat_of
from shoal.report.wording import by_method, listed, promise_name

_QUESTIONS = {
    "linkability": "Can a person's node be linked with the same person in another network or release?",
    "identifiability": "Can somebody say who a node is?",
    "detectability": "Can somebody tell whether a person is in the network at all?",
    "disclosure of information": "Can somebody learn who knows whom, or tell which edges are not true?",
}
_REMAINS = {
    "linkability": "Remains: whoever has a second network with some of the same people, or another release "
    "of this one, can lay them over each other. Publish once.",
    "identifiability": "Remains: whoever knows more of somebody's surroundings than the promise assumes.",
    "detectability": "Remains: if being in the network is a secret in itself, ask for "
    "node-differential-privacy.",
    "disclosure of information": "Remains: edges between people who are found are learned with them; where "
    "all candidates know the same person, that edge is certain.",
}


def cards(dossier: GraphDossier) -> tuple[Card, ...]:
    """One card per threat."""
    return tuple(_card(threat, dossier) for threat in THREATS)


def _card(threat: str, dossier: GraphDossier) -> Card:
    promises = promises_against(threat, dossier)
    tried = [trial for trial in dossier.tried if threat_of(trial) == threat]
    working = [trial for trial in dossier.working if threat_of(trial) == threat]
    nobody = not dossier.paired and threat in ("linkability", "identifiability")
    lines = []
    if nobody:
        lines.append("No node of the release stands for one person: there is nobody to find.")
    elif promises:
        names = listed([promise_name(promise) for promise in promises])
        lines.append(f"{'Promised against it:' if working else 'Covered by'} {names}.")
    else:
        lines.append("No promise of this release covers it.")
    partly = [promise.name for promise in promises if not _whole(promise)]
    if partly and not nobody:
        lines.append(f"{listed(partly)} assumes that nothing else is known of a person.")
    if not nobody:
        lines.append(outcome_words(len(tried), len(working)))
    if not (nobody or any(map(_whole, promises))):
        lines.append(_REMAINS[threat])
    else:
        lines.append("Remains: the chance that the promise itself leaves.")
    tag, tone = _answer(nobody or any(map(_whole, promises)), bool(promises), len(working))
    return Card(threat.capitalize(), tag, tone, _QUESTIONS[threat], tuple(lines))


def _answer(whole: bool, partly: bool, working: int) -> tuple[str, Tone]:
    if working:
        return "attacks succeed", "bad"
    if whole:
        return "covered", "good"
    return ("partly covered", "warn") if partly else ("not covered", "warn")


def _whole(promise: Promise) -> bool:
    """Whether a promise holds whatever of the network somebody knows."""
    model = catalog.known("model", promise.name)
    return model is not None and bool(model.any_knowledge)


def limits(dossier: GraphDossier) -> tuple[Item, ...]:
    """The limits that a reader must know before signing."""
    return tuple(_limits(dossier))


def _limits(dossier: GraphDossier) -> Iterator[Item]:
    promises = dossier.verdict.promises
    if not any(map(_whole, promises)):
        yield Item(
            "Only what the promise speaks of.",
            "It counts people who look alike to somebody with one kind of knowledge. Whoever knows more "
            "edges around a person, has a second network, or joined this one before the release, is not "
            "stopped by it.",
        )
    if dossier.groups is not None:
        yield Item(
            "Edges are not hidden.",
            "Where all pairs of two groups are linked, everybody knows that each of these edges is there.",
        )
    if not any(by_method(promise) for promise in promises):
        yield Item(
            "One release.",
            "Two releases of one network, each safe, can be laid over each other. Publish once, or the same "
            "thing again.",
        )
    yield Item(
        "Only nodes and edges.",
        "What is known of people besides (age, place, posts) is not in the file. Publish it elsewhere under "
        "the same labels, and all of this is void.",
    )
    yield Item(
        "Attacks that fail prove little.",
        "They were tried with the files given here, and some by chance. Somebody with a better network or a "
        "new idea may do better.",
    )
    if dossier.has_original:
        yield Item(
            "Keep this report in the house.",
            "It was made with the original. It names nobody, but its figures are exact: by the number of "
            "edges added and removed, guesses at single edges can be checked. To publish one, write shoal "
            f"report {dossier.release} without --original.",
        )
    yield Item(
        "The law.",
        "Whether a release counts as anonymous is for you to decide. Here are the figures to do it with.",
    )
