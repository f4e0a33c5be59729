"""Something that means nothing by itself, and everything with the answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.attributes import Attribute, attributes_of
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.scene import Places, Scene
from shoal.queries.attacks.auxiliary_information.extractor import (
    WIDTH,
    Bits,
    Integers,
    bits_of,
    extract,
    mend,
    number_of,
    sketch,
)
from shoal.queries.endpoints.people import People

SLACK = 40  # bits of entropy beyond the length of the breach: the pad is within 2^-20 of uniform


@dataclass(frozen=True)
class AuxiliaryInformation(Attack[Scene]):
    """Plays the impossibility proof: a breach, padded with randomness that is extracted from the answers.

    Whoever made the auxiliary information knows the data; it is a seed and the person's secret, hidden by a
    one-time pad that a strong extractor makes of the true answers to `questions` counts. The adversary asks
    them and reads the secret. The simulator has the same information and knows how such data look (it draws
    people anew from them), but has no access: its rate, or the best blind guess, is the baseline. `tolerance`
    is how far answers may be off (a fuzzy extractor). `not_in_the_data` is the same attack on people who were
    taken out of the data before: that they are in it makes no difference.

    Dwork, Naor, "On the difficulties of disclosure prevention in statistical databases", 2010; Dwork 2006.
    """

    name: ClassVar[str] = "auxiliary-information"
    example: ClassVar[str] = "targets=3,questions=4"
    needs: ClassVar[tuple[Need, ...]] = ("known",)
    threat: ClassVar[Threat] = "disclosure of information"

    targets: int = 50
    questions: int = 24
    tolerance: int = 0

    def __post_init__(self) -> None:
        whole(self, targets=1, questions=1, tolerance=0)

    def attack(self, scene: Scene) -> Finding:
        """How often the secret is read, with access and without."""
        people, column = scene.people, scene.about().column
        asked = attributes_of(people.frame, people.frame, scene.known, people.table, self.questions)
        if not asked:
            raise BadParameter("there is nothing to count; name columns that people differ in with --known")
        values = people.frame[column].drop_nulls().unique().sort()
        chance = scene.chance()
        places = np.sort(chance.permutation(people.frame[column].is_not_null().arg_true().to_numpy()))
        places = places[np.sort(chance.permutation(len(places))[: self.targets])]
        length = max(8, math.ceil(math.log2(max(2, len(values)))))
        secrets = people.frame[column][places.tolist()]
        indexes = np.array([int(values.search_sorted(value)) for value in secrets], np.int64)
        game = _Game(asked, self.tolerance, length, chance)
        read = game.play(people, scene.talk, indexes)
        blind = int(np.bincount(indexes).argmax())
        simulated = game.play(_drawn_anew(people, chance), None, indexes, game.exact(people))
        # What is read and stands for nothing is noise: then one guesses blindly.
        simulator, adversary = (
            np.full(len(places), blind) if found is None else np.where(found < len(values), found, blind)
            for found in (simulated, read)
        )
        right = adversary == indexes
        rates = [float((simulator == indexes).mean()), float((indexes == blind).mean())]
        details: dict[str, Json] = {
            "simulator": rates[0],
            "bits_of_the_breach": length,
            "bits_of_entropy": round(game.entropy(people), 1),
            "bits_needed": length + SLACK,
            **self._outside(scene, places, indexes, game, blind),
            **scene.talk.to_json(),
        }
        hits = np.flatnonzero(right)
        units = people.frame[people.unit]
        told: list[dict[str, Json]] = [
            {
                "who": {people.unit: str(units[int(places[hit])])},
                "learned": {column: str(secrets[int(hit)])},
                "confidence": float(right.mean()),
            }
            for hit in (hits[: scene.shown or len(hits)] if read is not None else ())
        ]
        return Finding(
            attack=self.name,
            rate=Rate(int(right.sum()), len(places)),
            baseline=max(rates),
            findings=tuple(told),
            cure="none: with the right information beside it, any useful answer breaches somebody, in the "
            "data or not; differential privacy promises that being in the data adds next to nothing to that",
            details=details,
        )

    def _outside(
        self, scene: Scene, places: Places, indexes: Integers, game: _Game, blind: int
    ) -> dict[str, Json]:
        """The same attack on the same people after they were taken out of the data."""
        if scene.reopen is None or len(scene.people) <= 2 * len(places):
            return {}
        rest = scene.people.rows(np.setdiff1d(np.arange(len(scene.people)), places))
        talk = scene.reopen(rest)
        try:
            read = game.play(rest, talk, indexes)
        finally:
            talk.close()
        found = np.full(len(places), blind) if read is None else np.where(read <= indexes.max(), read, blind)
        return {"not_in_the_data": float((found == indexes).mean())}


@dataclass
class _Game:
    """The questions, and what is done with their answers."""

    asked: list[Attribute]
    tolerance: int
    length: int
    chance: np.random.Generator

    def exact(self, people: People) -> Integers:
        """The utility vector: what can be learned."""
        return np.array([int(one.of(people.frame).sum()) for one in self.asked], np.int64)

    def play(
        self, people: People, talk: Conversation | None, breaches: Integers, true: Integers | None = None
    ) -> Integers | None:
        """What is read from the information about each person; None where answers are missing.

        With somebody to ask, the answers are theirs; else they are those of the people given, and the
        information was made from the `true` ones.
        """
        vector = self.exact(people)
        made = vector if true is None else true
        offsets = sketch(made, self.tolerance)
        if talk is not None:
            talk.plan(len(self.asked))
            answers = [talk.ask(one.question) for one in self.asked]
            if None in answers:
                return None
            vector = np.rint([answer for answer in answers if answer is not None]).astype(np.int64)
        seen = mend(vector, offsets, self.tolerance)
        return np.array([self._read(made, seen, breach) for breach in breaches.tolist()], np.int64)

    def _read(self, made: Integers, seen: Integers, breach: int) -> int:
        source = bits_of(made)
        seed: Bits = self.chance.integers(0, 2, len(source) + self.length - 1).astype(np.uint8)
        secret = bits_of(np.array([breach]), self.length)
        padded = secret ^ extract(source, seed, self.length)  # (seed, padded) is all that is given away
        return number_of(padded ^ extract(bits_of(seen), seed, self.length))

    def entropy(self, people: People) -> float:
        """Min-entropy of the answers for whoever knows how such people look: as of a normal law, about."""
        drawn = np.array([one.of(people.frame) for one in self.asked], np.float64)
        spread = np.atleast_2d(np.cov(drawn)) * len(people)
        cell = 2 * self.tolerance + 1
        values = np.linalg.eigvalsh(spread)
        heights = 0.5 * np.log2(np.maximum(2 * math.pi * values / cell**2, 1.0))
        return float(min(heights.sum(), WIDTH * len(self.asked)))


def _drawn_anew(people: People, chance: np.random.Generator) -> People:
    """As many people drawn from the same law: what somebody without access can know."""
    picked = chance.integers(0, len(people), len(people))
    frame: pl.DataFrame = people.frame[picked]
    return People(people.table, frame)
