"""Somebody who knows how many friends people have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding, Json, Rate
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Degree(Attack[Scene]):
    """Finds the people whom their number of friends gives away.

    The attacker knows how many friends each person has in the original (without one, in the release), and
    what everybody knows of the method: where it only adds edges, a person is a node with as many friends or,
    if there is none, with the next larger number; where it does both, with the nearest. A hit is a person
    with one such node, if it is theirs; `wrong` is the share of people for whom the one node is somebody
    else. `right_by_picking` is how often picking one of all candidates is right. A directed release of a
    directed original is read by friends out and friends in.

    Hay et al., "Resisting structural re-identification in anonymized social networks", 2008; Liu and Terzi,
    "Towards identity anonymization on graphs", 2008.
    """

    name: ClassVar[str] = "degree"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"
    sure: ClassVar[bool] = True

    def attack(self, scene: Scene) -> Finding:
        """Whom a number of friends gives away."""
        known, places = scene.known, scene.places(scene.known)
        theirs, seen = _known_and_seen(known, scene.graph)
        exact = known.directed and scene.graph.directed  # pairs of numbers have no order
        values, first, counts = np.unique(seen, return_index=True, return_counts=True)
        low, high = _nearest(theirs, values, scene.adds and not exact, scene.removes and not exact)
        number = _count(low, counts) + np.where(high != low, _count(high, counts), 0)
        one = np.where(low >= 0, low, high)
        alone = number == 1
        node = np.where(alone, first[one], -1)
        right, wrong = alone, None
        fitting = number > 0
        if places is not None:
            right = alone & (node == places)
            wrong = float((alone & ~right).sum() / max(len(theirs), 1))
            place = np.where(places >= 0, np.searchsorted(values, seen[places]), -2)
            fitting = (place == low) | (place == high)
        hits, people = int(right.sum()), len(theirs)
        picked = np.divide(fitting, number, out=np.zeros(people), where=number > 0)
        # Where edges may have changed, one node that fits may be somebody else's.
        sure = right.sum() / max(alone.sum(), 1) if places is not None else None
        details: dict[str, Json] = {
            "different_degrees": len(values),
            "right_by_picking": float(picked.mean()) if people else 0.0,
            "smallest_group": int(number[number > 0].min(initial=people)),
        }
        return Finding(
            attack=self.name,
            rate=Rate(hits, people),
            baseline=1 / max(scene.graph.nodes, 1),
            findings=tuple(_told(scene, node[right], theirs[right], exact, sure)),
            cure=(
                "k-degree(k=5) or more leaves everybody with as many friends as at least four others"
                if hits
                else "nothing to cure: nobody is given away by a number of friends alone"
            ),
            remedy="k-degree(k=5)",
            details=details,
            wrong=wrong,
        )


def _known_and_seen(known: Graph, released: Graph) -> tuple[Int64, Int64]:
    """Numbers of friends as people know them and as the release shows them; numbered where they are pairs."""
    if not (known.directed and released.directed):
        return known.undirected().degrees, released.undirected().degrees
    pairs = [
        np.column_stack((graph.degrees, np.bincount(graph.targets, minlength=graph.nodes)))
        for graph in (known, released)
    ]
    _, number = np.unique(np.concatenate(pairs), axis=0, return_inverse=True)
    number = number.reshape(-1)
    return number[: known.nodes], number[known.nodes :]


def _nearest(theirs: Int64, values: Int64, adds: bool, removes: bool) -> tuple[Int64, Int64]:
    """Per person, the places of the candidates among the values: below and above, -1 for none there."""
    above = np.searchsorted(values, theirs, "left")
    below = np.searchsorted(values, theirs, "right") - 1
    exact = above == below
    above = np.where(above < len(values), above, -1)
    if adds and removes:
        far = np.iinfo(np.int64).max
        up = np.where(above >= 0, values[above] - theirs, far)
        down = np.where(below >= 0, theirs - values[below], far)
        return np.where(down <= up, below, -1), np.where(up <= down, above, -1)
    return (
        np.where(exact | removes, below, -1),
        np.where(exact | adds, above, -1),
    )


def _count(places: Int64, counts: Int64) -> Int64:
    return np.where(places >= 0, counts[places], 0)


def _told(
    scene: Scene, nodes: Int64, degrees: Int64, pairs: bool, sure: float | None
) -> list[dict[str, Json]]:
    shown = scene.shown or len(nodes)
    return [
        {
            "who": scene.who(node),
            "learned": {"node": scene.graph.name(node)} | ({} if pairs else {"friends": degree}),
            "confidence": None if sure is None else float(sure),
        }
        for node, degree in zip(nodes[:shown].tolist(), degrees[:shown].tolist(), strict=True)
    ]
