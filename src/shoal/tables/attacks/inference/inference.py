"""Inference: how well a release lets one guess a column of people from their other columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.control_group import (
    NO_CONTROL,
    Contrast,
    in_both,
    outsiders,
    require,
    sample_rows,
    truth,
)
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.inference.trained_model import CannotTrain
from shoal.tables.attacks.inference.voting import Votes
from shoal.tables.model_inputs.text_values import texts

GUESSES = ("best", "vote", "trained")


@dataclass(frozen=True)
class Inference(Attack[Scene]):
    """Guesses one column of people from their other columns, by the released rows that fit them.

    There are two ways to guess. By `vote` it is the most frequent value of the rows that fit what is known of
    a person (the quasi-identifiers, unless `known` names others), or of the nearest rows if none fits. A
    `trained` model (gradient boosting, from scikit-learn) learns from all rows of the release what a group is
    likely to have. `best` tries both and tells the stronger, with an interval that allows for the choice;
    where scikit-learn is not installed it is the vote, and the finding says so. A coarse label
    counts for the values under it, in proportion to how common they are, so that a suppressed column tells no
    more than a blind guess. With a `tolerance` the column holds numbers, a guess is right when it is off by
    no more than that share of the truth, and it is the number that is right about most of the rows. The same
    is done with the control group: what is true of everybody is found out about them as well.

    Article 29 Working Party, "Opinion 05/2014 on anonymisation techniques", 2014; Giomi et al., "A unified
    framework for quantifying privacy risk in synthetic data", 2023.
    """

    name: ClassVar[str] = "inference"
    needs: ClassVar[tuple[Need, ...]] = ("original",)
    threat: ClassVar[Threat] = "disclosure of information"

    column: str | None = None
    known: tuple[str, ...] = ()
    tolerance: float = 0.0
    attempts: int = 2000
    guess: str = "best"

    def __post_init__(self) -> None:
        if self.column is not None and self.column in self.known:
            raise BadParameter(f"inference knows '{self.column}' already; leave it out of known")
        if not 0 <= self.tolerance < 1:
            raise BadParameter(f"tolerance is a share of the truth from 0 to below 1, not {self.tolerance}")
        if self.attempts < 1:
            raise BadParameter(f"attempts is how many people to try, from 1 on, not {self.attempts}")
        if self.guess not in GUESSES:
            raise BadParameter(f"inference guesses by {', '.join(GUESSES)}, not '{self.guess}'")

    def attack(self, scene: Scene) -> Finding:
        column, known = self._columns(scene)
        original = truth(scene)
        control = outsiders(scene, (column, *known), self.name)
        votes = Votes(scene, column, known, self.tolerance)
        ways, missing = self._ways(votes)
        people = sample_rows(original, self.attempts, scene.seed)
        others = None if control is None else sample_rows(control, self.attempts, scene.seed)
        inside = votes.fitting(people)
        outside = None if others is None else votes.fitting(others)
        tried: dict[str, tuple[Votes, Contrast]] = {}
        for way, guesses in ways.items():
            right = guesses.right(guesses.about(inside)[0], people[column])
            theirs = None
            if others is not None and outside is not None:
                hits = guesses.right(guesses.about(outside)[0], others[column])
                theirs = Rate(int(hits.sum()), others.height, len(ways))
            tried[way] = guesses, Contrast(Rate(int(right.sum()), people.height, len(ways)), theirs)
        way = max(tried, key=lambda one: _strength(tried[one][1]))
        guesses, contrast = tried[way]
        guess, sure = guesses.about(inside)
        right = guesses.right(guess, people[column])
        hit = np.flatnonzero(right)
        told: list[dict[str, Json]] = [
            {
                "who": {name: texts(people[name])[person] for name in known},
                "learned": {column: guesses.word(float(guess[person]))},
                "confidence": min(1.0, float(sure[person])),
            }
            for person in hit[: scene.shown or len(hit)].tolist()
        ]
        return Finding(
            attack=self.name,
            rate=contrast.attacked,
            baseline=guesses.blind,
            findings=tuple(told),
            cure=self._cure(contrast, guesses.blind, column),
            details={
                **contrast.to_json(),
                "column": column,
                "known": list(known),
                "guessed_by": way,
                "rate_by_way": {one: found.attacked.value for one, (_, found) in tried.items()},
                **({"understates": missing} if missing else {}),
            },
        )

    def _ways(self, votes: Votes) -> tuple[dict[str, Votes], str]:
        """The ways to guess that are tried, and why a trained model is not among them."""
        if self.guess == "vote":
            return {"vote": votes}, ""
        try:
            trained = votes.trained()
        except CannotTrain as error:
            if self.guess == "trained":
                raise
            return {"vote": votes}, f"no model was trained: {error}"
        return {"vote": votes, "trained": trained} if self.guess == "best" else {"trained": trained}, ""

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The release without the classes in which one value of the column has more than half of the rows."""
        column, known = self._columns(scene)
        classes = RowClasses.of(scene.table.frame, known)
        pairs = RowClasses.of(scene.table.frame, (*known, column))
        most = np.zeros(len(classes), np.int64)
        np.maximum.at(most, classes.of_row, pairs.sizes[pairs.of_row])
        keep = np.flatnonzero((2 * most <= classes.sizes)[classes.of_row])
        lost = scene.table.rows - len(keep)
        if not lost or not len(keep):
            return None, ""
        how = f"without the {lost:,} rows of classes in which more than half have one {column}"
        return replace(scene, table=scene.table.with_frame(scene.table.frame[keep])), how

    def _columns(self, scene: Scene) -> tuple[str, tuple[str, ...]]:
        column = scene.sensitive_column(None, self.name) if self.column is None else self.column
        require(column, scene.table.frame, "the release", self.name)
        require(column, truth(scene), "the original", self.name)
        if column in self.known:
            raise BadParameter(f"inference knows '{column}' already; leave it out of known")
        quasi = tuple(name for name in scene.table.quasi if name != column and name in truth(scene).columns)
        return column, in_both(scene, self.known or quasi, self.name, (column,))

    def _cure(self, contrast: Contrast, blind: float, column: str) -> str:
        tail = NO_CONTROL if contrast.control is None else ""
        if contrast.attacked.value <= blind:
            return f"nothing to cure: '{column}' is guessed no better than blindly{tail}"
        if contrast.risk is not None and contrast.interval is not None and not contrast.interval[0]:
            return (
                f"nothing that the release adds: '{column}' is guessed as well of people who are not in it; "
                "what remains is true of people in general"
            )
        return (
            f"t-closeness or l-diversity of '{column}', over all columns that an attacker may know, keeps "
            f"the rows that fit a person from agreeing on it{tail}"
        )


def _strength(contrast: Contrast) -> tuple[float, float]:
    """How much a way to guess finds out: what it adds to what holds for everybody, else how often it hits."""
    return contrast.risk or 0.0, contrast.attacked.value
