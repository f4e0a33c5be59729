"""Set the scene of an attack on a graph: every file that an attacker may hold, and who is who in them."""

from __future__ import annotations

import time
from dataclasses import fields, replace

import polars as pl

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.deadline import OutOfTime, give_up_in_time, until
from shoal.core.errors import BadParameter
from shoal.core.outcome import SHOWN, Finding
from shoal.core.part_syntax import spell
from shoal.core.progress import Follow, following
from shoal.engines.files import read_frame
from shoal.graphs.attacker_reasoning.scene import Protect, Remade, Scene, Seeds
from shoal.graphs.graph import Graph
from shoal.graphs.manifest import GraphManifest
from shoal.graphs.methods.naive import Naive
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.cure import remade, with_cure_checked
from shoal.jobs.graphs.requests import AttackGraph
from shoal.jobs.graphs.source import manifest_of, method_of, models_of, name_of, people, read, who_is_who

# What an attack may need, and the flag that gives it.
FLAGS = {
    "original": "the graph that the release was made from; give --original FILE",
    "auxiliary": "another network with some of the same people; give --auxiliary FILE",
    "seeds": "some people whom the attacker has found already; give --seeds FILE",
    "truth": "to know who is who; give --truth FILE, which protect writes with --mapping",
    "manifest": "to know how the release was made; keep its manifest (.shoal.json) beside it",
}


def attack_graph(job: AttackGraph, follow: Follow | None = None) -> Finding:
    """What one attacker achieves against a release, and whether the cure stops them."""
    attacker = catalog.part_of("attack", job.attack, "graph", seed=job.seed)
    end = None if job.time_limit is None else time.monotonic() + job.time_limit
    scene = scene_of(job)
    check_needs(attacker, scene)
    with until(end), following(follow):
        finding = verbs.attack(scene, attacker)
        try:
            return with_cure_checked(finding, attacker, scene)
        except OutOfTime:
            return finding


def scene_of(job: AttackGraph) -> Scene:
    """Everything that an attack looks at."""
    manifest = manifest_of(job)
    graph = people(read(job.data, job).graph, name_of(job.data))
    original, auxiliary = (
        None if given is None else people(read(given, job).graph, name_of(given))
        for given in (job.original, job.auxiliary)
    )
    truth = _truth(job, manifest, graph, original)
    method = None if manifest is None else catalog.known("method", manifest.method)
    protect, how = _protect(job, manifest)
    scene = Scene(
        graph,
        original=original,
        auxiliary=auxiliary,
        truth=truth,
        manifest=manifest,
        adds=method is None or method.adds,
        removes=method is None or method.removes,
        protect=protect,
        protected_by=how,
        shown=SHOWN if job.show is None else job.show,
        seed=job.seed,
    )
    _refuse_strangers(job, scene)
    if job.seeds is not None and auxiliary is not None:
        scene = replace(scene, seeds=_seeds(job, auxiliary, graph))
    return scene


def check_needs(attacker: Attack[Scene], scene: Scene) -> None:
    """Ask for what an attack cannot do without."""
    for need in attacker.needs:
        if getattr(scene, need) is None:
            raise BadParameter(f"{attacker.name} needs {FLAGS[need]}")


def _truth(
    job: AttackGraph, manifest: GraphManifest | None, graph: Graph, original: Graph | None
) -> pl.DataFrame | None:
    """Who is which node, as far as somebody told: a file, the release itself, or labels that were kept."""
    given = job.truth
    if given is None and isinstance(job.data, GraphRelease):
        given = job.data.mapping
    if given is not None:
        found = who_is_who(given, "truth")
    elif manifest is not None and manifest.labels is None:
        found = pl.DataFrame({"original": [], "label": []})  # its nodes stand for nobody
    elif original is None or (manifest is not None and manifest.labels == "random"):
        return None
    else:
        both = original.names().cast(pl.String)
        both = both.filter(both.is_in(graph.names().cast(pl.String).implode()))
        if both.is_empty():
            return None
        found = pl.DataFrame({"original": both, "label": both})
    return found.select(pl.col("original", "label").cast(pl.String))


def _refuse_strangers(job: AttackGraph, scene: Scene) -> None:
    """Networks that have nobody of the truth in them would make every attack fail, and prove nothing."""
    if scene.truth is None or scene.truth.is_empty():
        return
    labels = scene.graph.names().cast(pl.String)
    if not scene.truth["label"].is_in(labels.implode()).any():
        raise BadParameter(
            f"the truth has no label of {name_of(job.data)}, such as '{labels[0]}'; give the mapping that "
            "was written with it"
        )
    for source, known in ((job.original, scene.original), (job.auxiliary, scene.auxiliary)):
        if known is None:
            continue
        names = known.names().cast(pl.String)
        if not scene.truth["original"].is_in(names.implode()).any():
            raise BadParameter(
                f"the truth names nobody of {name_of(source)}, such as '{names[0]}'; give a network with "
                "some of the same people, under the same names"
            )


def _seeds(job: AttackGraph, auxiliary: Graph, graph: Graph) -> Seeds:
    """People whom the attacker has found, by their nodes in both networks."""
    frame = job.seeds if isinstance(job.seeds, pl.DataFrame) else read_frame(job.seeds)
    for column in ("original", "label"):
        if column not in frame.columns:
            raise BadParameter(f"the seeds have no column '{column}'; they have {', '.join(frame.columns)}")
    pairs = frame.select(pl.col("original", "label").cast(pl.String)).unique(maintain_order=True)
    found = []
    for column, known, where in (
        ("original", auxiliary, name_of(job.auxiliary)),
        ("label", graph, name_of(job.data)),
    ):
        twice = pairs.filter(pairs[column].is_duplicated())
        if twice.height:
            told = " and ".join("'" + name + "'" for name in twice.row(0))
            raise BadParameter(
                f"the seeds contradict each other: '{twice[column][0]}' is paired with more than one, as in "
                f"{told}; keep one of them"
            )
        numbered = pl.DataFrame({column: known.names().cast(pl.String)}).with_row_index("node")
        nodes = pairs.join(numbered, on=column, how="left", maintain_order="left")["node"]
        if nodes.null_count():
            stranger = pairs[column].filter(nodes.is_null())[0]
            raise BadParameter(f"the seed '{stranger}' is not in {where}; leave it out, or mend its label")
        found.append(nodes.cast(pl.Int64).to_numpy())
    return Seeds(found[0], found[1])


def _protect(job: AttackGraph, manifest: GraphManifest | None) -> tuple[Protect, str]:
    """How a release like the one at hand is made of another network, and the same in words."""
    models = models_of(job.model, job.k)
    if not models and job.method is None and manifest is not None:
        models = models_of(list(manifest.models), None)
        job = replace(job, method=manifest.method)
    if job.method is None and not models:
        job = replace(job, method=Naive())
    job = replace(job, seed=None)  # each release has a seed of its own
    method = method_of(job, models)

    def protect(graph: Graph, seed: int) -> Remade:
        seeded = "seed" in {field.name for field in fields(method)}
        made = replace(method, seed=seed) if seeded else method
        return remade(verbs.protect(graph, made, models, give_up_in_time), seed)

    return protect, " ".join([spell(method), *map(spell, models)])
