"""The estimate of population uniques that suits the size of the sample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.tables.appraisal.population_uniques import Sample, UniquesEstimate, without_model
from shoal.tables.measures.pitman import Pitman
from shoal.tables.measures.slide_negative_binomial import SlideNegativeBinomial
from shoal.tables.measures.zayatz import Zayatz

SMALL = 0.1


@dataclass(frozen=True)
class Dankar(Measure[Sample, UniquesEstimate]):
    """Estimated people who are alone in the population, by the estimator that suits the sampling fraction.

    Up to a tenth of the population: pitman. Above: the smaller of zayatz and slide-negative-binomial. Where
    the one asked for has no solution, zayatz, which always has one and is rather too high.

    Dankar, El Emam, Neisa, Roffey, "Estimating the re-identification risk of clinical data sets", 2012.
    """

    name: ClassVar[str] = "dankar"

    def measure(self, sample: Sample) -> UniquesEstimate:
        settled = without_model(sample)
        if settled is not None:
            return settled
        bayes = Zayatz().measure(sample)
        wanted = Pitman() if sample.fraction <= SMALL else SlideNegativeBinomial()
        model = wanted.measure(sample)
        if model.uniques is None:
            return replace(bayes, reason=f"by zayatz, because {wanted.name} has no solution: {model.reason}")
        if sample.fraction > SMALL and bayes.uniques is not None and bayes.uniques < model.uniques:
            return replace(bayes, reason="by zayatz")
        return replace(model, reason=", ".join(filter(None, [f"by {wanted.name}", model.reason])))
