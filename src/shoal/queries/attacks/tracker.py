"""Trackers: a forbidden question in the disguise of two that are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding
from shoal.core.sampling.exact_parameters import whole
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.attacker_reasoning.secret import Floats
from shoal.queries.endpoints.question import Question, both, either, literal, name, negated

TRIED = 40  # conditions, until one is found that divides people well enough


@dataclass(frozen=True)
class Tracker(Attack[Scene]):
    """Learns about one person although questions about few people, or about nearly all, are refused.

    `kind=general`: with a condition T that describes neither few nor nearly all, q(C) = q(C or T) + q(C or
    not T) - q(T) - q(not T) for any C, however small. T is found by asking: the first value of a `known`
    column for which both halves are answered. `kind=individual`: C is the person, A a group that they are
    known to be in, and q(C) = q(A) - q(A and not C). Of a yes or no, C is the person and the value together.

    Schlörer, "Identification and retrieval of personal records from a statistical data bank", 1975; Denning,
    Denning, Schwartz, "The tracker: a threat to statistical database security", 1979.
    """

    name: ClassVar[str] = "tracker"
    example: ClassVar[str] = "targets=4"
    needs: ClassVar[tuple[Need, ...]] = ("known",)
    threat: ClassVar[Threat] = "disclosure of information"

    kind: Literal["general", "individual"] = "general"
    targets: int = 50

    def __post_init__(self) -> None:
        whole(self, targets=2)
        if self.kind not in ("general", "individual"):
            raise BadParameter(f"no tracker of kind '{self.kind}'; there is general and individual")

    def attack(self, scene: Scene) -> Finding:
        """Whose secret a tracker tells."""
        places = scene.targets(self.targets)
        estimates = np.full(len(places), np.nan)
        scene.talk.plan(2 + 2 * len(places))
        if self.kind == "general":
            used = _general(scene, places.tolist(), estimates)
        else:
            used = _individual(scene, places.tolist(), estimates)
        return scene.finding(
            self.name,
            places,
            estimates,
            "a budget: refusing small groups stops nobody, since large ones add up to small ones",
            {"tracker": used},
        )


def _general(scene: Scene, places: list[int], estimates: Floats) -> str | None:
    secret, people, talk = scene.about(), scene.people, scene.talk
    for tracker in _conditions(scene):
        inside = talk.ask(_padded(scene, tracker))
        outside = None if inside is None else talk.ask(_padded(scene, negated(tracker)))
        if inside is None or outside is None:
            continue
        for at, place in enumerate(places):
            person = people.who(people.frame[people.unit][place])
            wanted = both(person, secret.condition) if secret.binary else person
            answers = [talk.ask(_padded(scene, either(wanted, half))) for half in (tracker, negated(tracker))]
            if None not in answers:
                estimates[at] = sum(answer for answer in answers if answer is not None) - inside - outside
        return tracker
    return None


def _individual(scene: Scene, places: list[int], estimates: Floats) -> str | None:
    secret, people, talk = scene.about(), scene.people, scene.talk
    groups: dict[str, float | None] = {}
    for at, place in enumerate(places):
        person = people.who(people.frame[people.unit][place])
        for column in scene.known:
            value = people.frame[column][place]
            group = f"{name(column)} = {literal(value)}"
            if value is None or (group in groups and groups[group] is None):
                continue
            if group not in groups:
                groups[group] = talk.ask(secret.question(group))
            whole_group = groups[group]
            others = None if whole_group is None else talk.ask(secret.question(both(group, negated(person))))
            if whole_group is not None and others is not None:
                estimates[at] = whole_group - others
                break
    answered = [group for group, answer in groups.items() if answer is not None]
    return answered[0] if answered else None


def _padded(scene: Scene, who: str) -> Question:
    """A question about people and their padding; of a yes or no, the value is part of who is counted."""
    return Question(who) if scene.about().binary else scene.about().question(who)


def _conditions(scene: Scene) -> list[str]:
    """Conditions that an attacker would try, by what everybody knows: frequent values first."""
    found = []
    for column in scene.known:
        values = scene.people.frame[column].drop_nulls().value_counts(sort=True)[column].to_list()
        found += [f"{name(column)} = {literal(value)}" for value in values[:TRIED]]
    return found[:TRIED]
