"""Every figure about one graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoal.core.contract import Measure
from shoal.core.outcome import Json, Rows, number
from shoal.graphs.appraisal.anonymity import Anonymity
from shoal.graphs.appraisal.components import Components, Pieces
from shoal.graphs.appraisal.degrees import Degrees
from shoal.graphs.appraisal.estimate import Estimate
from shoal.graphs.appraisal.sampled_measure import SampledMeasure
from shoal.graphs.graph import Graph
from shoal.graphs.measures.clustering import Clustering, Clusterings
from shoal.graphs.measures.degree_anonymity import DegreeAnonymity
from shoal.graphs.measures.density import Density
from shoal.graphs.measures.diameter import Diameter
from shoal.graphs.measures.edge_disclosure import EdgeDisclosure, EdgeRisk
from shoal.graphs.measures.identity_disclosure import IdentityDisclosure, IdentityRisk
from shoal.graphs.measures.neighbourhood_anonymity import NeighbourhoodAnonymity, neighbourhood_work
from shoal.graphs.measures.path_length import PathLength, PathLengths
from shoal.graphs.measures.power_law import PowerLaw, PowerLawFit
from shoal.graphs.measures.refinement_anonymity import Refinement, RefinementAnonymity

LIMIT = 100_000_000  # steps for all neighbourhoods: some ten seconds
PARTS = ("clustering", "path lengths", "diameter", "power law", "neighbourhoods", "refinement", "disclosure")
# What has a place among the figures; what else there is goes to the further ones.
TOLD: tuple[type[Measure[Any, Any]], ...] = (
    *(Clustering, DegreeAnonymity, Density, Diameter, EdgeDisclosure, IdentityDisclosure),
    *(NeighbourhoodAnonymity, PathLength, PowerLaw, RefinementAnonymity),
)


@dataclass(frozen=True)
class Figures:
    """What there is to say about a graph by itself; `neighbourhood` is None where it would take too long."""

    nodes: int
    edges: int
    density: float
    degrees: Degrees
    components: Pieces
    clustering: Clusterings
    paths: PathLengths
    diameter: Estimate
    power_law: PowerLawFit
    degree: Anonymity
    neighbourhood: Anonymity | None
    refinement: Refinement
    identity: IdentityRisk
    edge: EdgeRisk

    def to_json(self) -> dict[str, Json]:
        around = self.neighbourhood
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "density": self.density,
            "clustering": self.clustering.to_json(),
            "average_path_length": self.paths.average.to_json(),
            "average_path_length_reachable": self.paths.reachable.to_json(),
            "diameter": self.diameter.to_json(),
            "power_law_exponent": number(self.power_law.exponent),
            "power_law": self.power_law.to_json(),
            "components": self.components.to_json(),
            "degrees": self.degrees.to_json(),
            "anonymity": {
                "degree": self.degree.level,
                "neighbourhood": None if around is None else around.level,
                "refinement": self.refinement.last.level,
            },
            "anonymity_classes": {
                "degree": self.degree.to_json(),
                "neighbourhood": None if around is None else around.to_json(),
                "refinement": self.refinement.to_json(),
            },
            "identity_disclosure": self.identity.to_json(),
            "edge_disclosure": self.edge.to_json(),
        }

    def numbers(self) -> dict[str, Estimate | None]:
        """Everything that is one number, by its name in plain words."""
        around = self.neighbourhood
        return {
            "nodes": Estimate(self.nodes),
            "edges": Estimate(self.edges),
            "density": Estimate(self.density),
            "mean degree": Estimate(self.degrees.mean),
            "highest degree": Estimate(self.degrees.highest),
            "components": Estimate(self.components.number),
            "people in the largest component": Estimate(self.components.largest),
            "clustering, all people (cc)": self.clustering.cc,
            "clustering, all pairs of friends (cc1)": self.clustering.cc1,
            "clustering, people with two friends (cc2)": self.clustering.cc2,
            "average path length": self.paths.average,
            "average path length of reachable pairs": self.paths.reachable,
            "diameter": self.diameter,
            "power-law exponent": _known(self.power_law.exponent),
            "anonymity by degree": Estimate(self.degree.level),
            "anonymity by neighbourhood": None if around is None else Estimate(around.level),
            "anonymity by refinement": Estimate(self.refinement.last.level),
            "chance to find a person by degree": Estimate(self.identity.mean),
            "edges certain by degrees": Estimate(self.edge.edges),
        }

    def anonymity_rows(self) -> Rows:
        """Who hides among how many, by what somebody knows."""
        rows = [["known", "smallest class", "classes", "people alone", "in classes below 5"]]
        rows.append(["degree", *self.degree.to_row()])
        if self.neighbourhood is not None:
            rows.append(["neighbourhood", *self.neighbourhood.to_row()])
        queries = list(enumerate(self.refinement.queries))
        # The first tell most; H* is what they come to.
        for depth, found in queries if len(queries) <= 6 else [*queries[:5], queries[-1]]:
            rows.append([f"refinement H{depth}", *found.to_row()])
        return rows


def _known(value: float | None) -> Estimate | None:
    return None if value is None else Estimate(value)


def figures_of(graph: Graph, effort: SampledMeasure, law: PowerLaw, tell: Callable[[str], None]) -> Figures:
    """All figures of an undirected graph; `tell` hears which part is at work."""
    components = Components.of(graph)
    tell("clustering")
    clustering = Clustering(effort.exact, effort.sample, effort.seed).measure(graph)
    tell("path lengths")
    paths = PathLength(effort.exact, effort.sample, effort.seed).within(graph, components)
    tell("diameter")
    diameter = Diameter(effort.exact, effort.sample).within(graph, components)
    tell("power law")
    power_law = law.measure(graph)
    tell("neighbourhoods")
    affordable = effort.exact or neighbourhood_work(graph) <= LIMIT
    neighbourhood = NeighbourhoodAnonymity().measure(graph) if affordable else None
    tell("refinement")
    refinement = RefinementAnonymity(max(1, graph.nodes) if effort.exact else None).measure(graph)
    tell("disclosure")
    return Figures(
        nodes=graph.nodes,
        edges=graph.edges,
        density=Density().measure(graph),
        degrees=Degrees.of(graph),
        components=components.summary,
        clustering=clustering,
        paths=paths,
        diameter=diameter,
        power_law=power_law,
        degree=DegreeAnonymity().measure(graph),
        neighbourhood=neighbourhood,
        refinement=refinement,
        identity=IdentityDisclosure().measure(graph),
        edge=EdgeDisclosure().measure(graph),
    )
