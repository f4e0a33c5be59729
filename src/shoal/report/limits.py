"""What a release does not promise, in plain words: only what applies to this one."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.jobs.tables.dossier import Dossier
from shoal.report.blocks import Item
from shoal.report.threats import guards
from shoal.report.wording import by_method, listed


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
