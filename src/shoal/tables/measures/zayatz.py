"""Population uniques by the class sizes of the sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.tables.appraisal.population_uniques import Floats, Guess, Sample, UniquesEstimate, estimate_uniques


@dataclass(frozen=True)
class Zayatz(Measure[Sample, UniquesEstimate]):
    """Estimated people who are alone in the population, taking its class sizes to be spread as the sample's.

    Bayes' rule gives the probability that a row which is alone in the sample is alone in the population; a
    class of j people shows one of them in the sample as the hypergeometric distribution says. Small classes
    are missed most, so the sample's spread looks finer than the truth and the figure is rather too high.

    Zayatz, "Estimation of the number of unique population elements using a sample", 1991.
    """

    name: ClassVar[str] = "zayatz"

    def measure(self, sample: Sample) -> UniquesEstimate:
        return estimate_uniques(sample, _uniques)


def _uniques(sample: Sample) -> Guess:
    return Guess(sample.uniques * alone_when_alone(sample) / sample.fraction)


def alone_when_alone(sample: Sample) -> float:
    """The probability that a row which is alone in the sample is alone in the population."""
    shown = _shown_once(sample)
    return float(sample.with_size(1) * shown[0] / (sample.classes * shown).sum())


def _shown_once(sample: Sample) -> Floats:
    """How likely one member of a class of each size is in the sample and no other, relative to size 1."""
    people, rows = sample.population, sample.rows
    # size · C(N − size, n − 1) / C(N − 1, n − 1), as a product in which nothing overflows
    place = np.arange(1, int(sample.sizes[-1]), dtype=np.float64)
    with np.errstate(divide="ignore"):
        factors = np.log(np.maximum(people - rows - place + 1, 0.0)) - np.log(people - place)
    logs = np.concatenate(([0.0], np.cumsum(factors)))
    return np.asarray(sample.sizes * np.exp(logs[sample.sizes - 1]))
