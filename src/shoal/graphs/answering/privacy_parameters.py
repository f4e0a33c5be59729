"""Which graphs count as neighbours, and what a mechanism costs: the parameters that all of them share."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.graphs.graph import MOST_NODES, Graph

Neighbours = Literal["edge", "node"]
MOST_CELLS = 10_000_000


@dataclass(frozen=True)
class Cost:
    """ε for graphs that differ in up to k edges, or in up to k people with all of their edges.

    Noise grows in step with k: whoever differs in fewer pays a share of ε. Edge neighbours have the same
    people. The thesis (definition 7.12) also lets people without edges come and go; a declared number of
    people covers that, because people without edges are then filled up to it.
    """

    epsilon: Fraction
    k: int = 1
    neighbours: Neighbours = "edge"

    @property
    def guarantees(self) -> dict[str, float]:
        """As models look for them."""
        if self.neighbours == "edge":
            return {"epsilon": float(self.epsilon), "delta": 0.0, "edges": self.k}
        return {"node_epsilon": float(self.epsilon), "delta": 0.0, "nodes": self.k}

    @property
    def in_words(self) -> str:
        """In words."""
        what = "edge" if self.neighbours == "edge" else "person with all edges"
        whom = f"one {what}" if self.k == 1 else f"any {self.k} {what.replace('person', 'people')}"
        if self.neighbours == "edge" and self.k > 1:
            whom += "s"
        return f"ε = {float(self.epsilon):g} for {whom} more or less"

    def to_json(self) -> dict[str, Json]:
        return {
            "epsilon": float(self.epsilon),
            "delta": 0.0,
            "neighbours": self.neighbours,
            "k": self.k,
        }


def check_cost(part: Any) -> None:
    """Check ε and k of a mechanism, and make ε a fraction."""
    settle(part, epsilon=None)
    whole(part, k=1)


def check_neighbours(part: Any) -> None:
    """Check which neighbours are meant, and the largest degree that is declared for them."""
    if part.neighbours not in get_args(Neighbours):
        raise BadParameter(f"{part.name} knows neighbours=edge and neighbours=node, not '{part.neighbours}'")
    if part.bound is not None:
        whole(part, bound=1)
        if part.bound > MOST_CELLS:
            raise BadParameter(f"{part.name} takes a bound up to {MOST_CELLS:,}, not {part.bound:,}")
    elif part.neighbours == "node":
        raise BadParameter(
            f"{part.name}(neighbours=node) needs a bound: edges beyond so many per person are left out; "
            "declare it without looking at the graph, as in bound=50"
        )


def check_nodes(part: Any) -> None:
    """Check a declared number of people."""
    if part.nodes is not None:
        whole(part, nodes=1)
        if part.nodes > MOST_NODES:
            raise BadParameter(f"{part.name} takes nodes up to {MOST_NODES:,}, not {part.nodes:,}")


def people(graph: Graph, declared: int | None) -> int:
    """How many people there are for everybody to know: as declared, or those of the graph."""
    return graph.nodes if declared is None else declared


def public_people(declared: int | None) -> str:
    """What is public about the number of people."""
    if declared is not None:
        return f"nodes={declared:,}, as declared"
    return "the number of nodes, as in the graph (declare nodes=… where a file lists only people with edges)"
