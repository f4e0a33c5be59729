"""An attack with a second network: who is looked for, whom the attacker knows already, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.deadline import OutOfTime
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching.clique_seeds import clique_seeds
from shoal.graphs.matching.cosine_seeds import cosine_seeds
from shoal.graphs.matching.likelihood_matching import match_with_all_others_known
from shoal.graphs.matching.matching import NOBODY, Matching, rate
from shoal.graphs.matching.overlapping_copies import overlapping_copy
from shoal.graphs.matching.profile_seeds import profile_seeds

# Who the first people are: those of a file, some of whom the truth is known, or found by structure alone.
SeedsBy = Literal["known", "profiles", "cliques", "cosines"]
CURE = (
    "no promise about degrees stops a second network; release groups (k-grouping) or a synthetic graph "
    "(edge-differential-privacy)"
)
_BY_STRUCTURE: dict[str, Callable[[Graph, Graph], Int32]] = {
    "profiles": profile_seeds,
    "cliques": clique_seeds,
    "cosines": cosine_seeds,
}


@dataclass(frozen=True, eq=False)
class SecondNetwork:
    """People by name in a network of the attacker, beside the release that they are looked for in."""

    people: Graph
    release: Graph
    seeds: Int32  # per person, their node in the release where the attacker begins; -1 for nobody
    fixed: bool  # the attacker is sure of these
    places: Int64 | None  # the truth, per person
    drawn: float | None  # the share of edges that a network drawn from the original has

    @classmethod
    def of(cls, scene: Scene, attack: str, seeds: int, seeds_by: SeedsBy, overlap: float) -> SecondNetwork:
        """The network that is given, or one drawn from the original; and whom the attacker knows."""
        people, drawn = scene.auxiliary, None
        if people is None:
            if scene.original is None:
                raise BadParameter(
                    f"{attack} needs a second network; give one with --auxiliary FILE, or --original FILE to "
                    "draw one from it"
                )
            people, drawn = overlapping_copy(scene.original, overlap, generator(scene.seed)), overlap
        release = scene.graph
        if people.directed != release.directed:
            people, release = people.undirected(), release.undirected()
        places = scene.places(people)
        if scene.seeds is not None:
            known = np.full(people.nodes, NOBODY)
            known[scene.seeds.auxiliary] = scene.seeds.release
            return cls(people, release, known, True, places, drawn)
        if seeds_by == "known" and places is not None:
            known = _draw(people, release, places, seeds, scene.seed, attack)
            return cls(people, release, known, True, places, drawn)
        # Nobody told whom the attacker knows: then they begin with whoever stands out.
        found = _BY_STRUCTURE["profiles" if seeds_by == "known" else seeds_by](people, release)
        return cls(people, release, found, False, places, drawn)

    @property
    def asked(self) -> NDArray[np.bool_]:
        """The people who are looked for: with an edge in both networks, and not known from the start."""
        there: NDArray[np.bool_] = _with_friends(self.people)
        if self.places is not None:
            there &= (self.places >= 0) & _with_friends(self.release)[self.places]
        return np.asarray(there & ~((self.seeds != NOBODY) & self.fixed))

    def limit(self, confidence: float) -> float | None:
        """The share of people whom the attack would name rightly if it knew all others; None if nobody told.

        Whoever shares too few friends with themselves, or as many with somebody else, is never found.
        """
        if self.places is None:
            return None
        try:
            best = match_with_all_others_known(self.people, self.release, self.places, confidence)
        except OutOfTime:
            return None
        found = rate(best, self.places, self.asked)
        return found.right / max(found.people, 1)

    def finding(self, attack: str, matching: Matching, scene: Scene, limit: float | None = None) -> Finding:
        """Who was found, rightly and wrongly; `limit` is the share that can be hoped for."""
        asked = self.asked
        people = int(asked.sum())
        matched = np.flatnonzero(asked & (matching.nodes != NOBODY))
        hits, wrong, sure = len(matched), None, None
        if self.places is not None:
            score = rate(matching, self.places, asked)
            hits, wrong = score.right, score.wrong / max(people, 1)
            sure = score.right / max(score.right + score.wrong, 1)
            matched = matched[matching.nodes[matched] == self.places[matched]]
        details: dict[str, Json] = {
            "seeds": int((self.seeds != NOBODY).sum()),
            "seeds_are_known": self.fixed,
            "rounds": matching.rounds,
            "complete": matching.complete,
            "checked_against_the_truth": self.places is not None,
        }
        if self.places is not None and not self.fixed:
            first = self.seeds != NOBODY
            details["seeds_right"] = int((self.seeds[first] == self.places[first]).sum())
        if limit is not None:
            details["right_if_all_others_were_known"] = limit
        if self.drawn is not None:
            details["edges_of_the_drawn_network"] = self.drawn
        return Finding(
            attack=attack,
            rate=Rate(hits, people),
            baseline=1 / max(self.release.nodes, 1),
            findings=tuple(
                {
                    "who": scene.who(node),
                    "learned": {"node": self.release.name(node)},
                    "confidence": sure,
                }
                for node in matching.nodes[matched[: scene.shown or None]].tolist()
            ),
            cure=CURE if hits else "nothing to cure: nobody was found again",
            details=details,
            wrong=wrong,
        )


def _with_friends(graph: Graph) -> NDArray[np.bool_]:
    found = graph.degrees > 0
    return np.asarray(found | (np.bincount(graph.targets, minlength=graph.nodes) > 0))


def _draw(people: Graph, release: Graph, places: Int64, number: int, seed: int | None, attack: str) -> Int32:
    """So many people whom the attacker knows, drawn from those with friends in both networks."""
    in_both = np.flatnonzero(_with_friends(people) & (places >= 0) & _with_friends(release)[places])
    if number < 1 or number > len(in_both):
        raise BadParameter(
            f"{attack}(seeds={number}) cannot be drawn: {len(in_both):,} people have friends in both "
            "networks; give from 1 to so many"
        )
    known = np.full(people.nodes, NOBODY)
    drawn = generator(seed).choice(in_both, number, replace=False)
    known[drawn] = places[drawn]
    return known


def check_confidence(attack: str, confidence: float) -> None:
    """How sure to be is a probability that decides: above one half, and below one."""
    if not 0.5 < confidence < 1:
        raise BadParameter(
            f"{attack}(confidence={confidence:g}) is no such probability; give one above 0.5 and below 1"
        )
