"""Overly accurate answers to too many questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.attacks.reconstruction.decoders import least_squares, linear_programme
from shoal.queries.endpoints.question import literal, name

_DECODERS = {"linear-programme": linear_programme, "least-squares": least_squares}


@dataclass(frozen=True)
class Reconstruction(Attack[Scene]):
    """Asks for counts of random groups and solves for everybody at once.

    `people` are half with the secret and half without; each of `queries` questions per person is a count over
    a random half of them. Where errors stay well below the root of the number of people, nearly everybody's
    secret follows: from the linear programme that the paper solves (with the sum of errors as its aim, which
    also bears a few wild answers), or from least squares.

    Dinur, Nissim, "Revealing information while preserving privacy", 2003; Dwork, McSherry, Talwar, "The price
    of privacy and the limits of LP decoding", 2007; Dwork, Yekhanin 2008.
    """

    name: ClassVar[str] = "reconstruction"
    example: ClassVar[str] = "people=4,queries=3"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "disclosure of information"

    people: int = 60
    queries: int = 4
    decoder: Literal["linear-programme", "least-squares"] = "linear-programme"

    def __post_init__(self) -> None:
        whole(self, people=2, queries=1)
        if self.decoder not in _DECODERS:
            raise BadParameter(f"no decoder '{self.decoder}'; there is {' and '.join(_DECODERS)}")

    def attack(self, scene: Scene) -> Finding:
        """How many of the people are put together rightly."""
        secret, table, talk = scene.yes_or_no(self.name), scene.people, scene.talk
        places = scene.targets(self.people)
        units = [literal(table.frame[table.unit][place]) for place in places.tolist()]
        groups = scene.chance(1).random((self.queries * len(places), len(places))) < 0.5
        talk.plan(len(groups))
        answers = np.full(len(groups), np.nan)
        for at, group in enumerate(groups):
            among = ", ".join(unit for unit, inside in zip(units, group, strict=True) if inside)
            answer = talk.ask(secret.question(f"{name(table.unit)} IN ({among})")) if among else None
            answers[at] = np.nan if answer is None else answer
        heard = ~np.isnan(answers)
        estimates, details = np.full(len(places), np.nan), {"decoder": self.decoder}
        figures: dict[str, Json] = dict(details)
        if heard.any():
            matrix, told = groups[heard].astype(np.float64), answers[heard]
            truth = secret.truth(table)[places]
            estimates = _DECODERS[self.decoder](matrix, told)
            figures["average_error_of_the_answers"] = float(np.abs(matrix @ truth - told).mean())
            figures["root_of_the_number_of_people"] = float(len(places) ** 0.5)
            figures["right_by_least_squares"] = float(secret.right(least_squares(matrix, told), truth).mean())
        return scene.finding(
            self.name,
            places,
            estimates,
            "a budget: with errors above the root of the number of people nothing can be put together",
            figures,
        )
