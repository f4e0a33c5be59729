"""What an attack learns from rows that chance has changed is not certain, however much they agree."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from shoal import catalog
from shoal.core.outcome import Finding, Json
from shoal.tables.manifest import Manifest
from shoal.tables.reading.meanings import unreadable
from shoal.tables.reading.scene import Scene
from shoal.tables.seen.values import texts

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
    told = [manifest for manifest in manifests if manifest is not None]
    parts = [catalog.known("method", manifest.method) for manifest in told]
    parts += [catalog.known("step", step) for manifest in told for step in manifest.steps]
    why = list(dict.fromkeys(part.chance for part in parts if part is not None and part.chance))
    if not why:
        return finding
    findings = tuple(
        {**one, "confidence": None} if one.get("confidence") == 1 else one for one in finding.findings
    )
    note = f"nothing learned from this release is certain: {', and '.join(why)}"
    return replace(finding, findings=findings, details={**finding.details, "certainty": note})


def rows_made_up(method: str) -> bool:
    """Whether a method draws or changes rows by chance, so that none is anybody's."""
    found = catalog.known("method", method)
    return found is not None and found.made_up
