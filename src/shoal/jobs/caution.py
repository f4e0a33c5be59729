"""What an attack learns from rows that chance has changed is not certain, however much they agree."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from shoal.core.outcome import Finding, Json
from shoal.tables.adversary.meanings import unreadable
from shoal.tables.adversary.scene import Scene
from shoal.tables.manifest import Manifest
from shoal.tables.values import texts

# What chance did to a release, by the method or the step that let it.
CHANCE = {
    "noisy-counts": "its rows were drawn from counts with noise and are nobody's",
    "retention": "its values were kept or replaced by chance",
    "sampled-generalisation": "only a sample of the people is in it",
    "noise": "numbers were moved by chance",
    "swapping": "some people have each other's values",
    "dummies": "some of its rows are about nobody",
    "microaggregation": "numbers are those of a group, not of a person",
    "sampling": "only a sample of the people is in it",
}


SOME = 3  # labels that are told of a column


def with_misread_labels(finding: Finding, scene: Scene) -> Finding:
    """The finding with the labels that nobody could read: of rows that have them, nobody was found."""
    people = [frame for frame in (scene.external, scene.original) if frame is not None]
    misread: dict[str, Json] = {}
    for column in scene.table.quasi:
        raw = [texts(frame[column]).unique() for frame in people if column in frame.columns]
        ladder = scene.table.hierarchies.get(column)
        known = [] if ladder is None else [name for names in ladder.names for name in names]
        if raw and (found := unreadable(texts(scene.table.frame[column]), pl.concat(raw), known)):
            misread[column] = [*found[:SOME], *([f"and {len(found) - SOME} more"] if found[SOME:] else [])]
    if not misread:
        return finding
    cure = f"{finding.cure}; some labels could not be read, give --hierarchy for {', '.join(misread)}"
    return replace(finding, cure=cure, details={**finding.details, "labels_not_understood": misread})


def cautioned(finding: Finding, *manifests: Manifest | None) -> Finding:
    """The finding without claims of certainty, where the record of a release says that chance had a hand."""
    made = [part for told in manifests if told is not None for part in (told.method, *told.steps)]
    names = [part.partition("(")[0].strip() for part in made]
    why = list(dict.fromkeys(CHANCE[name] for name in names if name in CHANCE))
    if not why:
        return finding
    findings = tuple(
        {**told, "confidence": None} if told.get("confidence") == 1 else told for told in finding.findings
    )
    note = f"nothing learned from this release is certain: {', and '.join(why)}"
    return replace(finding, findings=findings, details={**finding.details, "certainty": note})
