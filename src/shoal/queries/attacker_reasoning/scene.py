"""What an attack on questions looks at: somebody who answers, and all that an attacker holds besides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.outcome import SHOWN, Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.secret import Floats, Secret
from shoal.queries.endpoints.people import People

Places = NDArray[np.int64]
BUDGET = "private(epsilon=1)"  # what stops whoever can only ask


@dataclass(frozen=True, eq=False)
class Scene:
    """Somebody who answers, and what an attacker, or the steward who plays one, holds besides.

    `people` are the steward's rows. They tell right from wrong, and who there is to be asked about; attackers
    know whom they are after and what these people tell everybody (`known`), and never look at a secret.
    """

    talk: Conversation
    people: People
    secret: Secret | None = None
    known: tuple[str, ...] = ()  # columns that everybody may know of a person
    population: pl.DataFrame | None = None  # people like those in the data, who are not in it
    release: pl.DataFrame | None = None  # a synthetic table made of the data
    # Somebody who answers in the same way about other people; None where that cannot be chosen.
    reopen: Callable[[People], Conversation] | None = None
    loss: Fraction | None = None  # the ε that who answers promises about a secret
    shown: int = SHOWN
    seed: int | None = None

    def about(self) -> Secret:
        """The secret, which somebody must have named."""
        if self.secret is None:
            raise BadParameter("what is the secret? Name it, as in --secret diagnosis=HIV or --secret income")
        return self.secret

    def yes_or_no(self, attack: str) -> Secret:
        """A secret that people have or not."""
        secret = self.about()
        if not secret.binary:
            secret.truth(self.people)  # names the value to ask for where it is a text
            raise BadParameter(
                f"{attack} is after a yes or no; name a value, as in --secret {secret.column}=VALUE"
            )
        return secret

    def chance(self, salt: int = 0) -> np.random.Generator:
        """Randomness of the attacker, replayable with a seed."""
        return generator(None if self.seed is None else self.seed + salt)

    def targets(self, number: int) -> Places:
        """People to attack: of a yes or no as many with as without, so that a blind guess is right half of
        the time, as far as there are enough; of a number anybody."""
        truth, chance = self.about().truth(self.people), self.chance()
        if not self.about().binary:
            return np.sort(chance.permutation(len(self.people))[:number])
        having, lacking = (chance.permutation(np.flatnonzero(truth == side)) for side in (1.0, 0.0))
        few = min(len(having), len(lacking), number // 2)
        if few == 0:
            raise BadParameter(
                f"everybody or nobody has {self.about().condition}; name a --secret that divides people"
            )
        return np.sort(np.concatenate((having[:few], lacking[:few])))

    def finding(
        self,
        attack: str,
        targets: Places,
        estimates: Floats,
        cure: str,
        details: dict[str, Json] | None = None,
    ) -> Finding:
        """What was achieved, from an estimate for each target; whoever has none (nan) is guessed blindly.

        When the endpoint stopped, those whom nothing was answered about are no targets.
        """
        secret = self.about()
        if self.talk.stopped:
            reached = ~np.isnan(estimates)
            targets, estimates = targets[reached], estimates[reached]
        truths = secret.truth(self.people)[targets]
        known = ~np.isnan(estimates)
        blind = secret.blind(truths) if len(truths) else 0.0
        right = secret.right(np.where(known, estimates, blind), truths)
        baseline = float(secret.right(np.full(len(truths), blind), truths).mean()) if len(truths) else 0.0
        sure = float(right[known].mean()) if known.any() else 0.0
        rate = Rate(int(right.sum()), len(targets))
        units = self.people.frame[self.people.unit]
        hit = np.flatnonzero(right & known)
        won = rate.interval[0] > baseline
        told: list[dict[str, Json]] = [
            {
                "who": {self.people.unit: str(units[int(targets[place])])},
                "learned": secret.told(float(estimates[place])),
                "confidence": sure,
            }
            for place in (hit[: self.shown or len(hit)] if won else ())
        ]
        figures: dict[str, Json] = dict(details or {})
        if self.loss is not None and secret.binary:
            # Of two people who are as likely, nobody tells the right one more often.
            figures["most_that_epsilon_allows"] = 1 / (1 + math.exp(-float(self.loss)))
        return Finding(
            attack=attack,
            rate=rate,
            baseline=baseline,
            findings=tuple(told),
            cure=cure if won else f"nothing to cure: {attack} is right about as often as a blind guess",
            remedy=BUDGET,
            details={**figures, **self.talk.to_json()},
        )
