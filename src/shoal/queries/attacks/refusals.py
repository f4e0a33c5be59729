"""What a refusal tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Places, Scene
from shoal.queries.attacker_reasoning.secret import Floats
from shoal.queries.endpoints.question import Question, literal, name


@dataclass(frozen=True)
class Refusals(Attack[Scene]):
    """Reads an auditor's refusals: whoever refuses because of the answer has answered.

    Of a yes or no: of two people, one has it or the auditor refuses, because 0 or 2 would tell both. So each
    refusal says that two people are alike, a chain of pairs leaves two possibilities for all of them, and one
    more count decides between them. Of a number: where the maximum of three people is told, and those of
    two of them but once, the one who was left out when it was refused has the maximum.

    Kenthapadi, Mishra, Nissim, "Simulatable auditing", 2005; for yes and no Kleinberg, Papadimitriou,
    Raghavan, "Auditing boolean attributes", 2000.
    """

    name: ClassVar[str] = "refusals"
    example: ClassVar[str] = "targets=4"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "disclosure of information"

    targets: int = 50

    def __post_init__(self) -> None:
        whole(self, targets=3)

    def attack(self, scene: Scene) -> Finding:
        """Whose secret refusals tell."""
        places = scene.targets(self.targets)
        estimates = np.full(len(places), np.nan)
        if scene.about().binary:
            told = _pairs(scene, places, estimates)
        else:
            told = _triples(scene, places, estimates)
        return scene.finding(
            self.name,
            places,
            estimates,
            "refusals that depend on the questions and never on the answers, or better: noise with a budget",
            {"refusals_that_told": told},
        )


def _pairs(scene: Scene, places: Places, estimates: Floats) -> int:
    """A chain of people: each is like the one before (refused), or not (exactly one has it)."""
    scene.talk.plan(len(places))
    alike, refused = [True], 0
    for one, other in zip(places[:-1], places[1:], strict=True):
        answer = scene.talk.ask(scene.about().question(_among(scene, np.array([one, other]))))
        if answer is not None and round(answer) != 1:
            return 0  # it answers 0 and 2 as well: a refusal has other reasons
        if scene.talk.exhausted or scene.talk.stopped:
            break
        refused += answer is None
        alike.append(answer is None)
    if not refused or refused == len(alike) - 1:
        return 0  # refusing everything, or nothing, tells nothing
    # The first has it, or has not. A group in which the two differ, and with no pair inside, decides.
    values = np.logical_xor.accumulate(~np.array(alike))
    apart = np.arange(0, len(values), 2)
    most = values[apart].sum() * 2 >= len(apart)
    group = np.concatenate((apart[values[apart] == most], apart[values[apart] != most][:1]))
    answer = scene.talk.ask(scene.about().question(_among(scene, places[group])))
    if answer is None:
        return 0
    right = abs(values[group].sum() - answer) <= abs((~values[group]).sum() - answer)
    estimates[: len(values)] = (values if right else ~values).astype(np.float64)
    return refused


def _triples(scene: Scene, places: Places, estimates: Floats) -> int:
    """Of three people the one has the maximum without whom the question is refused."""
    scene.talk.plan(4 * (len(places) // 3))
    refused = 0
    for at in range(0, len(places) - 2, 3):
        three = places[at : at + 3]
        most = scene.talk.ask(Question(_among(scene, three), "max", scene.about().column))
        if most is None:
            continue
        answers = [
            scene.talk.ask(Question(_among(scene, np.delete(three, left)), "max", scene.about().column))
            for left in range(3)
        ]
        if answers.count(None) == 1 and not (scene.talk.exhausted or scene.talk.stopped):
            estimates[at + answers.index(None)] = most
            refused += 1
    return refused


def _among(scene: Scene, places: Places) -> str:
    units = scene.people.frame[scene.people.unit]
    return f"{name(scene.people.unit)} IN ({', '.join(literal(units[int(place)]) for place in places)})"
