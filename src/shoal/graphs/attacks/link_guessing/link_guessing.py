"""Somebody who tells added edges from true ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.appraisal.anonymity import Anonymity
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.link_guessing.learnt_scorer import LearntScorer
from shoal.graphs.attacks.link_guessing.same_people import anchors_of, area_among_the_same_people
from shoal.graphs.attacks.link_guessing.scores import (
    Float64,
    Space,
    area_under_curve,
    codes,
    missing_pairs,
    pairs_of_codes,
    scores_of,
)
from shoal.graphs.graph import Edges, Graph, Int64

Predictor = Literal[
    "all",
    "common-neighbours",
    "jaccard",
    "adamic-adar",
    "preferential",
    "hubs",
    "largest-degree",
    "spectral",
    "learnt",
]
PREDICTORS: tuple[str, ...] = get_args(Predictor)[1:]


@dataclass(frozen=True)
class LinkGuessing(Attack[Scene]):
    """Tells the edges that a method added from true ones, and finds those that it took away.

    Friends have friends in common; partners of an added edge often do not. Every edge of the release gets a
    score: the number of friends in common, the same over all friends (`jaccard`), rare friends in common
    counted more (`adamic-adar`), the product of both degrees (`preferential`), the same turned around, as
    methods add edges to hubs (`hubs`), or the larger degree alone (`largest-degree`), what the 16 strongest
    directions of the network say (`spectral`), and a logistic regression over these that learns from edges
    and missing pairs of the release (`learnt`).

    As many edges as were added, those with the lowest scores, are taken for added; how many that is, no
    manifest tells, but the attacker is given it. A hit is an added edge among them; without `predictor` the
    best one is told, and the interval allows for the choice. Taking them away again leaves a network whose
    degrees are nearer to the true ones: `k_left` is its level of k-degree, and `edges_wrong_cleaned` how many
    edges are still wrong in it. `strongest` is the predictor that tells most, turned around where that is
    better; `auc_among_edges_of_the_same_people` compares added edges with true ones of the same hubs.
    Where nothing was added, as many removed pairs as missing ones are mixed, and half of them is named.

    Liben-Nowell and Kleinberg, "The link prediction problem for social networks", 2003; Ying and Wu, "On link
    privacy in randomizing social networks", 2009.
    """

    name: ClassVar[str] = "link-guessing"
    needs: ClassVar[tuple[Need, ...]] = ("original", "truth")
    threat: ClassVar[Threat] = "disclosure of information"

    counts: ClassVar[str] = "changed edges"

    predictor: Predictor = "all"

    def __post_init__(self) -> None:
        if self.predictor not in get_args(Predictor):
            raise BadParameter(
                f"link-guessing(predictor={self.predictor}) is unknown; give one of {', '.join(PREDICTORS)}, "
                "or all"
            )

    def inapplicable(self, scene: Scene) -> str:
        """A method that changes no edge leaves nothing to tell."""
        return "" if scene.adds or scene.removes else "the method changes no edge"

    def attack(self, scene: Scene) -> Finding:
        """Which edges were added, as far as the network itself tells."""
        chance = generator(scene.seed)
        guess = Guess.of(scene, PREDICTORS if self.predictor == "all" else (self.predictor,), chance)
        adding = guess.added.any() or not len(guess.removed)
        told = guess.edges if adding else guess.gaps
        changed = guess.added if adding else guess.taken
        least = {
            # Ties are broken at random: many pairs have no friend in common.
            word: np.lexsort((chance.random(len(score)), score if adding else -score))[: changed.sum()]
            for word, score in told.items()
        }
        hits = {word: int(changed[chosen].sum()) for word, chosen in least.items()}
        best = max(hits, key=lambda word: hits[word])
        rate = Rate(hits[best], int(changed.sum()), len(hits))
        pairs = guess.pairs if adding else guess.gap_pairs
        right = least[best][changed[least[best]]]
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=float(changed.mean()) if len(changed) else 0.0,
            findings=tuple(_told(scene, pairs, right, "added" if adding else "removed", rate.value)),
            cure=(
                "supergraph(partners=alike) hides which edges of a hub were added, not that some were; no "
                "promise about degrees stops it, but "
                "edge-differential-privacy bounds what one edge tells, and groups (k-grouping) have no edges "
                "of people"
                if rate.hits
                else "nothing to cure: no changed edge was told from the others"
            ),
            details={
                "best_predictor": best,
                "added": int(guess.added.sum()),
                "removed": len(guess.removed),
                "auc": {
                    word: area_under_curve(*_parts(score, guess.added)) for word, score in guess.edges.items()
                },
                "strongest": _strongest(guess),
                "auc_among_edges_of_the_same_people": {
                    word: area_among_the_same_people(scene.graph.nodes, guess.pairs, guess.added, score)
                    for word, score in guess.edges.items()
                },
                "auc_of_true_edges_of_the_same_people": _like_true(guess, scene.graph.nodes, chance),
                "auc_removed": {
                    word: area_under_curve(*_parts(score, ~guess.taken)) for word, score in guess.gaps.items()
                },
                **(_cleaned(scene, guess, least[best]) if adding else {}),
            },
        )


@dataclass(frozen=True, eq=False)
class Guess:
    """Scores of all edges of a release, and of pairs that are none: those removed and some others."""

    pairs: Edges
    added: np.ndarray[tuple[int], np.dtype[np.bool_]]  # per edge of the release
    edges: dict[str, Float64]
    removed: Int64  # pairs by number
    gap_pairs: Edges
    taken: np.ndarray[tuple[int], np.dtype[np.bool_]]  # per such pair, whether it was removed
    gaps: dict[str, Float64]

    @classmethod
    def of(cls, scene: Scene, predictors: tuple[str, ...], chance: np.random.Generator) -> Guess:
        graph, true = scene.graph.undirected(), _true_pairs(scene)
        pairs = graph.edge_list()
        seen = codes(graph.nodes, pairs.sources, pairs.targets)
        removed = np.setdiff1d(true, seen)
        others = missing_pairs(graph, len(removed), chance)
        free = np.setdiff1d(codes(graph.nodes, others.sources, others.targets), removed)
        gap_pairs = pairs_of_codes(graph.nodes, np.concatenate((removed, free)))
        space = Space.of(graph, chance)
        learnt = LearntScorer.of(graph, chance) if "learnt" in predictors else None
        edges, gaps = (
            _chosen(scores_of(graph, these, there, space), learnt, predictors)
            for these, there in ((pairs, True), (gap_pairs, False))
        )
        taken = np.arange(len(gap_pairs)) < len(removed)
        return cls(pairs, ~np.isin(seen, true), edges, removed, gap_pairs, taken, gaps)


def _chosen(
    scores: dict[str, Float64], learnt: LearntScorer | None, predictors: tuple[str, ...]
) -> dict[str, Float64]:
    scores = {**scores, "hubs": -scores["preferential"], "largest-degree": -scores["largest"]}
    if learnt is not None:
        scores["learnt"] = learnt.scores(scores)
    return {word: scores[word] for word in predictors}


def _true_pairs(scene: Scene) -> Int64:
    """Edges of the original, by their nodes in the release; people who are not in it are left out."""
    assert scene.original is not None
    original = scene.original.undirected()
    places = scene.places(scene.original)
    if places is None:
        raise BadParameter("link-guessing needs to know who is who; give --truth FILE")
    ends = original.edge_list()
    one, other = places[ends.sources], places[ends.targets]
    both = (one >= 0) & (other >= 0)
    return np.unique(codes(scene.graph.nodes, one[both], other[both]))


def _parts(score: Float64, low: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Float64, Float64]:
    return score[~low], score[low]


def _like_true(guess: Guess, nodes: int, chance: np.random.Generator) -> dict[str, Json]:
    """What the predictors would see if added edges were true edges of the same people.

    Per added edge the end with more of them (whoever lacked friends) keeps it, and one of that person's true
    edges stands for it. A method that only chooses partners well comes about this far.
    """
    sources, targets = guess.pairs.sources.astype(np.int64), guess.pairs.targets.astype(np.int64)
    keeps = anchors_of(nodes, guess.pairs, guess.added)[guess.added]
    true = np.flatnonzero(~guess.added)
    ends = np.concatenate((sources[true], targets[true]))
    order = np.argsort(ends, kind="stable")
    starts, number = np.searchsorted(ends[order], keeps), np.bincount(ends, minlength=nodes)[keeps]
    some = number > 0
    drawn = starts[some] + (chance.random(int(some.sum())) * number[some]).astype(np.int64)
    chosen = np.concatenate((true, true))[order][drawn]
    return {word: area_under_curve(score[~guess.added], score[chosen]) for word, score in guess.edges.items()}


def _strongest(guess: Guess) -> Json:
    """The predictor that tells most; one that is mostly wrong tells as much, turned around."""
    found = {word: area_under_curve(*_parts(score, guess.added)) for word, score in guess.edges.items()}
    both = {word: max(area, 1 - area) for word, area in found.items() if area is not None}
    best = max(both, key=lambda word: both[word], default=None)
    return None if best is None else {"predictor": best, "auc": both[best]}


def _cleaned(scene: Scene, guess: Guess, dropped: Int64) -> dict[str, Json]:
    """What is left of k, and of all changes, when the edges that look added are taken away again."""
    assert scene.original is not None
    graph, pairs = scene.graph.undirected(), guess.pairs
    cleaned = graph.with_edges(removed=Edges(pairs.sources[dropped], pairs.targets[dropped]))
    places, true = scene.places(scene.original), scene.original.undirected().degrees
    assert places is not None
    told: dict[str, Json] = {
        "k_released": Anonymity.of(graph.degrees).level,
        "k_left": Anonymity.of(cleaned.degrees).level,
        "edges_wrong_released": int(guess.added.sum()) + len(guess.removed),
        "edges_wrong_cleaned": int(
            guess.added.sum() + (~guess.added)[dropped].sum() - guess.added[dropped].sum()
        )
        + len(guess.removed),
    }
    for word, made in (("released", graph), ("cleaned", cleaned)):
        told[f"alone_with_their_true_degree_{word}"] = _alone(made, places, true)
    return told


def _alone(graph: Graph, places: Int64, true: Int64) -> int:
    """People who are the only node with as many friends as they really have."""
    here = places >= 0
    seen = graph.degrees[places[here]]
    return int(((seen == true[here]) & (np.bincount(graph.degrees, minlength=1)[seen] == 1)).sum())


def _told(scene: Scene, pairs: Edges, hit: Int64, what: str, sure: float) -> list[dict[str, Json]]:
    return [
        {
            "who": scene.who(one),
            "learned": {what: _called(scene, other)},
            "confidence": sure,
        }
        for one, other in zip(
            pairs.sources[hit[: scene.shown or None]].tolist(),
            pairs.targets[hit[: scene.shown or None]].tolist(),
            strict=True,
        )
    ]


def _called(scene: Scene, node: int) -> str:
    return str(next(iter(scene.who(node).values())))
