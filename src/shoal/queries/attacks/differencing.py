"""Everybody, less everybody but one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.endpoints.question import negated


@dataclass(frozen=True)
class Differencing(Attack[Scene]):
    """Asks about everybody, and about everybody but one: the difference is that one person.

    Both questions are about large groups, so a rule against small ones does not see it. `targets` people are
    attacked with one question each and one for all of them together. Against a sample, only those who were
    drawn make a difference.

    Dobkin, Jones, Lipton, "Secure databases: protection against user influence", 1979; the example of the
    HIV status, Dwork, "A firm foundation for private data analysis", 2011.
    """

    name: ClassVar[str] = "differencing"
    example: ClassVar[str] = "targets=4"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "disclosure of information"

    targets: int = 50

    def __post_init__(self) -> None:
        whole(self, targets=2)

    def attack(self, scene: Scene) -> Finding:
        """Whose secret two answers tell."""
        secret, people, talk = scene.about(), scene.people, scene.talk
        places = scene.targets(self.targets)
        talk.plan(len(places) + 1)
        everybody = talk.ask(secret.question())
        estimates = np.full(len(places), np.nan)
        for at, place in enumerate(places.tolist()):
            if everybody is None:
                break
            who = people.who(people.frame[people.unit][place])
            others = talk.ask(secret.question(negated(who)))
            if others is not None:
                estimates[at] = everybody - others
        return scene.finding(
            self.name,
            places,
            estimates,
            "a budget: noise on every answer, as much as one person can change, and an end to questions",
        )
