"""Name → class for every model, method, step, attack, measure and mechanism, those of other packages too.

Adding a part is one file and one line here. Another package adds one with an entry point in the group
`shoal.models`, `shoal.methods`, `shoal.steps`, `shoal.attacks`, `shoal.measures` or `shoal.mechanisms`.
Classes are imported when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Literal, get_args

from shoal.core.contract import (
    Attack,
    AttackKind,
    Measure,
    Mechanism,
    Method,
    Model,
    Step,
    first_sentence,
)
from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Rows, Tables
from shoal.core.spelling import build, parameters, split

Kind = Literal["model", "method", "step", "attack", "measure", "mechanism"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BASES: dict[Kind, type[Any]] = {
    "model": Model,
    "method": Method,
    "step": Step,
    "attack": Attack,
    "measure": Measure,
    "mechanism": Mechanism,
}

_BUILT_IN: dict[Kind, dict[str, str]] = {
    "model": {
        "alpha-k-anonymity": "shoal.tables.models.alpha_k_anonymity:AlphaKAnonymity",
        "beta-likeness": "shoal.tables.models.beta_likeness:BetaLikeness",
        "confidence-bounding": "shoal.tables.models.confidence_bounding:ConfidenceBounding",
        "d-gamma-privacy": "shoal.tables.models.d_gamma_privacy:DGammaPrivacy",
        "delta-disclosure": "shoal.tables.models.delta_disclosure:DeltaDisclosure",
        "delta-presence": "shoal.tables.models.delta_presence:DeltaPresence",
        "differential-privacy": "shoal.tables.models.differential_privacy:DifferentialPrivacy",
        "distributional-privacy": "shoal.tables.models.distributional_privacy:DistributionalPrivacy",
        "edge-differential-privacy": "shoal.graphs.models.edge_differential_privacy:EdgeDifferentialPrivacy",
        "epsilon-m-anonymity": "shoal.tables.models.epsilon_m_anonymity:EpsilonMAnonymity",
        "isolation": "shoal.tables.models.isolation:Isolation",
        "k-anonymity": "shoal.tables.models.k_anonymity:KAnonymity",
        "k-degree": "shoal.graphs.models.k_degree:KDegree",
        "k-e-anonymity": "shoal.tables.models.k_e_anonymity:KEAnonymity",
        "k-grouping": "shoal.graphs.models.k_grouping:KGrouping",
        "k-neighbourhood": "shoal.graphs.models.k_neighbourhood:KNeighbourhood",
        "l-diversity": "shoal.tables.models.l_diversity:LDiversity",
        "lkc": "shoal.tables.models.lkc:LKC",
        "multi-attribute-diversity": "shoal.tables.models.multi_attribute_diversity:MultiAttributeDiversity",
        "multir-k-anonymity": "shoal.tables.models.multir_k_anonymity:MultirKAnonymity",
        "negative-positive-disclosure": (
            "shoal.tables.models.negative_positive_disclosure:NegativePositiveDisclosure"
        ),
        "node-differential-privacy": "shoal.graphs.models.node_differential_privacy:NodeDifferentialPrivacy",
        "personalised-privacy": "shoal.tables.models.personalised_privacy:PersonalisedPrivacy",
        "positive-disclosure": "shoal.tables.models.positive_disclosure:PositiveDisclosure",
        "t-closeness": "shoal.tables.models.t_closeness:TCloseness",
        "xy-anonymity": "shoal.tables.models.xy_anonymity:XYAnonymity",
        "xy-linkability": "shoal.tables.models.xy_linkability:XYLinkability",
    },
    "method": {
        "auto": "shoal.tables.methods.auto:Auto",
        "cell-suppression": "shoal.tables.methods.cell_suppression:CellSuppression",
        "deletion": "shoal.graphs.methods.deletion:Deletion",
        "grouping": "shoal.graphs.methods.grouping.grouping:Grouping",
        "heuristic": "shoal.tables.methods.heuristic.heuristic:Heuristic",
        "local-recoding": "shoal.tables.methods.local_recoding:LocalRecoding",
        "mondrian": "shoal.tables.methods.mondrian.mondrian:Mondrian",
        "naive": "shoal.graphs.methods.naive:Naive",
        "neighbourhood": "shoal.graphs.methods.neighbourhood.neighbourhood:Neighbourhood",
        "noisy-counts": "shoal.tables.methods.noisy_counts:NoisyCounts",
        "noisy-degrees": "shoal.graphs.methods.noisy_degrees.noisy_degrees:NoisyDegrees",
        "optimal": "shoal.tables.methods.optimal:Optimal",
        "relaxed": "shoal.graphs.methods.relaxed:Relaxed",
        "retention": "shoal.tables.methods.retention:Retention",
        "sampled-generalisation": "shoal.tables.methods.sampled_generalisation:SampledGeneralisation",
        "simultaneous": "shoal.graphs.methods.simultaneous:Simultaneous",
        "supergraph": "shoal.graphs.methods.supergraph:Supergraph",
        "top-down": "shoal.tables.methods.top_down.top_down:TopDown",
    },
    "step": {
        "dummies": "shoal.tables.steps.dummies:Dummies",
        "microaggregation": "shoal.tables.steps.microaggregation:Microaggregation",
        "noise": "shoal.tables.steps.noise:Noise",
        "pseudonyms": "shoal.tables.steps.pseudonyms:Pseudonyms",
        "sampling": "shoal.tables.steps.sampling:Sampling",
        "swapping": "shoal.tables.steps.swapping:Swapping",
    },
    "attack": {
        "background": "shoal.tables.attacks.background.background:Background",
        "definetti": "shoal.tables.attacks.definetti.definetti:Definetti",
        "downcoding": "shoal.tables.attacks.downcoding.downcoding:Downcoding",
        "homogeneity": "shoal.tables.attacks.homogeneity:Homogeneity",
        "inference": "shoal.tables.attacks.inference.inference:Inference",
        "intersection": "shoal.tables.attacks.intersection:Intersection",
        "linkability": "shoal.tables.attacks.linkability:Linkability",
        "linkage": "shoal.tables.attacks.linkage:Linkage",
        "minimality": "shoal.tables.attacks.minimality.minimality:Minimality",
        "partly-known": "shoal.tables.attacks.partly_known:PartlyKnown",
        "similarity": "shoal.tables.attacks.similarity.similarity:Similarity",
        "singling-out": "shoal.tables.attacks.singling_out.singling_out:SinglingOut",
        "skewness": "shoal.tables.attacks.skewness:Skewness",
        "sparse-profile": "shoal.tables.attacks.sparse_profile.sparse_profile:SparseProfile",
        "temporal": "shoal.tables.attacks.temporal.temporal:Temporal",
        "unsorted-matching": "shoal.tables.attacks.unsorted_matching.unsorted_matching:UnsortedMatching",
    },
    "measure": {
        "average-class-size": "shoal.tables.measures.average_class_size:AverageClassSize",
        "belief": "shoal.tables.measures.belief:Belief",
        "class-entropy": "shoal.tables.measures.class_entropy:ClassEntropy",
        "classification-metric": "shoal.tables.measures.classification_metric:ClassificationMetric",
        "classifier-accuracy": (
            "shoal.tables.measures.classifier_accuracy.classifier_accuracy:ClassifierAccuracy"
        ),
        "clustering": "shoal.graphs.measures.clustering:Clustering",
        "combinations": "shoal.tables.measures.combinations:Combinations",
        "contribution": "shoal.tables.measures.contribution:Contribution",
        "dankar": "shoal.tables.measures.dankar:Dankar",
        "degree-anonymity": "shoal.graphs.measures.degree_anonymity:DegreeAnonymity",
        "density": "shoal.graphs.measures.density:Density",
        "diameter": "shoal.graphs.measures.diameter:Diameter",
        "discernibility": "shoal.tables.measures.discernibility:Discernibility",
        "distinction": "shoal.tables.measures.distinction:Distinction",
        "edge-disclosure": "shoal.graphs.measures.edge_disclosure:EdgeDisclosure",
        "entropy": "shoal.tables.measures.entropy:Entropy",
        "identity-disclosure": "shoal.graphs.measures.identity_disclosure:IdentityDisclosure",
        "information-gain": "shoal.tables.measures.information_gain:InformationGain",
        "journalist": "shoal.tables.measures.risk:Journalist",
        "loss": "shoal.tables.measures.loss:Loss",
        "marketer": "shoal.tables.measures.risk:Marketer",
        "neighbourhood-anonymity": "shoal.graphs.measures.neighbourhood_anonymity:NeighbourhoodAnonymity",
        "overlap": "shoal.graphs.measures.overlap:Overlap",
        "path-length": "shoal.graphs.measures.path_length:PathLength",
        "pitman": "shoal.tables.measures.pitman:Pitman",
        "power-law": "shoal.graphs.measures.power_law:PowerLaw",
        "precision": "shoal.tables.measures.precision:Precision",
        "prosecutor": "shoal.tables.measures.risk:Prosecutor",
        "records-at-risk": "shoal.tables.measures.records_at_risk:RecordsAtRisk",
        "refinement-anonymity": "shoal.graphs.measures.refinement_anonymity:RefinementAnonymity",
        "separation": "shoal.tables.measures.separation:Separation",
        "slide-negative-binomial": "shoal.tables.measures.slide_negative_binomial:SlideNegativeBinomial",
        "uniqueness": "shoal.tables.measures.uniqueness:Uniqueness",
        "workload-error": "shoal.tables.measures.workload_error:WorkloadError",
        "zayatz": "shoal.tables.measures.zayatz:Zayatz",
    },
    "mechanism": {
        "degree-histogram": "shoal.graphs.mechanisms.degree_histogram:DegreeHistogram",
        "degree-sequence": "shoal.graphs.mechanisms.degree_sequence:DegreeSequence",
        "edge-count": "shoal.graphs.mechanisms.edge_count:EdgeCount",
        "exponential": "shoal.queries.mechanisms.exponential:Exponential",
        "gaussian": "shoal.queries.mechanisms.gaussian:Gaussian",
        "histogram": "shoal.queries.mechanisms.histogram:Histogram",
        "laplace": "shoal.queries.mechanisms.laplace:Laplace",
        "noisy-max": "shoal.queries.mechanisms.noisy_max:NoisyMax",
        "quantile": "shoal.queries.mechanisms.quantile:Quantile",
        "randomised-response": "shoal.queries.mechanisms.randomised_response:RandomisedResponse",
        "selection": "shoal.queries.mechanisms.selection:Selection",
        "sparse-vector": "shoal.queries.mechanisms.sparse_vector:SparseVector",
        "triangles": "shoal.graphs.mechanisms.triangles.triangles:Triangles",
    },
}


@dataclass(frozen=True)
class Part:
    """One entry of the catalog."""

    kind: Kind
    name: str
    cls: type[Any]

    @property
    def noun(self) -> str:
        """The pillar it belongs to, or the package that brought it."""
        path = self.cls.__module__.split(".")
        return {"tables": "table", "graphs": "graph", "queries": "query"}.get(
            path[1] if len(path) > 1 else "", path[0]
        )

    @property
    def promise(self) -> str:
        """The first sentence of its docstring."""
        return first_sentence(self.cls)

    @property
    def parameters(self) -> str:
        """Its parameters with their defaults."""
        return parameters(self.cls)

    @property
    def paper(self) -> str:
        """The last paragraph of its docstring: where it comes from."""
        paragraphs = (self.cls.__doc__ or "").strip().split("\n\n")
        return " ".join(paragraphs[-1].split()) if len(paragraphs) > 1 else ""


def names(kind: Kind) -> list[str]:
    """All names of a kind, in order."""
    return sorted({*_BUILT_IN[kind], *(entry.name for entry in entry_points(group=f"shoal.{kind}s"))})


def foreign(kind: Kind) -> list[str]:
    """The names that other packages brought."""
    return [name for name in names(kind) if name not in _BUILT_IN[kind]]


def find(kind: Kind, name: str) -> type[Any]:
    """The class behind a name."""
    if name in _BUILT_IN[kind]:
        module, _, attribute = _BUILT_IN[kind][name].partition(":")
        found: type[Any] = getattr(import_module(module), attribute)
        return found
    for entry in entry_points(group=f"shoal.{kind}s", name=name):
        loaded: type[Any] = entry.load()
        check(kind, loaded)
        return loaded
    raise BadParameter(f"no {kind} '{name}'; there is {', '.join(names(kind))}")


def check(kind: Kind, cls: type[Any]) -> None:
    """Refuse a class that lacks what the rest of the house asks of a part."""
    if not issubclass(cls, BASES[kind]):
        base = BASES[kind].__name__
        raise BadParameter(f"{cls.__name__} is no {kind}: derive it from shoal.core.contract.{base}")


def known(kind: Kind, text: str) -> type[Any] | None:
    """The class behind a spelling in somebody's record; None for a part of a package that is not here."""
    try:
        return find(kind, split(text)[0])
    except BadParameter:
        return None


def make(kind: Kind, text: str) -> Any:
    """A part from its spelling, as in `k-anonymity(k=5)`."""
    name, given = split(text)
    return build(find(kind, name), given)


@dataclass(frozen=True)
class Catalog(Shown):
    """Every part, as `shoal catalog` shows it."""

    parts: tuple[Part, ...]

    @classmethod
    def whole(cls) -> Catalog:
        """All parts of all kinds."""
        return cls(tuple(Part(kind, name, find(kind, name)) for kind in KINDS for name in names(kind)))

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal catalog --json` prints."""
        return {
            f"{kind}s": [
                {
                    "name": part.name,
                    "of": part.noun,
                    "parameters": part.parameters,
                    "promise": part.promise,
                    "paper": part.paper,
                    **({"stops": list(part.cls.stops)} if kind == "model" else {}),
                }
                for part in self.parts
                if part.kind == kind
            ]
            for kind in KINDS
        }

    def to_tables(self) -> Tables:
        """One table per kind, and which model stops which attack."""
        tables = {
            f"{kind}s": [
                ["name", "of", "parameters", "what it does", "paper"],
                *(
                    [part.name, part.noun, part.parameters, part.promise, part.paper]
                    for part in self.parts
                    if part.kind == kind
                ),
            ]
            for kind in dict.fromkeys(part.kind for part in self.parts)
        }
        if "models" not in tables:
            return tables
        return {**tables, "which model stops which attack": self.matrix()}

    def matrix(self) -> Rows:
        """Every model against the kinds of attack, as the literature draws it (Fung et al. 2010)."""
        kinds = get_args(AttackKind)
        models = [part for part in self.parts if part.kind == "model"]
        return [
            ["model", *kinds],
            *([part.name, *("✓" if kind in part.cls.stops else "" for kind in kinds)] for part in models),
        ]
