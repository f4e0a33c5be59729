"""Carry out `measure` of a graph: find who is who in the original, then appraise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import catalog
from shoal.core.errors import BadGraph, BadParameter
from shoal.core.extras import require
from shoal.core.measure_results import Figures
from shoal.core.part_syntax import spell
from shoal.core.progress import Follow
from shoal.engines.address import address_of
from shoal.engines.atomic_write import check_place
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.graphs.requests import MeasureGraph
from shoal.jobs.graphs.source import manifest_of, name_of, people, read, who_is_who

if TYPE_CHECKING:
    from shoal.graphs.appraisal.appraisal import GraphAppraisal
    from shoal.jobs.graphs.engine_figures import EngineFigures


UNPAIRED = (
    "the labels of the release were made at random, so which edges are new or gone is not told; "
    "give --mapping FILE, which protect writes when asked"
)


def measure_graph(
    job: MeasureGraph, follow: Follow | None = None
) -> GraphAppraisal | Figures | EngineFigures:
    """What a graph is like, and what was changed against its original; or the measures that were named."""
    if (stays := address_of(job.data)) is not None:
        from shoal.jobs.graphs.engine_figures import measure_in_engine

        return measure_in_engine(job, stays)
    from shoal.graphs.appraisal.appraisal import PLACED, appraise

    require("graphs", "measuring a graph")
    if job.chart is not None:
        check_form(job.chart)
        check_place(job.chart, [job.data, job.original, job.mapping, job.kinds])
    source = read(job.data, job)
    graph = people(source.graph, name_of(job.data))
    original, paired = None, True
    if job.original is not None:
        mapping, paired = _read_mapping(job)
        original = people(read(job.original, job).graph, name_of(job.original))
        if paired:
            original = match_labels(graph, original, mapping)
    left_out = [*source.notes, *graph.cleaned.notes, *([] if paired else [UNPAIRED])]
    if original is not None:
        left_out += [f"of the original: {note}" for note in original.cleaned.notes]
    if job.only:
        return _measure_by_name(job, graph, original, left_out)
    found = appraise(
        graph,
        original,
        paired=paired,
        further=catalog.without_parameters("measure", "graph", PLACED),
        exact=job.exact,
        sample=job.sample,
        x_min=job.x_min,
        seed=job.seed,
        follow=follow,
    )
    if job.chart is not None:
        draw(found.to_chart(), job.chart)
    return replace(found, notes=(*left_out, *found.notes))


def _measure_by_name(
    job: MeasureGraph, graph: Graph, original: Graph | None, notes: Sequence[str]
) -> Figures:
    """The measures that were named; what the request says goes where their spelling leaves it open."""
    from shoal.graphs.appraisal.appraisal import apply_measure

    asked = {"exact": bool(job.exact), "sample": job.sample, "seed": job.seed, "x_min": job.x_min}
    found = {}
    for named in job.only:
        ruler = catalog.part_of("measure", named, "graph", **asked)
        found[spell(ruler)] = (ruler, apply_measure(ruler, graph, original))
    return Figures.of(found, tuple(notes))


def match_labels(graph: Graph, original: Graph, mapping: pl.DataFrame | None) -> Graph:
    """The original under the labels of its release, so that they tell who is who."""
    names = graph.names()
    if mapping is not None:
        return replace(original, labels=_rename_labels(original.names(), mapping, names.dtype))
    before = original.names()
    if names.dtype != before.dtype:
        names, before = names.cast(pl.String), before.cast(pl.String)
    if not names.equals(before) and not names.is_in(before.implode()).any():
        raise BadGraph(
            "the release and the original have no label in common; give --mapping FILE, which tells who is "
            "who"
        )
    return original


def _rename_labels(before: pl.Series, mapping: pl.DataFrame, kind: Any) -> pl.Series:
    """Labels of the original as the release has them."""
    known = mapping.select(
        pl.col("original").cast(before.dtype, strict=False), pl.col("label").cast(kind, strict=False)
    )
    found = pl.DataFrame({"original": before}).join(known, on="original", how="left", maintain_order="left")
    lost = found.filter(pl.col("label").is_null())
    if lost.height:
        raise BadParameter(
            f"the mapping does not tell who '{lost['original'][0]}' of the original is, and {lost.height:,} "
            "nodes in all; give the mapping that was written with the release"
        )
    return found["label"]


def _read_mapping(job: MeasureGraph) -> tuple[pl.DataFrame | None, bool]:
    """Who is who, from a file or a frame, or from the release itself; and whether labels or that tell it."""
    given = job.mapping
    if given is None and isinstance(job.data, GraphRelease):
        given = job.data.mapping
    if given is None:
        manifest = manifest_of(job)
        if manifest is not None and manifest.labels == "random":
            if job.only:
                raise BadParameter(UNPAIRED)
            return None, False
        if manifest is not None and manifest.labels is None:
            raise BadParameter(
                f"the nodes of a release by {manifest.method} stand for nobody in the original; "
                "measure both by themselves and compare the figures"
            )
        return None, True
    return who_is_who(given, "mapping"), True
