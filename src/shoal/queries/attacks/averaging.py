"""The same question, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.endpoints.question import both, literal, name


@dataclass(frozen=True)
class Averaging(Attack[Scene]):
    """Asks one question many times and takes the average: noise with mean zero goes away.

    The question is about one person. With `vary` each time is worded differently (an impossible name is
    excluded as well), so that an archive that gives the same answer to the same words does not help; noise
    that is drawn from the words is averaged away, too. The error falls with the root of `repeats`.

    Adam, Wortmann, "Security-control methods for statistical databases: a comparative study", 1989; Dwork,
    "A firm foundation for private data analysis", 2011.
    """

    name: ClassVar[str] = "averaging"
    example: ClassVar[str] = "targets=2,repeats=3"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "disclosure of information"

    targets: int = 10
    repeats: int = 100
    vary: bool = True

    def __post_init__(self) -> None:
        whole(self, targets=2, repeats=1)

    def attack(self, scene: Scene) -> Finding:
        """Whose secret the average tells."""
        secret, people, talk = scene.about(), scene.people, scene.talk
        places = scene.targets(self.targets)
        talk.plan(len(places) * self.repeats)
        units = people.frame[people.unit]
        estimates, spreads = np.full(len(places), np.nan), []
        for at, place in enumerate(places.tolist()):
            answers = []
            for turn in range(self.repeats):
                nobody = str(-1 - turn) if units.dtype.is_integer() else literal(f"nobody {turn}")
                words = f"{name(people.unit)} <> {nobody}" if self.vary else ""
                answer = talk.ask(secret.question(both(people.who(units[place]), words)))
                if answer is not None:
                    answers.append(answer)
            # Whoever was asked about half as often when it stopped is still told of.
            if answers:
                estimates[at] = float(np.mean(answers))
                spreads.append(float(np.std(answers)))
        return scene.finding(
            self.name,
            places,
            estimates,
            "a budget: each time costs, so that a hundred answers together tell no more than one could",
            {
                "repeats": self.repeats,
                "spread_of_one_answer": float(np.mean(spreads)) if spreads else None,
                "spread_of_the_average": float(np.mean(spreads)) / self.repeats**0.5 if spreads else None,
            },
        )
