"""What a refusal tells."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Places, Scene
from shoal.queries.attacker_reasoning.secret import Floats
from shoal.queries.endpoints.question import Question, literal, name


@dataclass(frozen=True)
class Refusals(Attack[Scene]):
    """Reads an auditor's refusals: whoever refuses because of the answer has answered.

    Of a yes or no: of two people, exactly one has it, or the auditor refuses, because 0 or 2 would tell both.
    So each refusal says that two people are alike, a chain of pairs leaves two possibilities for all of them,
    and one more count decides between them. An auditor that knows nothing of yes and no answers 0 and 2,
    which does the same. Of a number: of three people whose maximum is told, the one has it without whom the
    maximum is refused.

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
    """A chain of people: each is like the one before (refused, or 0, or 2), or not (exactly one has it)."""
    scene.talk.plan(len(places))
    alike, told = [True], 0
    first: bool | None = None  # whether the first of the chain has it
    for one, other in itertools.pairwise(places.tolist()):
        answer = scene.talk.ask(scene.about().question(_among(scene, np.array([one, other]))))
        if answer is not None and answer not in (0, 1, 2):
            return 0  # there is noise on it: what is refused has other reasons
        if scene.talk.exhausted or scene.talk.stopped:
            break
        alike.append(answer != 1)
        told += answer is None
        if answer in (0, 2):
            first = (answer == 2) ^ bool(np.logical_xor.reduce(~np.array(alike)))
    values = np.logical_xor.accumulate(~np.array(alike))
    if first is None:
        if not told or told == len(alike) - 1:
            return 0  # refusing everything, or nothing, tells nothing
        first = _decided(scene, places, values)
    if first is not None:
        estimates[: len(values)] = (values ^ first).astype(np.float64)
    return told


def _decided(scene: Scene, places: Places, values: NDArray[np.bool_]) -> bool | None:
    """Whether the first has it, by a group in which both possibilities differ and that has no pair inside."""
    apart = np.arange(0, len(values), 2)
    most = values[apart].sum() * 2 >= len(apart)
    group = np.concatenate((apart[values[apart] == most], apart[values[apart] != most][:1]))
    answer = scene.talk.ask(scene.about().question(_among(scene, places[group])))
    if answer is None:
        return None
    return bool(abs(values[group].sum() - answer) > abs((~values[group]).sum() - answer))


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
