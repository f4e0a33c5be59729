"""Whether somebody is in the data at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.attributes import attributes_of
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.scene import BUDGET, Scene
from shoal.queries.attacker_reasoning.secret import Floats
from shoal.queries.attacks.membership.scores import Coded, closeness, inner_product, log_density
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.question import Question

Score = Literal["auto", "answers", "distance", "density"]
Sides = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]  # in the data, not in it, others like them
MOST_ROWS = 50_000  # of a table that people are compared with: a copy that is not looked at is missed
MANY_VALUES = 200  # of a column of texts; beyond, it is a name


@dataclass(frozen=True)
class Membership(Attack[Scene]):
    """Tells people who are in the data from people who are not, by what the data answer.

    `score=answers` asks how many have each of up to `attributes` values, and scores people by how far they
    lean to where the answers lean away from the population. Against a synthetic table (`--release`)
    `score=distance` is the distance to its closest row, and `score=density` how much denser it is around
    a person than the population is. Half of the targets are in the data, and those who score above the median
    are taken for these; `auc` does not depend on that choice. Where the endpoint can be opened anew, `people`
    are in the data and as many are not; else the data are as they are, and `--population` has the others.

    Homer et al., "Resolving individuals contributing trace amounts of DNA to highly complex mixtures", 2008;
    Dwork et al., "Robust traceability from trace amounts", 2015; against synthetic tables van Breugel et al.,
    "Membership inference attacks against synthetic data through overfitting detection" (DOMIAS), 2023.
    """

    name: ClassVar[str] = "membership"
    example: ClassVar[str] = "people=4,attributes=3"
    needs: ClassVar[tuple[Need, ...]] = ("known",)
    threat: ClassVar[Threat] = "detectability"

    score: Score = "auto"
    people: int = 50
    attributes: int = 200

    def __post_init__(self) -> None:
        whole(self, people=2, attributes=1)
        if self.score not in ("auto", "answers", "distance", "density"):
            raise BadParameter(f"no score '{self.score}'; there is auto, answers, distance and density")

    def attack(self, scene: Scene) -> Finding:
        """How many are told apart rightly."""
        released = scene.release is not None
        score = ("density" if released else "answers") if self.score == "auto" else self.score
        if score != "answers" and not released:
            raise BadParameter(f"score={score} looks at a synthetic table; give --release FILE")
        inside, outside, others = self._sides(scene, score == "answers")
        if score == "answers":
            scores, details = self._by_answers(scene, inside, outside, others)
        else:
            scores, details = self._by_table(scene, inside, outside, others, score)
        return self._found(scene, inside, outside, scores, {"score": score, **details})

    def _sides(self, scene: Scene, anew: bool) -> Sides:
        """People in the data, people who are not, and others like them of whom the attacker knows."""
        chance, frame = scene.chance(), scene.people.frame
        shuffled = frame[chance.permutation(frame.height)]
        if scene.population is None:
            if not (anew and scene.reopen is not None):
                raise BadParameter(
                    "who is not in the data? Give people like them with --population FILE, of which half are "
                    "attacked and half are what the attacker knows"
                )
            half = min(self.people, frame.height // 3)
            if half < 2:
                raise BadParameter(f"{frame.height} people are too few to be told apart; give six or more")
            return shuffled[:half], shuffled[half : 2 * half], shuffled[2 * half :]
        strangers = scene.population[chance.permutation(scene.population.height)]
        half = min(self.people, frame.height, strangers.height // 2)
        if half < 2:
            raise BadParameter("the population has fewer than four people; give more to compare with")
        return shuffled[:half], strangers[:half], strangers[half:]

    def _by_answers(
        self, scene: Scene, inside: pl.DataFrame, outside: pl.DataFrame, others: pl.DataFrame
    ) -> tuple[Floats, dict[str, Json]]:
        if scene.reopen is None:
            return _asked(scene, scene.talk, scene.people, self.attributes, (inside, outside, others))
        data = People(scene.people.table, inside)
        talk = scene.reopen(data)
        try:
            return _asked(scene, talk, data, self.attributes, (inside, outside, others))
        finally:
            talk.close()

    def _by_table(
        self, scene: Scene, inside: pl.DataFrame, outside: pl.DataFrame, others: pl.DataFrame, score: str
    ) -> tuple[Floats, dict[str, Json]]:
        assert scene.release is not None
        shared = [one for one in scene.known if one in scene.release.columns and one in others.columns]
        if not shared:
            raise BadParameter("the synthetic table has no column in common with --known; check its names")
        numbers = [one for one in shared if scene.people.column(one).kind in ("integer", "number")]
        texts = [one for one in shared if one not in numbers and others[one].n_unique() <= MANY_VALUES]
        chance = scene.chance(1)
        rows, reference = (
            frame[chance.permutation(frame.height)[:MOST_ROWS]].select(*numbers, *texts)
            for frame in (scene.release, others)
        )
        targets = pl.concat(
            [inside.select(*numbers, *texts), outside.select(*numbers, *texts)], how="vertical_relaxed"
        )
        people, released, usual = Coded.several(
            [targets, rows.cast(targets.schema), reference.cast(targets.schema)], numbers, texts
        )
        scores = closeness(people, released)
        if score == "density":
            scores = log_density(people, released) - log_density(people, usual)
        return scores, {"columns": [*numbers, *texts], "rows": scene.release.height}

    def _found(
        self,
        scene: Scene,
        inside: pl.DataFrame,
        outside: pl.DataFrame,
        scores: Floats,
        details: dict[str, Json],
    ) -> Finding:
        truth = np.arange(len(scores)) < len(inside)
        # Ties are broken by a coin: equal scores tell nothing.
        order = np.lexsort((scene.chance(2).random(len(scores)), scores))
        guess = np.zeros(len(scores), np.bool_)
        guess[order[len(outside) :]] = True
        right = guess == truth
        rate = Rate(int(right.sum()), len(scores))
        hits = np.flatnonzero(right & truth) if rate.interval[0] > 0.5 else np.empty(0, np.int64)
        unit, sure = scene.people.unit, float(truth[guess].mean())
        told: list[dict[str, Json]] = [
            {
                "who": {unit: str(inside[unit][int(hit)])},
                "learned": {"in the data": "yes"},
                "confidence": sure,
            }
            for hit in hits[: scene.shown or len(hits)]
        ]
        won = rate.interval[0] > 0.5
        cure = (
            "a synthetic table that is made with differential privacy"
            if scene.release is not None
            else "a budget: noise on every count, shared by all that are asked"
        )
        figures: dict[str, Json] = {
            **details,
            "auc": _area(scores[truth], scores[~truth]),
            "found_at_5_percent_false_alarms": float(
                (scores[truth] > np.quantile(scores[~truth], 0.95)).mean()
            ),
        }
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=0.5,
            findings=tuple(told),
            cure=cure if won else "nothing to cure: people in the data look like people who are not",
            remedy=None if scene.release is not None else BUDGET,
            details=figures,
        )


def _asked(
    scene: Scene, talk: Conversation, data: People, most: int, sides: Sides
) -> tuple[Floats, dict[str, Json]]:
    """Everybody's score by what is answered about the data."""
    inside, outside, others = sides
    asked = attributes_of(others, inside, scene.known, data.table, most)
    if not asked:
        raise BadParameter("there is nothing to count; name columns that people differ in with --known")
    talk.plan(len(asked) + 1)
    size = talk.ask(Question()) or float(len(data))
    answers = np.array([np.nan if (one := talk.ask(a.question)) is None else one for a in asked])
    heard = ~np.isnan(answers)
    scores = np.zeros(len(inside) + len(outside))
    if heard.any():
        people, usual = (
            np.array([one.of(frame) for one in asked], np.float64)[heard].T
            for frame in (pl.concat([inside.select(scene.known), outside.select(scene.known)]), others)
        )
        shares = np.clip(answers[heard] / max(size, 1.0), -1, 2)
        scores = inner_product(people, shares, usual.mean(axis=0), len(others))
    return scores, {"attributes": int(heard.sum()), "people_in_the_data": len(data), **talk.to_json()}


def _area(inside: Floats, outside: Floats) -> float:
    """The chance that somebody in the data scores above somebody who is not."""
    gap = inside[:, None] - outside[None, :]
    return float(((gap > 0) + 0.5 * (gap == 0)).mean())
