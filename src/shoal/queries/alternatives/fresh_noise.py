"""Noise without a budget."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.core.sampling.exact_parameters import settle
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.queries.endpoints.endpoint import Alternative
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question

STEPS = 1024  # of noise for every unit of the answer, so that small scales and sums work alike


@dataclass(frozen=True)
class FreshNoise(Alternative):
    """Every answer gets new Laplace noise, and nobody counts the questions.

    The thesis's "randomized output", done naively: noise with mean zero goes away in an average.

    Dwork, "A firm foundation for private data analysis", 2011; Adam and Wortmann, "Security-control methods
    for statistical databases", 1989.
    """

    name: ClassVar[str] = "fresh-noise"
    weakness: ClassVar[str] = "asked often enough, the average of the answers is the truth"

    scale: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        settle(self, scale=None)
        check_scale(self.scale * STEPS)

    def open(self, people: People) -> PeopleEndpoint:
        """A database that blurs each answer by itself."""
        return _Blurred(people, self.scale)


class _Blurred(PeopleEndpoint):
    def __init__(self, people: People, scale: Fraction) -> None:
        super().__init__(people)
        self._scale = scale

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        return super().ask(question, epsilon) + int(laplace_noise(self._scale * STEPS, 1)[0]) / STEPS
