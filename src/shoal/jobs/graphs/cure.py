"""The cure of an attack on a graph, and the attack once more after it: a cure is one when that fails."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np
import polars as pl

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.deadline import OutOfTime, give_up_in_time
from shoal.core.errors import ShoalError
from shoal.core.outcome import Cured, Finding
from shoal.core.part_syntax import build, spell
from shoal.core.randomness import generator
from shoal.graphs.attacker_reasoning.scene import Remade, Scene
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import GraphModel
from shoal.graphs.release import GraphRelease

MOST_EDGES = (
    500_000  # beyond, a release of another kind and all attacks on it would take too long to wait for
)
USUAL_K = 5


def remade(release: GraphRelease, seed: int) -> Remade:
    """A release with who is who in it.

    Of groups, one of the networks that fit them, as readers draw it; a person may be any node of their group,
    and one is drawn: nothing in the release speaks for another one.
    """
    method = catalog.known("method", release.method)
    changes = {} if method is None else {"adds": method.adds, "removes": method.removes}
    if isinstance(release.graph, Grouping):
        return Remade(release.graph.sample(seed), drawn_places(release, seed), **changes)
    if not release.paired:
        return Remade(release.graph, None, **changes)
    mapping = release.mapping
    places = np.arange(release.graph.nodes) if mapping is None else mapping["label"].to_numpy()
    return Remade(release.graph, places, **changes)


def drawn_places(release: GraphRelease, seed: int | None) -> Int64 | None:
    """Per person a node of their group in a network drawn from the groups, each as likely as the others."""
    if release.mapping is None:
        return None
    group_of = release.mapping["label"].to_numpy()
    order = generator(seed).permutation(len(group_of))
    by_group = order[np.argsort(group_of[order], kind="stable")]  # nodes of group 0 come first
    places = np.empty(len(group_of), np.int64)
    places[by_group] = np.arange(len(group_of))
    return places


def with_cure_checked(finding: Finding, attacker: Attack[Scene], scene: Scene) -> Finding:
    """The finding with what the attack still achieves after its cure; as it was where none can be tried.

    An attack that knows its own cure gives the scene after it (`remedied`). Else the release is made again
    by the model that the attack names; where it names none and finds people, by the least promise that holds
    whatever an attacker knows.
    """
    if not finding.rate.hits:
        return finding
    try:
        own = attacker.remedied(scene)
        if own is not None:
            changed, how, lost = own[0], own[1], 0.0
        else:
            model = _remedy(finding, attacker, scene)
            if model is None:
                return finding
            changed, how, lost = _cured(scene, model)
        again = verbs.attack(changed, attacker)
    except OutOfTime:
        raise
    except ShoalError:
        return finding  # there is no such release of this network: then nothing is proved
    if again.details.get("complete") is False:
        return finding  # it ran out of time, which is no cure
    return replace(finding, cured=Cured(how, again.rate, lost, "edges it changed"))


def _remedy(finding: Finding, attacker: Attack[Scene], scene: Scene) -> GraphModel | None:
    """The promise that should stop an attack: the one it names, or one that no knowledge breaks."""
    if finding.remedy is not None:
        named: GraphModel = catalog.make("model", finding.remedy)
        return named
    if attacker.threat != "identifiability" or scene.known.undirected().edges > MOST_EDGES:
        return None
    parts = [catalog.find("model", name) for name in catalog.names("model")]
    able = [cls for cls in parts if cls.any_knowledge and "k" in _needed(cls)]
    if not able:
        return None
    least: GraphModel = build(min(able, key=lambda cls: cls.rank), {"k": str(USUAL_K)})
    return least


def _needed(cls: type[Any]) -> set[str]:
    return {field.name for field in fields(cls) if field.default is MISSING}


def _cured(scene: Scene, model: GraphModel) -> tuple[Scene, str, float]:
    """The scene after what people know was protected by a promise."""
    method: Any = catalog.make("method", model.usual_method or "").hurried()
    how = f"protected again by {method.name} with {spell(model)}"
    if not model.any_knowledge:
        return _edges_changed(scene, model, method, how)
    known = scene.known

    def protect(graph: Graph, seed: int) -> Remade:
        seeded = "seed" in {field.name for field in fields(method)}
        made = replace(method, seed=seed) if seeded else method
        return remade(verbs.protect(graph, made, [model], give_up_in_time), seed)

    made = protect(known, 0 if scene.seed is None else scene.seed)
    assert made.places is not None
    names = known.names().cast(pl.String)
    after = replace(
        scene,
        graph=made.graph,
        original=known,
        truth=pl.DataFrame({"original": names, "label": pl.Series(made.places).cast(pl.String)}),
        seeds=None,  # whom the attacker knew in the release at hand has no place in this one
        adds=True,
        removes=True,
        protect=protect,
        protected_by=how,
    )
    return after, f"{how}, and a network drawn from the groups", _share_gone(known, made)


def _edges_changed(scene: Scene, model: GraphModel, method: Any, how: str) -> tuple[Scene, str, float]:
    """The scene after the release itself was changed until a promise holds."""
    release: GraphRelease = verbs.protect(scene.graph, method, [model], None)
    assert isinstance(release.graph, Graph)
    changed = (release.added or 0) + (release.removed or 0)
    known = scene.known
    after = replace(
        scene,
        graph=release.graph,
        original=known,
        truth=scene.truth if known is not scene.graph else _themselves(known),
        adds=scene.adds or method.adds,
        removes=scene.removes or method.removes,
    )
    return after, how, changed / max(scene.graph.undirected().edges, 1)


def _share_gone(known: Graph, made: Remade) -> float:
    """The share of true edges that a release does not have between the same people."""
    assert made.places is not None
    ends, width = known.undirected().edge_list(), known.nodes
    there = made.graph.undirected().edge_list()

    def codes(one: Any, other: Any) -> Any:
        return np.minimum(one, other).astype(np.int64) * width + np.maximum(one, other)

    moved = codes(made.places[ends.sources], made.places[ends.targets])
    kept = np.isin(moved, codes(there.sources, there.targets)).sum()
    return float(1 - kept / max(len(moved), 1))


def _themselves(graph: Graph) -> pl.DataFrame:
    names = graph.names().cast(pl.String)
    return pl.DataFrame({"original": names, "label": names})
