"""Verify and measure a graph whose edges are a table in an engine: what degrees tell, counted there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shoal import verbs
from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, Verdict
from shoal.engines.address import Address
from shoal.engines.frames import quote_value
from shoal.engines.sql_engine import connect
from shoal.graphs.in_engine.edge_table import EdgeColumns
from shoal.graphs.in_engine.written_degrees import WrittenDegrees
from shoal.graphs.manifest import GraphManifest
from shoal.graphs.models.k_degree import KDegree
from shoal.jobs.graphs.engine_protect import counts_of, record_place
from shoal.jobs.graphs.requests import MeasureGraph, VerifyGraph
from shoal.jobs.graphs.source import models_of


@dataclass(frozen=True)
class EngineFigures(Shown):
    """What `measure` tells of a graph in an engine."""

    degrees: WrittenDegrees
    notes: tuple[str, ...] = ()

    @property
    def density(self) -> float:
        """The share of all possible edges that is there."""
        possible = self.degrees.nodes * (self.degrees.nodes - 1) // 2
        return self.degrees.edges / possible if possible else 0.0

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph measure --json` prints; what was not counted is null."""
        found, counts = self.degrees, self.degrees.counts
        unknown = ("clustering", "average_path_length", "average_path_length_reachable", "diameter")
        return {
            "nodes": found.nodes,
            "edges": found.edges,
            "density": self.density,
            "degrees": {
                "least": min(found.degrees, default=0),
                "most": max(found.degrees, default=0),
                "mean": 2 * found.edges / found.nodes if found.nodes else 0.0,
                "distinct": len(found.degrees),
            },
            **dict.fromkeys((*unknown, "power_law_exponent")),
            "anonymity": {"degree": min(counts, default=0)},
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """The same for people."""
        told = self.to_json()
        degrees = told["degrees"]
        assert isinstance(degrees, dict)
        rows = [["figure", "value"]]
        rows += [[name, f"{told[name]:,}"] for name in ("nodes", "edges")]
        rows.append(["density", f"{self.density:.6g}"])
        rows += [[f"degree, {name}", f"{value:,.6g}"] for name, value in degrees.items()]
        rows.append(["people who share the rarest degree", f"{min(self.degrees.counts, default=0):,}"])
        return {"figures": rows}


def verify_in_engine(job: VerifyGraph, source: Address) -> Verdict:
    """Whether the table keeps its promises, counted in the engine from the table alone."""
    place = record_place(source)
    manifest = GraphManifest.read(place) if place.exists() else None
    models = models_of(job.model, job.k)
    notes = []
    if manifest is None:
        notes.append(f"no record {quote_value(place)}: checked by the flags alone")
    elif not models:
        models = models_of(list(manifest.models), None)
    if not models:
        raise BadParameter('no promise to verify; give --model "k-degree(k=10)" or keep the manifest')
    for model in models:
        if not isinstance(model, KDegree):
            raise BadParameter(
                f"{model.name} is not checked in an engine; export the edges to a file and verify that"
            )
    found, beyond = _degrees(job, source)
    if found.repeated:
        beyond = [
            f"{found.repeated:,} rows are loops or repeated edges, and do not count",
            *beyond,
        ]
    verdict = verbs.verify(found.view(max(model.people for model in models)), models, [*notes, *beyond])
    if manifest is not None and manifest.output != counts_of(found):
        changed = "the table is not the one the record was written for: its degrees differ"
        verdict = replace(verdict, notes=(*verdict.notes, changed))
    return verdict


def measure_in_engine(job: MeasureGraph, source: Address) -> EngineFigures:
    """Size, density, degrees and how many people share the rarest one; the rest needs the graph here."""
    for name in ("original", "mapping", "sample", "chart", "only"):
        if getattr(job, name) not in (None, ()):
            raise BadParameter(
                f"--{name} needs the whole graph here; in an engine size, density and degrees are counted, "
                "so leave it out or export the edges to a file"
            )
    found, beyond = _degrees(job, source)
    told = "clustering, paths and the power law need the whole graph here, so they are not told"
    return EngineFigures(found, (*beyond, told))


def _degrees(job: VerifyGraph | MeasureGraph, source: Address) -> tuple[WrittenDegrees, Sequence[str]]:
    if job.directed or job.kinds is not None:
        raise BadParameter(
            "direction and kinds of nodes are not looked at in an engine; leave out --directed and --kinds"
        )
    with connect([source]) as engine:
        table = engine.table(source)
        columns = EdgeColumns.of(engine, table, quote_value(source))
        others = (
            [f"further columns were not looked at: {', '.join(columns.others)}"] if columns.others else []
        )
        return WrittenDegrees.of(engine, table, columns.ends), others
