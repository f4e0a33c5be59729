"""How costs add up.

Neighbouring databases differ in all rows of one person. The next question may depend on all answers before:
the sum of what was chosen on the way is what counts, and it must stay below a limit fixed before the first
question (a privacy filter).

- Pure ε and (ε, δ): the sums of ε and of δ are a filter. Rogers, Roth, Ullman & Vadhan 2016.
- zCDP, with or without δ: the sums of ρ and of δ are a filter. Feldman & Zrnic 2021 for Rényi divergences;
  Whitehouse, Ramdas, Rogers & Wu 2023 for approximate zCDP.
- Gaussian differential privacy: the sum of μ² is a filter. Every answer can be made of a step of one Brownian
  motion, which drifts under the one neighbour and not under the other, and steps of μ² in all are the motion
  at that time, however they were chosen. Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2023. With δ:
  leave out, question by question, the groups that only one person is in. What is then told is such a motion,
  and it differs from what is told in truth with the sum of the chances at most (`group_thresholds.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost


def sequential(costs: Iterable[Cost]) -> Cost:
    """Several questions about the same people cost their sum. Dwork et al. 2006; Bun & Steinke 2016."""
    total = Cost()
    for cost in costs:
        total += _check(cost)
    return total


def parallel(costs: Iterable[Cost]) -> Cost:
    """Questions about disjoint parts cost as much as the dearest one.

    Disjoint means that nobody has rows in two parts, and that the parts were not chosen by looking at the
    rows: then one person moves one answer only. McSherry 2009.
    """
    listed = [_check(cost) for cost in costs]
    return Cost(
        max((cost.loss for cost in listed), default=0), max((cost.delta for cost in listed), default=0)
    )


def admits(limit: Cost, spent: Cost, cost: Cost) -> bool:
    """Whether one more question may be asked, chosen after seeing the answers before: a privacy filter.

    The limit is fixed beforehand and the answer to this is made of costs alone, never of rows.
    """
    return (_check(spent) + _check(cost)).within(limit)


def smaller(one: Cost, other: Cost) -> Cost:
    """What fits into both, part by part."""
    return Cost(min(one.loss, other.loss), min(one.delta, other.delta))


def _check(cost: Cost) -> Cost:
    # A negative cost would give budget back.
    if cost.loss < 0 or cost.delta < 0:
        raise BadParameter(f"a cost of {cost.loss} and {cost.delta} steps is below 0; nothing is given back")
    return cost
