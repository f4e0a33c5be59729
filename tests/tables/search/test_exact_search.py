"""Which search a lattice gets; both find the same."""

from __future__ import annotations

import math

import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.losses import objective
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import exact_search as module
from shoal.tables.search import lattice_search
from shoal.tables.search.box_search import BoxSearch
from shoal.tables.search.exact_search import exact_search
from shoal.tables.search.lattice_search import LatticeSearch

from .test_lattice_search import lattice_of, tall_case


def test_a_large_lattice_is_searched_by_boxes_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice, models = lattice_of(tall_case(40, seed=2)), [KAnonymity(3)]
    found = []
    for most, kind in ((10**6, LatticeSearch), (1, BoxSearch)):
        monkeypatch.setattr(module, "MOST_IN_ARRAY", most)
        search = exact_search(lattice, models, objective("loss"), 4, ends=False)
        assert type(search) is kind
        best = search.run()
        assert best is not None
        found.append(best.cost)
    assert math.isclose(*found, rel_tol=1e-12)


def test_a_very_large_lattice_needs_an_end_and_a_loss_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice, models = lattice_of(tall_case(10, seed=1)), [KAnonymity(2)]
    monkeypatch.setattr(module, "MOST_IN_ARRAY", 1)
    monkeypatch.setattr(module, "LARGEST_LATTICE", 1)
    monkeypatch.setattr(lattice_search, "LARGEST_LATTICE", 1)
    best = exact_search(lattice, models, objective("loss"), 4, ends=True).run()
    assert best is not None
    assert best.optimal
    with pytest.raises(BadParameter, match=r"without an end \(.*--time-limit 600 gives the best"):
        exact_search(lattice, models, objective("loss"), 4, ends=False)
    with pytest.raises(BadParameter, match="too many combinations of levels"):
        exact_search(lattice, models, objective("discernibility", 2), 4, ends=True)
