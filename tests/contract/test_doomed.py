"""What a model calls doomed never hides the optimum: a search that is told nothing finds no better one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from shoal import catalog
from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadInput
from shoal.tables.appraisal.losses import OBJECTIVES, objective
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_search import LatticeSearch
from tables.builders import Case, random_case

pytestmark = pytest.mark.slow

EXAMPLES = {"age": "q0", "sex": "q1", "ill": "s0"}
MODELS = [
    "alpha-k-anonymity(alpha=0.6,k=2,column=s0)",
    "alpha-k-anonymity(alpha=0.3,k=3,values=1,column=s0)",
    "beta-likeness(beta=0.5,column=s0)",
    "beta-likeness(beta=1.5)",
    "confidence-bounding(h=0.6,column=s0)",
    "confidence-bounding(h=0.4,values=1|2,column=s0)",
    "delta-disclosure(delta=1,column=s0)",
    "delta-disclosure(delta=2.5,column=s0)",
    "epsilon-m-anonymity(epsilon=1,m=2,column=s0)",
    "epsilon-m-anonymity(epsilon=0.3,m=2,deviation=relative,column=s0)",
    "k-e-anonymity(k=2,e=2,column=s0)",
    "multi-attribute-diversity(l=2)",
    "multi-attribute-diversity(l=1.5,kind=entropy)",
    "negative-positive-disclosure(c1=3,c2=20,l=2,protected=1,column=s0)",
    "positive-disclosure(c=2,l=2,allowed=1,column=s0)",
    "positive-disclosure(c=1,l=3,allowed=1|2,column=s0)",
    "lkc(L=1,K=3,C=0.8,column=s0)",
    "lkc(L=2,K=2,C=0.9,values=1,column=s0)",
    "xy-anonymity(x=q0,y=s0,k=2)",
    "xy-linkability(x=q0|q1,y=s0,h=0.7)",
]
# A new model is tried here by its example, without a line in this file.
MODELS += [
    f"{part.name}({re.sub(r'[a-z]+', lambda word: EXAMPLES.get(word[0], word[0]), part.cls.example)})"
    for part in catalog.Catalog.whole().parts
    if part.kind == "model" and part.noun == "table" and not part.cls.mechanisms
]


@dataclass(frozen=True)
class Silent(ClassModel[Classes]):
    """A model that never says what is doomed."""

    name: ClassVar[str] = "silent"
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    reads: ClassVar[Reads] = "values"

    scope: ClassVar[Scope] = "class"

    inner: ClassModel[Classes]

    def level(self, classes: Classes) -> float:
        return self.inner.level(classes)

    def holds(self, classes: Classes) -> Mask:
        return self.inner.holds(classes)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        return np.zeros(len(classes))


class Whole(Silent):
    """The same for a model of the table as a whole."""

    scope: ClassVar[Scope] = "table"


def _silent(model: ClassModel[Classes]) -> Silent:
    return Whole(model) if model.scope == "table" else Silent(model)


def cheapest(
    case: Case, asked: ClassModel[Classes], models: Sequence[ClassModel[Classes]], rows: int
) -> float:
    table = case.table()
    tuples = Tuples.of(table, table.hierarchies, domains_of(table, [asked]))
    best = LatticeSearch(Lattice(tuples), models, Loss(), rows).run()
    return np.inf if best is None else best.cost


@pytest.mark.parametrize("spelling", MODELS)
def test_a_search_finds_the_same_optimum_without_being_told_what_is_doomed(spelling: str) -> None:
    model = catalog.make("model", spelling)
    floor = catalog.make("model", "k-anonymity(k=2)")
    found = 0
    for seed in range(9):
        case = random_case(Random(f"{spelling} {seed}"))
        rows = [0, case.rows // 10, case.rows // 3][seed % 3]
        for beside in ([], [floor]):
            try:
                told = cheapest(case, model, [model, *beside], rows)
            except BadInput as refused:
                pytest.skip(f"needs more than a random table: {refused}")
            silent = [_silent(one) for one in (model, *beside)]
            untold = cheapest(case, model, silent, rows)
            assert told == pytest.approx(untold)
            found += np.isfinite(told)
    assert found, "no case was feasible, so nothing was compared"


@pytest.mark.parametrize("spelling", MODELS)
def test_the_search_finds_what_trying_every_node_finds(spelling: str) -> None:
    """Every objective; nothing, a third or all of the rows to spare; with and without k beside the model."""
    model, floor = catalog.make("model", spelling), catalog.make("model", "k-anonymity(k=3)")
    found = 0
    for seed, beside in ((0, []), (1, [floor])):
        case = random_case(Random(f"every node {spelling} {seed}"))
        table = case.table()
        tuples = Tuples.of(table, table.hierarchies, domains_of(table, [model]))
        for name, limit in product(OBJECTIVES, (0, case.rows // 3, case.rows)):
            try:
                search = LatticeSearch(Lattice(tuples), [model, *beside], objective(name, 3), limit)
                every = [search._cost(node) for node in product(*map(range, search.lattice.shape))]
            except BadInput as refused:
                pytest.skip(f"needs more than a random table: {refused}")
            best = search.run()
            cost = np.inf if best is None else best.cost
            assert cost == pytest.approx(min(every))
            assert best is None or best.optimal
            found += np.isfinite(cost)
    assert found, "no case was feasible, so nothing was compared"
