"""Name → class for every part: models, methods, steps, attacks and so on, those of other packages too.

Adding a part is one file and one line here. Another package adds one with an entry point in the group
`shoal.models`, `shoal.methods`, `shoal.steps`, `shoal.attacks`, `shoal.measures`, `shoal.mechanisms` or
`shoal.alternatives`. Classes are imported when asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Literal, get_args

from shoal.core.contract import (
    Attack,
    AttackKind,
    Measure,
    Method,
    Model,
    Step,
    first_sentence,
)
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.mechanism import Mechanism
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Rows, Tables
from shoal.core.part_syntax import build, parameters, split
from shoal.queries.endpoints.endpoint import Alternative

Kind = Literal["model", "method", "step", "attack", "measure", "mechanism", "alternative"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BASES: dict[Kind, type[Any]] = dict(
    zip(KINDS, (Model, Method, Step, Attack, Measure, Mechanism, Alternative), strict=True)
)

_SUBJECTS = {"table": "tables", "graph": "graphs", "query": "questions"}
_ROOMS = {"table": "tables", "graph": "graphs", "query": "queries"}
_BUILT_IN: dict[Kind, dict[str, str]] = {
    "model": {
        "alpha-k-anonymity": "tables.models.alpha_k_anonymity:AlphaKAnonymity",
        "beta-likeness": "tables.models.beta_likeness:BetaLikeness",
        "confidence-bounding": "tables.models.confidence_bounding:ConfidenceBounding",
        "d-gamma-privacy": "tables.models.d_gamma_privacy:DGammaPrivacy",
        "delta-disclosure": "tables.models.delta_disclosure:DeltaDisclosure",
        "delta-presence": "tables.models.delta_presence:DeltaPresence",
        "differential-privacy": "tables.models.differential_privacy:DifferentialPrivacy",
        "distributional-privacy": "tables.models.distributional_privacy:DistributionalPrivacy",
        "edge-differential-privacy": "graphs.models.edge_differential_privacy:EdgeDifferentialPrivacy",
        "epsilon-m-anonymity": "tables.models.epsilon_m_anonymity:EpsilonMAnonymity",
        "isolation": "tables.models.isolation:Isolation",
        "k-anonymity": "tables.models.k_anonymity:KAnonymity",
        "k-degree": "graphs.models.k_degree:KDegree",
        "k-e-anonymity": "tables.models.k_e_anonymity:KEAnonymity",
        "k-grouping": "graphs.models.k_grouping:KGrouping",
        "k-neighbourhood": "graphs.models.k_neighbourhood:KNeighbourhood",
        "l-diversity": "tables.models.l_diversity:LDiversity",
        "lkc": "tables.models.lkc:LKC",
        "multi-attribute-diversity": "tables.models.multi_attribute_diversity:MultiAttributeDiversity",
        "multir-k-anonymity": "tables.models.multir_k_anonymity:MultirKAnonymity",
        "negative-positive-disclosure": (
            "tables.models.negative_positive_disclosure:NegativePositiveDisclosure"
        ),
        "node-differential-privacy": "graphs.models.node_differential_privacy:NodeDifferentialPrivacy",
        "personalised-privacy": "tables.models.personalised_privacy:PersonalisedPrivacy",
        "positive-disclosure": "tables.models.positive_disclosure:PositiveDisclosure",
        "t-closeness": "tables.models.t_closeness:TCloseness",
        "xy-anonymity": "tables.models.xy_anonymity:XYAnonymity",
        "xy-linkability": "tables.models.xy_linkability:XYLinkability",
    },
    "method": {
        "auto": "tables.methods.auto:Auto",
        "cell-suppression": "tables.methods.cell_suppression:CellSuppression",
        "deletion": "graphs.methods.deletion:Deletion",
        "grouping": "graphs.methods.grouping.grouping:GroupingMethod",
        "heuristic": "tables.methods.heuristic.heuristic:Heuristic",
        "local-recoding": "tables.methods.local_recoding:LocalRecoding",
        "mondrian": "tables.methods.mondrian.mondrian:Mondrian",
        "naive": "graphs.methods.naive:Naive",
        "neighbourhood": "graphs.methods.neighbourhood.neighbourhood:Neighbourhood",
        "noisy-counts": "tables.methods.noisy_counts:NoisyCounts",
        "noisy-degrees": "graphs.methods.noisy_degrees.noisy_degrees:NoisyDegrees",
        "optimal": "tables.methods.optimal:Optimal",
        "relaxed": "graphs.methods.relaxed:Relaxed",
        "retention": "tables.methods.retention:Retention",
        "sampled-generalisation": "tables.methods.sampled_generalisation:SampledGeneralisation",
        "simultaneous": "graphs.methods.simultaneous:Simultaneous",
        "supergraph": "graphs.methods.supergraph:Supergraph",
        "synthetic": "tables.methods.synthetic.synthetic:Synthetic",
        "top-down": "tables.methods.top_down.top_down:TopDown",
    },
    "step": {
        "dummies": "tables.steps.dummies:Dummies",
        "microaggregation": "tables.steps.microaggregation:Microaggregation",
        "noise": "tables.steps.noise:Noise",
        "pseudonyms": "tables.steps.pseudonyms:Pseudonyms",
        "sampling": "tables.steps.sampling:Sampling",
        "swapping": "tables.steps.swapping:Swapping",
    },
    "attack": {
        "auxiliary-information": (
            "queries.attacks.auxiliary_information.auxiliary_information:AuxiliaryInformation"
        ),
        "averaging": "queries.attacks.averaging:Averaging",
        "background": "tables.attacks.background.background:Background",
        "coalition": "graphs.attacks.coalition:Coalition",
        "definetti": "tables.attacks.definetti.definetti:Definetti",
        "degree": "graphs.attacks.degree:Degree",
        "degree-profiles": "graphs.attacks.degree_profiles:DegreeProfiles",
        "differencing": "queries.attacks.differencing:Differencing",
        "downcoding": "tables.attacks.downcoding.downcoding:Downcoding",
        "homogeneity": "tables.attacks.homogeneity:Homogeneity",
        "inference": "tables.attacks.inference.inference:Inference",
        "intersection": "tables.attacks.intersection:Intersection",
        "link-guessing": "graphs.attacks.link_guessing.link_guessing:LinkGuessing",
        "linkability": "tables.attacks.linkability:Linkability",
        "linkage": "tables.attacks.linkage:Linkage",
        "membership": "queries.attacks.membership.membership:Membership",
        "minimality": "tables.attacks.minimality.minimality:Minimality",
        "partly-known": "tables.attacks.partly_known:PartlyKnown",
        "percolation": "graphs.attacks.percolation:Percolation",
        "pooled-knowledge": "graphs.attacks.pooled_knowledge:PooledKnowledge",
        "propagation": "graphs.attacks.propagation.propagation:Propagation",
        "reconstruction": "queries.attacks.reconstruction.reconstruction:Reconstruction",
        "refusals": "queries.attacks.refusals:Refusals",
        "similarity": "tables.attacks.similarity.similarity:Similarity",
        "singling-out": "tables.attacks.singling_out.singling_out:SinglingOut",
        "skewness": "tables.attacks.skewness:Skewness",
        "sparse-profile": "tables.attacks.sparse_profile.sparse_profile:SparseProfile",
        "temporal": "tables.attacks.temporal.temporal:Temporal",
        "tracker": "queries.attacks.tracker:Tracker",
        "unsorted-matching": "tables.attacks.unsorted_matching.unsorted_matching:UnsortedMatching",
        "walk": "graphs.attacks.walk.walk:Walk",
    },
    "measure": {
        "average-class-size": "tables.measures.average_class_size:AverageClassSize",
        "belief": "tables.measures.belief:Belief",
        "class-entropy": "tables.measures.class_entropy:ClassEntropy",
        "classification-metric": "tables.measures.classification_metric:ClassificationMetric",
        "classifier-accuracy": "tables.measures.classifier_accuracy.classifier_accuracy:ClassifierAccuracy",
        "classifier": "tables.measures.classifier:Classifier",
        "clustering": "graphs.measures.clustering:Clustering",
        "combinations": "tables.measures.combinations:Combinations",
        "contribution": "tables.measures.contribution:Contribution",
        "dankar": "tables.measures.dankar:Dankar",
        "degree-anonymity": "graphs.measures.degree_anonymity:DegreeAnonymity",
        "density": "graphs.measures.density:Density",
        "diameter": "graphs.measures.diameter:Diameter",
        "discernibility": "tables.measures.discernibility:Discernibility",
        "distinction": "tables.measures.distinction:Distinction",
        "edge-disclosure": "graphs.measures.edge_disclosure:EdgeDisclosure",
        "entropy": "tables.measures.entropy:Entropy",
        "identity-disclosure": "graphs.measures.identity_disclosure:IdentityDisclosure",
        "information-gain": "tables.measures.information_gain:InformationGain",
        "journalist": "tables.measures.risk:Journalist",
        "loss": "tables.measures.loss:Loss",
        "marketer": "tables.measures.risk:Marketer",
        "neighbourhood-anonymity": "graphs.measures.neighbourhood_anonymity:NeighbourhoodAnonymity",
        "overlap": "graphs.measures.overlap:Overlap",
        "path-length": "graphs.measures.path_length:PathLength",
        "pitman": "tables.measures.pitman:Pitman",
        "power-law": "graphs.measures.power_law:PowerLaw",
        "precision": "tables.measures.precision:Precision",
        "prosecutor": "tables.measures.risk:Prosecutor",
        "records-at-risk": "tables.measures.records_at_risk:RecordsAtRisk",
        "refinement-anonymity": "graphs.measures.refinement_anonymity:RefinementAnonymity",
        "separation": "tables.measures.separation:Separation",
        "slide-negative-binomial": "tables.measures.slide_negative_binomial:SlideNegativeBinomial",
        "uniqueness": "tables.measures.uniqueness:Uniqueness",
        "workload": "tables.measures.workload:Workload",
        "workload-error": "tables.measures.workload_error:WorkloadError",
        "zayatz": "tables.measures.zayatz:Zayatz",
    },
    "mechanism": {
        "continual-count": "queries.mechanisms.continual_count.continual_count:ContinualCount",
        "degree-histogram": "graphs.mechanisms.degree_histogram:DegreeHistogram",
        "degree-sequence": "graphs.mechanisms.degree_sequence:DegreeSequence",
        "edge-count": "graphs.mechanisms.edge_count:EdgeCount",
        "exponential": "queries.mechanisms.exponential:Exponential",
        "gaussian": "queries.mechanisms.gaussian:Gaussian",
        "rounded-gaussian": "queries.mechanisms.rounded_gaussian:RoundedGaussian",
        "histogram": "queries.mechanisms.histogram:Histogram",
        "k-means": "queries.mechanisms.k_means.k_means:KMeans",
        "laplace": "queries.mechanisms.laplace:Laplace",
        "linear-classifier": "queries.mechanisms.linear_classifier.linear_classifier:LinearClassifier",
        "median-mechanism": "queries.mechanisms.median_mechanism:MedianMechanism",
        "mwem": "queries.mechanisms.mwem:Mwem",
        "noisy-max": "queries.mechanisms.noisy_max:NoisyMax",
        "pan-private-density": "queries.mechanisms.pan_private_density:PanPrivateDensity",
        "quantile": "queries.mechanisms.quantile:Quantile",
        "randomised-response": "queries.mechanisms.randomised_response:RandomisedResponse",
        "selection": "queries.mechanisms.partition_selection:Selection",
        "sparse-vector": "queries.mechanisms.sparse_vector:SparseVector",
        "triangles": "graphs.mechanisms.triangles.triangles:Triangles",
    },
    "alternative": {
        "auditing": "queries.alternatives.auditing.auditing:Auditing",
        "fresh-noise": "queries.alternatives.fresh_noise:FreshNoise",
        "local-laplace": "queries.alternatives.local_laplace:LocalLaplace",
        "local-randomised-response": "queries.alternatives.local_randomised_response:LocalRandomisedResponse",
        "minimum-size": "queries.alternatives.minimum_size:MinimumSize",
        "plain": "queries.alternatives.plain:Plain",
        "private": "queries.alternatives.private:Private",
        "sample": "queries.alternatives.sample:Sample",
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
        """The pillar of what it looks at, or the package that brought it where that says none."""
        nouns = {room: noun for noun, room in _ROOMS.items()}
        for one in _derived_from(self.cls):
            package, *rooms = one.__module__.split(".")
            if package == "shoal" and rooms and rooms[0] in nouns:
                return nouns[rooms[0]]
        return self.cls.__module__.split(".")[0]

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


def _derived_from(cls: type[Any]) -> Iterator[type[Any]]:
    """A class, its bases, and what they are about, as in `Attack[Scene]`."""
    for parent in cls.__mro__:
        yield parent
        for base in parent.__dict__.get("__orig_bases__", ()):
            yield from (one for one in get_args(base) if isinstance(one, type))


def names(kind: Kind) -> list[str]:
    """All names of a kind, in order."""
    return sorted({*_BUILT_IN[kind], *(entry.name for entry in entry_points(group=f"shoal.{kind}s"))})


def foreign(kind: Kind) -> list[str]:
    """The names that other packages brought."""
    return [name for name in names(kind) if name not in _BUILT_IN[kind]]


def parts(kind: Kind) -> list[Part]:
    """All parts of a kind, by name."""
    return [Part(kind, name, find(kind, name)) for name in names(kind)]


def find(kind: Kind, name: str) -> type[Any]:
    """The class behind a name."""
    if name in _BUILT_IN[kind]:
        module, _, attribute = _BUILT_IN[kind][name].partition(":")
        found: type[Any] = getattr(import_module(f"shoal.{module}"), attribute)
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


def part_of(kind: Kind, given: Any, noun: str, **settings: Any) -> Any:
    """A part for a pillar from its spelling, or the object itself.

    A part of another pillar is refused, one of another package is not. `settings` are for parameters that
    the spelling leaves open; those that the part does not have are passed over.
    """
    if not isinstance(given, str):
        check(kind, type(given))
        return given
    name, said = split(given)
    if name not in names(kind):
        raise BadParameter(f"no {kind} '{name}'; there is {_for(kind, noun)}")
    other = noun_of(kind, name)
    if other != noun and other in _SUBJECTS:
        raise BadParameter(
            f"'{name}' is {'an' if kind == 'attack' else 'a'} {kind} for {_SUBJECTS[other]}; for "
            f"{_SUBJECTS[noun]} there is {_for(kind, noun)}"
        )
    made = build(find(kind, name), said)
    left_open = {field.name for field in fields(made)} - {word.replace("-", "_") for word in said}
    return replace(made, **{name: value for name, value in settings.items() if name in left_open})


def parts_of(kind: Kind, given: Any, noun: str) -> list[Any]:
    """Parts for a pillar from one spelling or object, or several of them."""
    several = given if isinstance(given, list | tuple) else [] if given is None else [given]
    return [part_of(kind, part, noun) for part in several]


def noun_of(kind: Kind, part: Any) -> str:
    """The pillar that a part belongs to, given by its spelling or as an object."""
    if isinstance(part, str):
        name, _ = split(part)
        return Part(kind, name, find(kind, name)).noun
    check(kind, type(part))
    return Part(kind, part.name, type(part)).noun


def _for(kind: Kind, noun: str) -> str:
    nouns = {name: noun_of(kind, name) for name in names(kind)}
    return ", ".join(name for name, other in nouns.items() if other == noun or other not in _SUBJECTS)


def without_parameters(kind: Kind, noun: str, but: Collection[type[Any]]) -> list[Any]:
    """Parts for a pillar, and those of other packages, that need no parameters; all `but` some classes."""
    known = {f"{cls.__module__}:{cls.__name__}".removeprefix("shoal.") for cls in but}
    here = {name for name, place in _BUILT_IN[kind].items() if place.startswith(f"{_ROOMS[noun]}.")}
    own = [name for name in sorted(here) if _BUILT_IN[kind][name] not in known]
    found = []
    for name in [*own, *foreign(kind)]:
        with suppress(ShoalError):
            found.append(make(kind, name))
    return found


@dataclass(frozen=True)
class Catalog(Shown):
    """Every part, as `shoal catalog` shows it."""

    parts: tuple[Part, ...]

    @classmethod
    def whole(cls) -> Catalog:
        """All parts of all kinds."""
        return cls(tuple(part for kind in KINDS for part in parts(kind)))

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
